import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { WrongUse } from '../wrong-use.ts'
import { type MeasuredChapter, reportOn } from './class-report.ts'
import { Guard } from './guard.ts'
import { ModuleCache } from './module-cache.ts'
import type { ClassReport } from './report.ts'
import type { ChapterRun, RunSettings, SubmissionRun } from './run-chapters.ts'
import { runApart, runReference, runSubmission, type StageSettings } from './run-submission.ts'
import type { Submission } from './submissions.ts'

export interface ClassSettings extends RunSettings {
  /** How many submissions run at a time. */
  jobs: number
  /** Called as a submission is begun and when it is marked. */
  onProgress?: (name: string, state: 'begun' | 'marked') => void
}

/** Marks submissions. Throws WrongUse when the workshop's own tests cannot run here. */
export async function gradeClass(submissions: Submission[], settings: ClassSettings): Promise<ClassReport> {
  const started = performance.now()
  // Only in a sandbox do all stages have one path.
  const modules = settings.sandbox && new ModuleCache()
  try {
    const { chapters, warnings, slowest, idle } = await measure({ ...settings, modules })
    const limits = { ...settings.limits }
    // A slow machine takes its time.
    limits.silence = Math.max(limits.silence, PATIENCE * slowest)
    limits.step = Math.max(limits.step, 3 * PATIENCE * slowest)
    const hands = Math.max(1, Math.floor(settings.jobs / submissions.length))
    const grading = new Grading({ ...settings, limits, hands, modules, without: idle })
    const runs = await grading.runAll(submissions)
    return {
      version: 1,
      contained: settings.sandbox ? 'bubblewrap' : 'process',
      seconds: Math.round((performance.now() - started) / 100) / 10,
      warnings: [...warnings, ...grading.warnings],
      ...reportOn(chapters, submissions, runs),
    }
  } finally {
    modules?.remove()
  }
}

/** How many times as long as the reference's slowest chapter a chapter may be silent. It may take thrice as long in all. */
const PATIENCE = 2

/** Runs the reference: what it comes to is what a submission is measured by, and shows whether the tests can run here at all. */
async function measure(settings: ClassSettings & Pick<StageSettings, 'modules'>) {
  const { chapters, files } = settings.workshop
  const warnings: string[] = []
  const names = chapters.map(({ chapter }) => chapter.name)
  settings.onProgress?.('the reference', 'begun')
  const runs = await runReference(names, { ...settings, hands: settings.jobs, without: new Set() })
  settings.onProgress?.('the reference', 'marked')
  const measured = chapters.map((pristine): MeasuredChapter => {
    const { name, number } = pristine.chapter
    const run = runs.chapters.get(name)
    const wrong = run?.incomplete ?? run?.broken[0]
    if (!run || wrong || run.tests.length === 0)
      throw new WrongUse(`The workshop's own tests of ${name} cannot run here: ${wrong ?? 'none ran'}. Try npm test.`)
    for (const { sentence, outcome } of run.tests) {
      if (outcome !== 'passed')
        warnings.push(`chapter ${number}: "${sentence}" is red on the reference here: not the learners' fault.`)
    }
    const counted = new Set(run.tests.filter(({ task }) => task !== undefined).map(({ file }) => file))
    const expected = run.tests
      .filter(({ file }) => counted.has(file))
      .map(({ sentence, task, file, line }) => ({ sentence, task, file, line }))
    return { ...pristine, expected, code: run.code }
  })
  const slowest = Math.max(...[...runs.chapters.values()].map(({ milliseconds }) => milliseconds))
  return { chapters: measured, warnings, slowest, idle: idleTests(measured, [...files.keys()]) }
}

/** The test files in which nothing is a learner's: once they have run on the reference, there is no more to be known. */
function idleTests(chapters: MeasuredChapter[], files: string[]): Set<string> {
  const idle = chapters.flatMap(({ chapter, expected }) => {
    const needed = new Set(expected.map(({ file }) => file))
    const tests = files.filter(
      (path) => path.startsWith(`chapters/${chapter.name}/tests/`) && path.endsWith('.test.ts'),
    )
    return tests.filter((path) => !needed.has(posix.basename(path)))
  })
  return new Set(idle)
}

class Grading {
  readonly #settings: ClassSettings & StageSettings
  /** Undefined in a sandbox, where nobody can change the workshop but a person. */
  readonly #guard: Guard | undefined
  readonly #runs = new Map<Submission, SubmissionRun>()
  /** Runs of chapters by their code: the same code comes to the same. */
  readonly #known = new Map<string, ChapterRun>()
  readonly #running = new Set<Submission>()
  /** Those on whose stage somebody wrote. It may have been somebody else. */
  readonly #again = new Set<Submission>()

  constructor(settings: ClassSettings & StageSettings) {
    this.#settings = settings
    this.#guard = settings.sandbox ? undefined : new Guard(settings.workshop)
  }

  get warnings(): string[] {
    return this.#guard?.warnings ?? []
  }

  async runAll(submissions: Submission[]): Promise<Map<Submission, SubmissionRun>> {
    const queue = this.#inOrder(submissions)
    await Promise.all(Array.from({ length: this.#settings.jobs }, () => this.#work(queue)))
    // With nobody else at work it is plain who writes where.
    await this.#work([...this.#again], true)
    return this.#runs
  }

  /**
   * The longest first, so that all are done at about the same time. But before them those that are much shorter: they
   * cost little, or else they hang, and then it is well to have begun early.
   */
  #inOrder(submissions: Submission[]): Submission[] {
    const lengths = new Map(submissions.map((one) => [one, this.#startedOf(one).length]))
    const longest = Math.max(...lengths.values())
    const isShort = (one: Submission) => lengths.get(one)! < longest / 2
    const longestFirst = [...submissions].sort((a, b) => lengths.get(b)! - lengths.get(a)!)
    return [...longestFirst.filter(isShort), ...longestFirst.filter((one) => !isShort(one))]
  }

  async #work(queue: Submission[], alone = this.#settings.jobs === 1): Promise<void> {
    for (let next = queue.shift(); next && !this.#guard?.packagesChanged; next = queue.shift()) {
      await this.#runOne(next, alone)
      this.#settings.onProgress?.(next.name, 'marked')
    }
  }

  async #runOne(submission: Submission, alone: boolean): Promise<void> {
    this.#settings.onProgress?.(submission.name, 'begun')
    this.#running.add(submission)
    const started = this.#startedOf(submission)
    const run = await this.#run(submission, started, alone)
    this.#guard?.look([...this.#running].map(({ name }) => name))
    this.#running.delete(submission)
    if (run && !this.#guard?.packagesChanged) this.#keep(submission, started, run)
  }

  /** Runs what has to be run of a submission. Undefined when nothing is to be made of it, and it should run again. */
  async #run(submission: Submission, started: string[], alone: boolean): Promise<SubmissionRun | undefined> {
    const settings = this.#settings
    const unknown = started.filter((chapter) => !this.#knownRun(submission, chapter))
    if (unknown.length === 0 && (!settings.types || started.length === 0))
      return { chapters: new Map(), types: undefined }
    const sources = new Map(started.map((chapter) => [chapter, submission.sources.get(chapter)!]))
    const run = await runSubmission(sources, unknown, settings)
    if (run.changed.length === 0) return run
    if (alone || settings.sandbox) return runApart(sources, started, settings)
    this.#again.add(submission)
    return undefined
  }

  #keep(submission: Submission, started: string[], run: SubmissionRun): void {
    for (const [chapter, ran] of run.chapters) {
      if (!ran.incomplete) this.#known.set(chapter + keyOf(submission.sources.get(chapter)!), ran)
    }
    for (const chapter of started) {
      const known = this.#knownRun(submission, chapter)
      if (!run.chapters.has(chapter) && known) run.chapters.set(chapter, known)
    }
    this.#runs.set(submission, run)
  }

  /** The run of another submission with the very same code for a chapter, unless that code looks outside of the chapter. */
  #knownRun({ sources }: Submission, chapter: string): ChapterRun | undefined {
    const files = sources.get(chapter)!
    const outside = [...files.values()].some((text) => text.includes('../../'))
    return outside ? undefined : this.#known.get(chapter + keyOf(files))
  }

  /** The chapters in which there is something else than what everybody was given. */
  #startedOf({ sources }: Submission): string[] {
    const started = this.#settings.workshop.chapters.filter(({ chapter, skeleton }) => {
      const files = sources.get(chapter.name)
      return files !== undefined && files.size > 0 && keyOf(files) !== keyOf(skeleton)
    })
    return started.map(({ chapter }) => chapter.name)
  }
}

function keyOf(files: Map<string, string>): string {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}
