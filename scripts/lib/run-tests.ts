import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment, Plugin } from 'vite'
import {
  BaseSequencer,
  createVitest,
  type TestCase,
  type TestModule,
  type TestRunResult,
  type TestSpecification,
  type Vitest,
} from 'vitest/node'
import type { Reporter } from 'vitest/reporters'
import { type Chapter, ROOT } from './chapters.ts'
import { dealOut } from './deal-out.ts'
import { discard } from './discard.ts'
import { stateFolder } from './state.ts'
import { type EarlyEnd, WatchedPool } from './watchdog.ts'

/** A chapter's tests on one version of its code. */
export interface Variant {
  /** Unique in a run. */
  id: string
  chapter: Chapter
  /** Import conditions such as `mine-01`: whose code the tests see. Without any, the reference. */
  conditions: string[]
  /** Texts to run in place of files, by absolute path. */
  overlay?: Map<string, string>
  /** The test files to run, by absolute path; all of the chapter where it is left out. */
  testFiles?: string[]
}

/**
 * One test's outcome. `hung`: it blocked its process and was stopped. `crashed`: its process ended in the middle of it.
 * `lost`: its process ended before it could run.
 */
export type Outcome = 'passed' | 'failed' | 'hung' | 'crashed' | 'lost'

export interface TestReport {
  /** The task that the test belongs to; undefined for a test of what is given. */
  task: number | undefined
  /** The test's own name, unique in its chapter. */
  sentence: string
  /** Absolute path and line of the test; line 1 in a run without `locations`. */
  file: string
  line: number
  outcome: Outcome
  /** Whether it is red because a blank is still blank. */
  open: boolean
  errors: TestProblem[]
  /** What the code printed while the test ran. */
  printed: string
}

export interface TestProblem {
  name: string
  message: string
  /** What differs, as unified text with `-` and `+`, where the assertion has it. */
  diff: string | undefined
  /** Frames inside the workshop's chapters, innermost first. */
  frames: Array<{ file: string; line: number; column: number }>
}

export interface VariantReport {
  variant: Variant
  tests: TestReport[]
  /** Test files that could not be loaded: a syntax error, a failed import, an endless loop at the top of a module. */
  broken: Array<{ file: string; problem: TestProblem }>
  /** Errors that no test was waiting for: an unhandled rejection, a callback that threw. */
  stray: TestProblem[]
}

export interface RunnerOptions {
  /** Called once for each test as it ends. */
  onTest?: (variant: Variant, test: TestReport) => void
  /** Milliseconds a test may take. */
  testTimeout?: number
  /** Keep the next run's process ready: for a watcher, which runs again and again. */
  warm?: boolean
  /** How many variants run at a time. Twice as many as there are processors unless you say otherwise: tests often wait. */
  lanes?: number
  /** Tell in which line each test stands. To find that out is a twentieth of a run's work. */
  locations?: boolean
}

const NO_TESTS = 'The file has no tests.'
const WHILE_LOADING = {
  hung: 'Importing your code never comes to an end, or this machine has too much else to do.',
  crashed: 'Importing your code ends the process.',
}

const SERVER_CONDITIONS = ['module', 'node', 'development|production']

/**
 * Runs variants of chapters, on demand and more than once. Close it when you are done.
 * Each variant has one process, and several run at a time, each in a lane of its own: in a single Vitest with several
 * workers, nearly every test file would get a process to itself.
 */
export class TestRunner {
  readonly #lanes: Lane[]
  readonly #variants: Variant[]
  readonly #state: RunState
  readonly #pools: Map<string, WatchedPool>
  readonly #folder: string

  private constructor(variants: Variant[], { lanes, state, pools, folder }: RunnerParts) {
    this.#variants = variants
    this.#lanes = lanes
    this.#state = state
    this.#pools = pools
    this.#folder = folder
  }

  static async create(
    variants: Variant[],
    {
      onTest,
      testTimeout = 5000,
      warm = false,
      lanes: count = 2 * availableParallelism(),
      locations = true,
    }: RunnerOptions = {},
  ): Promise<TestRunner> {
    const folder = mkdtempSync(join(tmpdir(), 'workshop-run-'))
    const state: RunState = { earlyEnds: new Map(), printed: new Map() }
    const byId = new Map(variants.map((v) => [v.id, v]))
    const limit = testTimeout + 2000
    const pools = new Map(
      variants.map(({ id }) => [
        id,
        new WatchedPool(mkdtempSync(join(folder, 'trace-')), warm, {
          limit,
          onEarlyEnd: (end) => state.earlyEnds.set(`${id} ${end.file}`, end),
        }),
      ]),
    )
    const moduleKey = moduleKeys()
    const toProject = (variant: Variant) => ({
      root: ROOT,
      plugins: [overlayPlugin(variant, moduleKey)],
      resolve: { conditions: [...variant.conditions, ...SERVER_CONDITIONS] },
      ssr: { resolve: { conditions: [...variant.conditions, ...SERVER_CONDITIONS] } },
      test: {
        name: variant.id,
        include: variant.testFiles ?? [`chapters/${variant.chapter.name}/tests/**/*.test.ts`],
        setupFiles: [fileURLToPath(new URL('./worker-setup.ts', import.meta.url))],
        testTimeout,
        hookTimeout: testTimeout,
        env: codeUnderTest(variant, folder),
        includeTaskLocation: locations,
        isolate: false,
        pool: pools.get(variant.id),
      },
    })
    const reporter: Reporter = {
      onTestCaseResult(test) {
        onTest?.(byId.get(test.project.name)!, describeTest(test, state))
      },
      onUserConsoleLog(log) {
        if (log.taskId) state.printed.set(log.taskId, (state.printed.get(log.taskId) ?? '') + log.content)
      },
    }
    const lanes = await Promise.all(
      dealOut(variants, count).map(async (dealt) => {
        const vitest = await createVitest(
          'test',
          {
            root: ROOT,
            config: false,
            watch: false,
            maxWorkers: 1,
            experimental: { fsModuleCache: true, fsModuleCachePath: join(stateFolder(), 'modules') },
            sequence: { sequencer: OneVariantAfterTheOther },
            reporters: [reporter],
            projects: dealt.map(toProject),
          },
          { logLevel: 'silent', clearScreen: false },
          { stdout: discard(), stderr: discard() },
        )
        await vitest.standalone()
        return { vitest }
      }),
    )
    return new TestRunner(variants, { lanes, state, pools, folder })
  }

  /** Runs the tests of all variants, or of those named. `changed`: files that are no longer what they were. */
  async run({ ids, changed = [] }: { ids?: string[]; changed?: string[] } = {}): Promise<VariantReport[]> {
    this.#state.earlyEnds.clear()
    this.#state.printed.clear()
    const wanted = (id: string) => !ids || ids.includes(id)
    const results = await Promise.all(
      this.#lanes.map(async (lane) => {
        for (const path of changed) lane.vitest.invalidateFile(path)
        lane.specifications ??= await lane.vitest.globTestSpecifications()
        return runEach(
          lane.vitest,
          lane.specifications.filter(({ project }) => wanted(project.name)),
          this.#state,
        )
      }),
    )
    // A later run of the same Vitest tells again what the earlier ones told.
    const modules = new Map(results.flat().flatMap(({ testModules }) => testModules.map((m) => [fileOf(m), m])))
    const unhandled = new Set(results.flat().flatMap(({ unhandledErrors }) => unhandledErrors as VitestError[]))
    return this.#variants
      .filter(({ id }) => wanted(id))
      .map((variant) =>
        this.#report(
          variant,
          [...modules.values()].filter(({ project }) => project.name === variant.id),
          [...unhandled],
        ),
      )
  }

  /** Call it after a run, when there is time: starts the processes that the next run will use. */
  async prepareNext(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.prepareNext()))
  }

  /** Stops what is running. */
  async cancel(): Promise<void> {
    await Promise.all(this.#lanes.map(({ vitest }) => vitest.cancelCurrentRun('keyboard-input')))
  }

  /** For whoever ends this process in the middle of a run: ends all others at once. Nothing that was begun comes back. */
  abandon(): void {
    for (const pool of this.#pools.values()) pool.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async close(): Promise<void> {
    await Promise.all([
      ...this.#lanes.map(({ vitest }) => vitest.close()),
      ...[...this.#pools.values()].map((pool) => pool.close()),
    ])
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #report(variant: Variant, modules: readonly TestModule[], unhandled: VitestError[]): VariantReport {
    const report: VariantReport = { variant, tests: [], broken: [], stray: strayErrors(variant, unhandled) }
    for (const module of modules) {
      const tests = [...module.children.allTests()].map((test) => describeTest(test, this.#state))
      report.tests.push(...tests)
      if (tests.length > 0) continue
      const end = this.#state.earlyEnds.get(fileOf(module))
      const problem = toProblem(
        end ? { message: WHILE_LOADING[end.how] } : (module.errors()[0] ?? { message: NO_TESTS }),
      )
      report.broken.push({ file: module.moduleId, problem })
    }
    return report
  }
}

/** One Vitest, which runs its variants one by one. */
interface Lane {
  vitest: Vitest
  specifications?: TestSpecification[]
}

interface RunnerParts {
  lanes: Lane[]
  state: RunState
  pools: Map<string, WatchedPool>
  folder: string
}

interface RunState {
  /** How a file's process ended before the file did, by variant and file. */
  earlyEnds: Map<string, EarlyEnd>
  /** Console output by Vitest's task id. */
  printed: Map<string, string>
}

/** Runs test files. Those that never had their turn, because the process had ended before, are run in another one. */
async function runEach(vitest: Vitest, files: TestSpecification[], state: RunState): Promise<TestRunResult[]> {
  if (files.length === 0) return []
  const result = await vitest.runTestSpecifications(files, true)
  const hadTheirTurn = new Set(result.testModules.filter((module) => hasNews(module, state)).map(fileOf))
  const left = files.filter((file) => !hadTheirTurn.has(fileOf(file)))
  return left.length < files.length ? [result, ...(await runEach(vitest, left, state))] : [result]
}

/** Whether anything is known of a test file: tests, an error, or how its process ended. */
function hasNews(module: TestModule, { earlyEnds }: RunState): boolean {
  return module.children.size > 0 || module.errors().length > 0 || earlyEnds.has(fileOf(module))
}

function fileOf({ project, moduleId }: TestModule | TestSpecification): string {
  return `${project.name} ${moduleId}`
}

/** Keeps a variant's files together: a process is used again only for the next file in line. */
class OneVariantAfterTheOther extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const places = new Map(sorted.map(({ project }, place) => [project, place]))
    return sorted.sort((a, b) => places.get(a.project)! - places.get(b.project)!)
  }
}

function describeTest(test: TestCase, state: RunState): TestReport {
  const result = test.result()
  const end = state.earlyEnds.get(fileOf(test.module))
  const outcome: Outcome =
    result.state === 'passed' || result.state === 'failed' ? result.state : end?.test === test.name ? end.how : 'lost'
  const errors = (result.errors ?? []).map(toProblem)
  const task = /^task (\d+)/.exec(test.fullName)
  return {
    task: task ? Number(task[1]) : undefined,
    sentence: test.name,
    file: test.module.moduleId,
    line: test.location?.line ?? 1,
    outcome,
    // A blank's TODO may have been caught on the way, and stand in the result that was compared.
    open: errors.some(({ message, diff }) => `${message}${diff ?? ''}`.includes('TODO(task ')),
    errors,
    printed: state.printed.get(test.id) ?? '',
  }
}

/** The unhandled errors of a chapter's test files. Vitest notes with each in which file it came up. */
function strayErrors({ chapter }: Variant, errors: VitestError[]): TestProblem[] {
  return errors.filter(({ VITEST_TEST_PATH: path }) => path?.startsWith(chapter.path)).map(toProblem)
}

interface VitestError {
  VITEST_TEST_PATH?: string
  name?: string
  message: string
  stack?: string
  diff?: string
  stacks?: Array<{ file: string; line: number; column: number }>
}

function toProblem(error: VitestError): TestProblem {
  const frames = (error.stacks ?? framesOf(error.stack ?? '')).filter(({ file }) => /[\\/]chapters[\\/]/.test(file))
  return {
    name: error.name ?? 'Error',
    message: String(error.message ?? 'something that is no Error was thrown'),
    diff: error.diff,
    frames,
  }
}

/** The frames of a stack as text: Vitest takes apart only those of errors that a test was waiting for. */
function framesOf(stack: string): TestProblem['frames'] {
  return [...stack.matchAll(/^\s*at (?:.*? \()?(.+?):(\d+):(\d+)\)?$/gm)].map(([, file, line, column]) => ({
    file: file.startsWith('file:') ? fileURLToPath(file) : file,
    line: Number(line),
    column: Number(column),
  }))
}

/** Tells tests that read code as text (type tests) which code they are about. */
function codeUnderTest({ conditions, overlay }: Variant, folder: string): Record<string, string> {
  const env: Record<string, string> = { WORKSHOP_CONDITIONS: conditions.join(' ') }
  if (!overlay) return env
  const path = join(mkdtempSync(join(folder, 'overlay-')), 'overlay.json')
  writeFileSync(path, JSON.stringify(Object.fromEntries(overlay)))
  return { ...env, WORKSHOP_OVERLAY: path }
}

/** The key of a module in Vitest's cache, beside what Vitest itself puts there; false keeps the module out of it. */
type ModuleKey = (context: CacheKeyContext) => string | false

interface CacheKeyContext {
  environment: Environment
  id: string
}

const OVERLAY = 'workshop-overlay'

/** Serves the overlay's texts in place of the files. */
function overlayPlugin({ overlay }: Variant, moduleKey: ModuleKey): Plugin {
  return {
    name: OVERLAY,
    enforce: 'pre',
    load: (id) => overlay?.get(id),
    api: { overlay },
    // Called for projects only, never for the lane around them. Vitest asks every function that it was given here for
    // every module of every project, each function once.
    configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) => defineKey(moduleKey),
  }
}

/**
 * Keeps Vitest from knowing an overlaid file by its text on the disk, or any file by imports that meant something else:
 * what they mean stands in package.json.
 */
function moduleKeys(): ModuleKey {
  const meaning = readFileSync(join(ROOT, 'package.json'), 'utf8')
  return ({ environment, id }) => {
    const plugin = environment.config.plugins.find(({ name }) => name === OVERLAY)
    return plugin?.api.overlay?.has(id) ? false : meaning
  }
}
