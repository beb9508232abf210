import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { nearest } from './near-miss.ts'
import type { Scenario, Turn } from './schema.ts'

/** Where the sample projects are. */
export const SAMPLES = fileURLToPath(new URL('../../14-agent/given/samples', import.meta.url))

type Problem = [path: PropertyKey[], problem: string]

/** What a schema of single fields does not see. */
export const PROBLEMS: Array<(scenario: Scenario, fileName: string) => Iterable<Problem>> = [
  function* fileAndName({ name }, fileName) {
    const expected = /([^/\\]+)\.ya?ml$/.exec(fileName)?.[1] ?? name
    if (name !== expected) yield [['name'], `expected the file's name, ${quote(expected)}, got ${quote(name)}`]
  },

  function* knownSample({ sample }) {
    const samples = foldersIn(SAMPLES)
    if (samples.includes(sample)) return
    yield [['sample'], `expected one of ${samples.join(', ')}, got ${quote(sample)}.${nearest(sample, samples)}`]
  },

  function* wholeTurns({ turns }) {
    for (const [i, turn] of turns.entries()) {
      const problem = turnProblem(turn)
      if (problem) yield [['turns', i], problem]
    }
  },

  function* subAgents({ task, turns }) {
    const inputs = JSON.stringify(turns.map(({ calls }) => calls))
    for (const [i, { for: text }] of turns.entries()) {
      if (text === undefined) continue
      if (text.includes('{{cwd}}')) {
        yield [['turns', i, 'for'], `expected a text that is the same in every copy of the sample, got ${quote(text)}`]
      } else if (task.includes(text)) {
        yield [['turns', i, 'for'], `expected a text that the task does not have, got ${quote(text)}`]
      } else if (!inputs.includes(quote(text).slice(1, -1))) {
        yield [['turns', i, 'for'], `expected a text of an Agent call's prompt, got ${quote(text)}, which no call has`]
      }
    }
  },
]

function turnProblem({ text, calls, stop, error, html, cut_after }: Turn): string | undefined {
  const isMessage = text !== undefined || calls !== undefined || stop !== undefined
  if (!isMessage && !error && !html) return 'expected text, calls, stop, error or html, got none of them'
  if (html && (isMessage || error)) return 'expected html alone, got other answers beside it'
  if (cut_after !== undefined && (!isMessage || error)) return 'expected cut_after with text or calls and no error'
  if (error && isMessage && error.after === undefined) {
    return 'expected error.after, since there is text or calls: how many events come before the error'
  }
  if (error?.after !== undefined && !isMessage) return 'expected text or calls for the events before the error'
  if (calls?.some(({ input, json }) => input && json !== undefined)) return 'expected input or json in a call, got both'
}

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
}

function quote(text: string): string {
  return JSON.stringify(text)
}
