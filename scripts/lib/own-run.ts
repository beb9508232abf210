import { allChapters, type Chapter, learnerFiles, skeletonFiles, tasksOf, untouchedTasks } from './chapters.ts'
import { mistakesOf } from './mistakes.ts'
import { codeOf, isFinished, recordRun } from './progress.ts'
import type { ChapterRun } from './report.ts'
import { TestRunner, type Variant, type VariantReport } from './run-tests.ts'
import { type TypeProblem, typeProblems } from './types.ts'

/** A chapter's tests on the learner's code. With `own`, the finished chapters that it stands on are the learner's, too. */
export function ownVariant(chapter: Chapter, own: boolean): Variant {
  const beneath = own ? allChapters().filter((c) => c.number < chapter.number && isFinished(c)) : []
  return { id: chapter.name, chapter, conditions: [...beneath, chapter].map(({ condition }) => condition) }
}

/** Runs something with a runner that is closed afterwards, whatever happens. */
export async function withRunner<T>(
  variants: Variant[],
  onTest: () => void,
  use: (runner: TestRunner) => Promise<T>,
): Promise<T> {
  const runner = await TestRunner.create(variants, { onTest })
  try {
    return await use(runner)
  } finally {
    await runner.close()
  }
}

export interface OwnRunOptions {
  /** Files that are no longer what they were at the last run. */
  changed?: string[]
  /** Called with what the tests found, before the types are checked. */
  onTests?: (run: ChapterRun) => void
}

/** Runs one chapter's tests on the learner's code, checks its types beside them, and remembers the result. */
export async function runOwn(
  runner: TestRunner,
  chapter: Chapter,
  { changed, onTests }: OwnRunOptions = {},
): Promise<ChapterRun> {
  const code = codeOf(chapter)
  const untouched = untouchedTasks(tasksOf(chapter), skeletonFiles(chapter), learnerFiles(chapter))
  const mistakes = mistakesOf(chapter)
  // Whoever waits for the tests alone gets them sooner when nothing else wants the processor.
  const types = onTests ? undefined : typesOf(chapter)
  const [report] = await runner.run({ ids: [chapter.name], changed })
  for (const test of report.tests) test.open ||= test.outcome === 'failed' && untouched.has(test.task!)
  remember(report, code)
  const run = { chapter, report, types: [], mistakes: await mistakes }
  onTests?.(run)
  return { ...run, types: await (types ?? typesOf(chapter)) }
}

/** Remembers what a run found of the code that it was run on. */
export function remember({ variant, tests, broken, stray }: VariantReport, code: string): void {
  recordRun(variant.chapter, code, tests, broken.length > 0 || stray.length > 0)
}

/** Type errors in the learner's code of a chapter, or in its tests because of that code. */
export async function typesOf(chapter: Chapter): Promise<TypeProblem[]> {
  const problems = await typeProblems({ chapter })
  return problems.filter(({ file }) => file.startsWith(`chapters/${chapter.name}/`))
}

/** Whether nothing is left to do. */
export function isGreen({ report, types }: ChapterRun): boolean {
  const { tests, broken, stray } = report
  return broken.length + stray.length + types.length === 0 && tests.every(({ outcome }) => outcome === 'passed')
}
