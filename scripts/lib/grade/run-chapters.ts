import { randomBytes } from 'node:crypto'
import { type Ending, type Limits, runContained } from './contained.ts'
import type { Place } from './place.ts'
import { type ChapterMessage, type Job, type Message, readLine, type TestOutcome } from './protocol.ts'
import type { Sandbox } from './sandbox.ts'
import type { TaskCode } from './task-code.ts'
import type { Workshop } from './workshop.ts'

/** What came of a chapter's tests. `incomplete` says why there are not all of them. */
export type ChapterRun = Pick<ChapterMessage, 'tests' | 'broken' | 'stray' | 'milliseconds'> & {
  code: TaskCode[]
  incomplete?: string
}

export interface SubmissionRun {
  chapters: Map<string, ChapterRun>
  /** Type errors by chapter; undefined when nobody asked or TypeScript did not answer. */
  types: Map<string, string[]> | undefined
}

export interface RunSettings {
  workshop: Workshop
  sandbox: Sandbox | undefined
  /** Folders that a sandbox hides. */
  hidden: string[]
  types: boolean
  /** A step is a chapter, and the whole are all chapters of a submission. */
  limits: Limits
}

export const DEFAULT_LIMITS: Limits = {
  memory: 3 * 1024 ** 3,
  reports: 64 * 1024 ** 2,
  // Longer than the watchdog of the tests waits for one file to be loaded, and no longer than it takes to see two fail.
  silence: 25_000,
  step: 60_000,
  whole: 300_000,
}

export const NOTHING: ChapterRun = { code: [], tests: [], broken: [], stray: [], milliseconds: 0 }

const WHY: Record<Ending, string> = {
  ended: 'its process ended before the tests did',
  memory: 'it used too much memory, and was stopped',
  reports: 'it reported without end, and was stopped',
  time: 'it took too long, and was stopped',
}

interface ChapterSettings extends RunSettings {
  /** Tell in which line each test stands; line 1 otherwise. */
  locations: boolean
}

/** Runs chapters one after the other; goes on behind one that ended its process, after a second try at it alone. */
export async function runChapters(place: Place, chapters: string[], settings: ChapterSettings): Promise<SubmissionRun> {
  const run: SubmissionRun = { chapters: new Map(), types: undefined }
  const deadline = Date.now() + settings.limits.whole
  const tried = new Set<string>()
  let left = chapters
  let types = settings.types
  while ((left.length > 0 || types) && Date.now() < deadline) {
    const alone = left.length > 0 && tried.has(left[0])
    const asked = alone ? left.slice(0, 1) : left
    const limits = { ...settings.limits, whole: deadline - Date.now() }
    const attempt = await attemptChapters(place, asked, { ...settings, types: types && !alone, limits })
    for (const [name, chapter] of attempt.done) run.chapters.set(name, chapter)
    if (types && !alone) {
      types = false
      run.types = attempt.types
    }
    const culprit = asked.find((name) => !attempt.done.has(name))
    left = left.filter((name) => !attempt.done.has(name))
    if (culprit === undefined) continue
    // The culprit first, then the others.
    left = [culprit, ...left.filter((name) => name !== culprit)]
    if (attempt.ending !== 'time' && !tried.has(culprit)) tried.add(culprit)
    else {
      run.chapters.set(culprit, toIncomplete(attempt))
      left.shift()
    }
  }
  for (const name of left) run.chapters.set(name, { ...NOTHING, incomplete: "the submission's time was used up" })
  return run
}

interface Attempt {
  done: Map<string, ChapterRun>
  types: Map<string, string[]> | undefined
  /** The chapter that has not come to its end: its tests that have, its code, and when it was begun. */
  current: Pick<ChapterRun, 'tests' | 'code'> & { started: number }
  ending: Ending
}

function toIncomplete({ current, ending }: Attempt): ChapterRun {
  const { tests, code, started } = current
  return { ...NOTHING, tests, code, milliseconds: Date.now() - started, incomplete: WHY[ending] }
}

const COMMAND = ['--import', 'vitest/node', '--import', 'tsx', 'scripts/lib/grade/child.ts']
const FIXED = ['chapters', 'scripts', 'package.json', 'tsconfig.json']

async function attemptChapters(
  place: Place,
  chapters: string[],
  { workshop, sandbox, hidden, locations, types, limits }: ChapterSettings,
): Promise<Attempt> {
  const given = Object.fromEntries(workshop.chapters.map(({ chapter, given }) => [chapter.name, given]))
  const job: Job = { nonce: randomBytes(16).toString('hex'), chapters, given, locations, types }
  const attempt: Attempt = { done: new Map(), types: undefined, current: begun(), ending: 'ended' }
  const command = [process.execPath, ...COMMAND]
  const readOnly = FIXED.map((name) => `stage/${name}`)
  const inside = { folder: place.path, chdir: 'stage', readOnly, root: workshop.root, hidden }
  attempt.ending = await runContained({
    command: sandbox?.wrap(command, inside) ?? command,
    place: place.path,
    seenAs: sandbox?.folder,
    marker: randomBytes(16).toString('hex'),
    input: JSON.stringify(job),
    limits,
    onLine(line) {
      const message = readLine(job.nonce, line)
      if (message) note(attempt, message, chapters)
      return message && (/^(test|working)$/.test(message.type) ? 'sign' : 'step')
    },
  })
  return attempt
}

function begun(): Attempt['current'] {
  return { tests: [] as TestOutcome[], code: [], started: Date.now() }
}

function note(attempt: Attempt, message: Message, chapters: string[]): void {
  if (message.type === 'start') attempt.current = begun()
  if (message.type === 'code') attempt.current.code = message.code
  if (message.type === 'test') attempt.current.tests.push(message.test)
  if (message.type === 'chapter' && chapters.includes(message.chapter) && !attempt.done.has(message.chapter)) {
    const { tests, broken, stray, milliseconds } = message
    attempt.done.set(message.chapter, { tests, broken, stray, milliseconds, code: attempt.current.code })
    attempt.current = begun()
  }
  if (message.type === 'types') {
    attempt.types = new Map()
    for (const { chapter, text } of message.problems)
      attempt.types.set(chapter, [...(attempt.types.get(chapter) ?? []), text])
  }
}
