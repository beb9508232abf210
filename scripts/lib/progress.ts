import { createHash } from 'node:crypto'
import { type Chapter, learnerFiles, skeletonFiles } from './chapters.ts'
import { checksumsOf } from './pristine.ts'
import type { TestReport } from './run-tests.ts'
import { readState, writeState } from './state.ts'

/** What the last run of a chapter's tests on the learner's code found. Only true for that code and those tests. */
export interface ChapterProgress {
  /** A digest of the code that was tested, and of what tested it. */
  code: string
  /** For each task, the tests that passed and all of them. */
  tasks: Record<number, { passed: number; total: number }>
  finished: boolean
}

const FILE = 'progress.json'

/** Whether `src/` differs from the generated skeleton. */
export function isStarted(chapter: Chapter): boolean {
  return digest([...learnerFiles(chapter)]) !== digest([...skeletonFiles(chapter)])
}

/** Whether all tests passed on the code that `src/` holds now. */
export function isFinished(chapter: Chapter): boolean {
  return progressOf(chapter)?.finished ?? false
}

/** What is known of the code that `src/` holds now; undefined when it has changed since the last run, or was never run. */
export function progressOf(chapter: Chapter): ChapterProgress | undefined {
  const progress = readState<Record<string, ChapterProgress>>(FILE, {})[chapter.name]
  return progress && progress.code === codeOf(chapter) ? progress : undefined
}

/**
 * A digest of the learner's code of a chapter, and of the tests and what is given: a newer version of the workshop may
 * bring other ones. Take it before the tests run: the code may change meanwhile.
 */
export function codeOf(chapter: Chapter): string {
  return digest([...learnerFiles(chapter), ...Object.entries(checksumsOf(chapter, ['given', 'tests']))])
}

/** Remembers a run of all of a chapter's tests on the learner's code, and returns what it remembers. */
export function recordRun(chapter: Chapter, code: string, tests: TestReport[], broken: boolean): ChapterProgress {
  const tasks: ChapterProgress['tasks'] = {}
  for (const { task, outcome } of tests) {
    if (task === undefined) continue
    tasks[task] ??= { passed: 0, total: 0 }
    tasks[task].total++
    if (outcome === 'passed') tasks[task].passed++
  }
  const finished = !broken && tests.length > 0 && tests.every(({ outcome }) => outcome === 'passed')
  const progress = { code, tasks, finished }
  writeState(FILE, { ...readState<Record<string, ChapterProgress>>(FILE, {}), [chapter.name]: progress })
  return progress
}

function digest(files: Array<[name: string, text: string]>): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16)
}
