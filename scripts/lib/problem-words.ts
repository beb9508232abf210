import type { TestProblem } from './run-tests.ts'
import { plain } from './text.ts'

/** What a problem is about, where Vitest has words of its own for it that tell a learner nothing. */
export type Understood =
  | { type: 'timeout'; seconds: number }
  | { type: 'exit'; code: string }
  | { type: 'other'; text: string }

/** Reads a test's problem. Of what Vitest does not word itself the text is what was thrown, without colours. */
export function understand({ name, message }: TestProblem): Understood {
  const text = plain(message)
  const timeout = /timed out in (\d+)ms/.exec(text)
  if (timeout) return { type: 'timeout', seconds: Number(timeout[1]) / 1000 }
  const exit = /process\.exit unexpectedly called with "(.*?)"/.exec(text)
  if (exit) return { type: 'exit', code: exit[1] }
  return { type: 'other', text: name === 'AssertionError' || name === 'Error' ? text : `${name}: ${text}` }
}
