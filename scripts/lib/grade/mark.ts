import { untouchedTasks } from '../chapters.ts'
import { recogniseMistakes } from '../mistakes.ts'
import type { TestReport } from '../run-tests.ts'
import type { TestOutcome } from './protocol.ts'
import type { ChapterMark, RedTest } from './report.ts'
import type { ChapterRun } from './run-chapters.ts'
import type { PristineChapter } from './workshop.ts'

/** A test of a chapter as the reference's run had it: what a submission is measured by, whatever its own run says. */
export type ExpectedTest = Pick<TestOutcome, 'sentence' | 'task' | 'file' | 'line'>

export interface ToMark {
  pristine: PristineChapter
  expected: ExpectedTest[]
  /** The learner's files; undefined where there are none. */
  sources: Map<string, string> | undefined
  /** What came of the tests; undefined when they were not run, since nothing is written. */
  run: ChapterRun | undefined
  /** What could not be taken from the submission. */
  problems: string[]
  /** Type errors; undefined when nobody asked. */
  types: string[] | undefined
}

/** What a chapter of a submission is worth. */
export function markChapter({ pristine, expected, sources, run, problems, types }: ToMark): ChapterMark {
  const untouched = untouchedTasks(pristine.tasks, pristine.skeleton, sources ?? pristine.skeleton)
  const tests = settle(expected, run, untouched)
  const counted = tests.filter(({ task }) => task !== undefined)
  const tasks = pristine.tasks.map(({ number }) => {
    const own = counted.filter(({ task }) => task === number)
    const passed = own.filter(({ outcome }) => outcome === 'passed').length
    return { number, passed, tests: own.length, done: own.length > 0 && passed === own.length }
  })
  const broke = [
    ...problems,
    ...(run?.incomplete ? [run.incomplete] : []),
    ...[...new Set(run?.broken)].map((text) => `cannot be loaded: ${text}`),
    ...[...new Set(run?.stray)].map((text) => `an error that nobody catches: ${text}`),
  ]
  const passed = counted.filter(({ outcome }) => outcome === 'passed').length
  const whole = run && !run.incomplete && run.broken.length === 0
  const known = whole ? recogniseMistakes(pristine.mistakes, tests.map(toReport)) : []
  return {
    chapter: pristine.chapter.number,
    state: stateOf({ sources, run, done: tasks.every(({ done }) => done) && broke.length === 0 }),
    tasksDone: tasks.filter(({ done }) => done).length,
    testsPassed: passed,
    tasks,
    red: tests.filter(({ outcome, task }) => run && outcome !== 'passed' && !untouched.has(task!)).map(toRed),
    notBegun: sources ? [...untouched] : [],
    mistakes: known.map(({ name, hint }) => ({ name, hint })),
    problems: broke,
    typeErrors: types ?? null,
    milliseconds: run?.milliseconds ?? 0,
  }
}

function stateOf({ sources, run, done }: Pick<ToMark, 'sources' | 'run'> & { done: boolean }): ChapterMark['state'] {
  if (!sources) return 'missing'
  if (!run) return 'untouched'
  if (run.incomplete || run.broken.length > 0) return 'broken'
  return done ? 'finished' : 'begun'
}

/** The expected tests with what became of each. What a run does not tell of is lost; what it tells twice is the worse of both. */
function settle(expected: ExpectedTest[], run: ChapterRun | undefined, untouched: Set<number>): TestOutcome[] {
  const told = new Map<string, TestOutcome>()
  for (const test of run?.tests ?? []) {
    const before = told.get(test.sentence)
    if (!before || before.outcome === 'passed') told.set(test.sentence, test)
  }
  return expected.map((test) => {
    const found = told.get(test.sentence) ?? { outcome: 'lost' as const, open: false, problem: '', printed: '' }
    return { ...found, ...test, open: found.open || (found.outcome === 'failed' && untouched.has(test.task!)) }
  })
}

function toRed({ sentence, task, file, line, outcome, problem, printed }: TestOutcome): RedTest {
  return { sentence, task: task ?? null, file, line, outcome: outcome as RedTest['outcome'], problem, printed }
}

function toReport(test: TestOutcome): TestReport {
  return { ...test, task: test.task, errors: [] }
}
