import type { ChildProcess } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ForksPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from 'vitest/node'
import { TRACE_VARIABLE } from './trace-variable.ts'

/** Of the pool and its workers: Vitest uses a worker for a second file only where the two agree. */
const NAME = 'watched-forks'

/** How a process came to its end in the middle of a test file. */
export interface EarlyEnd {
  /** `hung`: it was killed, since one step of it took too long. `crashed`: it ended by itself. */
  how: 'hung' | 'crashed'
  /** The test file's absolute path. */
  file: string
  /** The sentence of the test that was running; undefined when the file was still being loaded. */
  test: string | undefined
}

/**
 * A Vitest worker that is killed when one test keeps it busy for longer than `limit` milliseconds.
 * Vitest's own time-out cannot end a loop without an `await`: its timer would have to run in the same thread.
 */
export class WatchedWorker extends ForksPoolWorker implements PoolWorker {
  override readonly name = NAME
  readonly #trace: string
  readonly #limit: number
  readonly #onEarlyEnd: (end: EarlyEnd) => void
  #watch: NodeJS.Timeout | undefined
  /** The test file that is being run. */
  #file: string | undefined
  #started: Promise<void> | undefined

  constructor(options: PoolOptions, trace: string, { limit, onEarlyEnd }: WatchOptions) {
    super(options)
    this.#trace = trace
    this.#limit = limit
    this.#onEarlyEnd = onEarlyEnd
    this.env = { ...this.env, [TRACE_VARIABLE]: trace }
  }

  /** Starts the process once: a spare worker is started before it is asked for. */
  override start(): Promise<void> {
    this.#started ??= super.start().then(() => {
      this.on('exit', () => this.#tellEarlyEnd('crashed'))
      this.on('message', (message: { type?: string }) => {
        if (message?.type === 'testfileFinished') this.#finish()
      })
    })
    return this.#started
  }

  /** Ends a process that was started and never used. */
  async discard(): Promise<void> {
    if (this.#started) await this.stop()
  }

  /** Ends the process at once. Whoever waits for it waits for ever. */
  kill(): void {
    // biome-ignore lint/complexity/useLiteralKeys: it is private to TypeScript, and stopping waits for what may never end
    const child: ChildProcess | undefined = this['_fork']
    child?.kill('SIGKILL')
  }

  override send(message: WorkerRequest): void {
    if (message.type === 'run') this.#watchFrom(message.context.files[0].filepath)
    super.send(message)
  }

  override async stop(): Promise<void> {
    this.#finish()
    await super.stop()
    rmSync(this.#trace, { force: true })
  }

  #watchFrom(file: string): void {
    const started = Date.now()
    this.#finish()
    this.#file = file
    this.#watch = setInterval(() => {
      const stepped = statSync(this.#trace, { throwIfNoEntry: false })?.mtimeMs ?? 0
      // Loading the code takes its time on a busy machine, and is rarely what never ends.
      const patience = stepped > started ? this.#limit : 3 * this.#limit
      if (Date.now() - Math.max(started, stepped) < patience) return
      this.#tellEarlyEnd('hung')
      void this.stop()
    }, 250)
    this.#watch.unref()
  }

  #finish(): void {
    clearInterval(this.#watch)
    this.#file = undefined
  }

  #tellEarlyEnd(how: EarlyEnd['how']): void {
    const file = this.#file
    this.#finish()
    if (file) this.#onEarlyEnd({ how, file, test: undefined, ...lastStep(this.#trace) })
  }
}

/** Hands out watched workers. A warm pool always has the next one started, so that a run need not wait for a process. */
export class WatchedPool {
  readonly name = NAME
  readonly #folder: string
  readonly #warm: boolean
  readonly #watch: WatchOptions
  #made = 0
  #spare: WatchedWorker | undefined
  /** The one that was handed out last. */
  #latest: WatchedWorker | undefined

  /** `folder` holds the traces: an existing, empty one. */
  constructor(folder: string, warm: boolean, watch: WatchOptions) {
    this.#folder = folder
    this.#warm = warm
    this.#watch = watch
  }

  createPoolWorker = (options: PoolOptions): WatchedWorker => {
    this.#latest = this.#spare ?? this.#make(options)
    this.#spare = this.#warm ? this.#make(options) : undefined
    return this.#latest
  }

  /** Starts the next worker's process, now that nothing else wants the processor. */
  async prepareNext(): Promise<void> {
    await this.#spare?.start()
  }

  /** Ends its processes at once, whatever they do. */
  kill(): void {
    this.#latest?.kill()
    this.#spare?.kill()
  }

  async close(): Promise<void> {
    await this.#spare?.discard()
  }

  #make(options: PoolOptions): WatchedWorker {
    return new WatchedWorker(options, join(this.#folder, `${this.#made++}`), this.#watch)
  }
}

export interface WatchOptions {
  /** Milliseconds without a step after which the worker is killed. */
  limit: number
  onEarlyEnd: (end: EarlyEnd) => void
}

/** The test that was entered last, from the lines that worker-setup.ts writes. */
function lastStep(trace: string): { file: string; test?: string } | undefined {
  if (!statSync(trace, { throwIfNoEntry: false })) return undefined
  return JSON.parse(readFileSync(trace, 'utf8').trimEnd().split('\n').at(-1)!)
}
