/**
 * The report on a class, as `report.json` has it. Its shape is a promise: a later version may add fields; where one changes
 * its meaning or goes, `version` counts up.
 */
export interface ClassReport {
  version: 1
  /** How the submissions were kept apart: in bubblewrap's sandbox, or as processes of the same user. */
  contained: 'bubblewrap' | 'process'
  /** Seconds that the marking took. */
  seconds: number
  /** What was marked, in order. */
  chapters: ChapterInfo[]
  /** What the reader should know before the marks: a test that is red on the reference here, files that were changed. */
  warnings: string[]
  submissions: SubmissionMark[]
  /** Something to look at, and no verdict. */
  identical: IdenticalWork[]
}

export interface ChapterInfo {
  number: number
  /** The folder's name. */
  name: string
  title: string
  tasks: Array<{ number: number; title: string }>
  /** How many tests the tasks have together. */
  tests: number
}

export interface SubmissionMark {
  name: string
  /** Absolute path. */
  folder: string
  tasksDone: number
  testsPassed: number
  /** Of all chapters together. */
  milliseconds: number
  /** About the submission as a whole: what was wrong with it, and what to look at. */
  problems: string[]
  /** One for each of the report's chapters, in the same order. */
  chapters: ChapterMark[]
}

/**
 * `missing`: there is no `src/`. `untouched`: it is as it came, or empty. `broken`: not all tests could run. `finished`: all tasks are
 * done and nothing broke.
 */
export type ChapterState = 'missing' | 'untouched' | 'begun' | 'broken' | 'finished'

export interface ChapterMark {
  chapter: number
  state: ChapterState
  tasksDone: number
  testsPassed: number
  /** A task is done when all its tests pass. */
  tasks: Array<{ number: number; passed: number; tests: number; done: boolean }>
  /** The tests that fail, but for those of tasks that are not begun. */
  red: RedTest[]
  /** The numbers of the tasks of which every blank is still as it came. */
  notBegun: number[]
  /** The workshop's known mistakes that explain the red tests. */
  mistakes: Array<{ name: string; hint: string }>
  /** What broke: files that could not be taken or loaded, errors that nobody caught, limits that were met. */
  problems: string[]
  /** Null when types were not checked. */
  typeErrors: string[] | null
  /** The time its tests took. */
  milliseconds: number
}

export interface RedTest {
  sentence: string
  /** Null for a test of what is given. */
  task: number | null
  /** Where it stands, below the chapter's `tests/`. */
  file: string
  line: number
  /** `hung`: it never came back. `lost`: the process ended before it could run. */
  outcome: 'failed' | 'hung' | 'crashed' | 'lost'
  problem: string
  printed: string
}

/** Code for a task that is the same apart from names, layout, comments and types. */
export interface IdenticalWork {
  chapter: number
  task: number
  /** Names of submissions, in their order: two or more, or one that equals the reference. */
  submissions: string[]
  /** Whether it equals the reference, too. */
  reference: boolean
  /** How many nodes of the syntax tree are the same: the more there are, the less it is chance. */
  size: number
}
