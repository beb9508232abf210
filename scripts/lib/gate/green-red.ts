import { join } from 'node:path'
import { type Chapter, shownPath, skeletonFiles } from '../chapters.ts'
import { type RunnerOptions, type TestReport, TestRunner, type Variant, type VariantReport } from '../run-tests.ts'
import { type GatePart, Tally } from './part.ts'

/** Every test passes on the solution. */
export const green: GatePart = {
  name: 'green',
  title: 'every test passes on the solution',
  async run(chapters) {
    const reports = await runAll(chapters.map((chapter) => ({ id: chapter.name, chapter, conditions: [] })))
    const tally = new Tally()
    for (const { variant, tests, broken, stray } of reports) {
      for (const { message } of stray)
        tally.count(`${variant.chapter.name}: an error that no test waits for: ${message}`)
      for (const test of tests) tally.count(test.outcome === 'passed' ? undefined : describe(variant.chapter, test))
      for (const { file, problem } of broken) tally.count(`${file}: ${problem.message}`)
      for (const sentence of repeated(tests.map((test) => test.sentence))) {
        tally.count(`${variant.chapter.name}: two tests are called "${sentence}"`)
      }
    }
    return tally.report(`${tally.passed} tests`)
  },
}

/** On the skeleton every test fails for the right reason, and the given ones pass. */
export const red: GatePart = {
  name: 'red',
  title: 'on the skeleton every test fails for the right reason, and given ones pass',
  async run(chapters) {
    const reports = await runAll(
      chapters.map((chapter) => ({ id: chapter.name, chapter, conditions: [], overlay: skeletonOverlay(chapter) })),
    )
    const tally = new Tally()
    for (const { variant, tests, broken, stray } of reports) {
      for (const { message } of stray)
        tally.count(`${variant.chapter.name}: an error that no test waits for, on the skeleton: ${message}`)
      for (const test of tests) tally.count(wrongReason(variant.chapter, test))
      for (const { file, problem } of broken) {
        tally.count(
          `${file} cannot be loaded on the skeleton: ${problem.message}. Does a module call a blank when it is imported?`,
        )
      }
    }
    return tally.report(`${tally.passed} tests`)
  },
}

/** The skeleton's texts in place of the solution's. */
export function skeletonOverlay(chapter: Chapter): Map<string, string> {
  return new Map([...skeletonFiles(chapter)].map(([name, text]) => [join(chapter.path, 'solution', name), text]))
}

/** Runs variants once and closes the runner. */
export async function runAll(variants: Variant[], options: RunnerOptions = {}): Promise<VariantReport[]> {
  const runner = await TestRunner.create(variants, options)
  try {
    return await runner.run()
  } finally {
    await runner.close()
  }
}

function wrongReason(chapter: Chapter, test: TestReport): string | undefined {
  const [error] = test.errors
  if (test.task === undefined) return test.outcome === 'passed' ? undefined : describe(chapter, test)
  if (test.outcome === 'passed') {
    return `${at(chapter, test)} passes on the skeleton. It cannot fail, or belongs in describe('given: …')`
  }
  const todo = /TODO\(task (\d+)\)/.exec(error?.message ?? '')
  // A later task may stand on an earlier one, so its tests may meet that one's TODO first.
  const blank = todo !== null && Number(todo[1]) <= test.task
  if (test.outcome === 'failed' && (blank || (error?.name === 'AssertionError' && !todo))) return undefined
  return `${at(chapter, test)} fails on the skeleton for another reason than a TODO of task 1 to ${test.task} or an assertion: ${error?.message ?? test.outcome}`
}

/** One failed test in one text. */
export function describe(chapter: Chapter, test: TestReport): string {
  return `${at(chapter, test)}: ${test.outcome}\n${test.errors.map((e) => `${e.message}\n${e.diff ?? ''}`).join('\n')}`.trimEnd()
}

function at(chapter: Chapter, test: TestReport): string {
  return `${shownPath(chapter, 'tests', test.file.split(/[\\/]/).at(-1)!)}:${test.line} "${test.sentence}"`
}

function repeated(words: string[]): string[] {
  return [...new Set(words.filter((word, index) => words.indexOf(word) !== index))]
}
