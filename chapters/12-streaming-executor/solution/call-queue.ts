import type Anthropic from '@anthropic-ai/sdk'
import { Fifo } from '../given/fifo.ts'
import type { ExecutorOptions, QueuedCall } from '../given/types.ts'

/** Knows which calls wait and which run, and what may start. It starts nothing itself. */
export class CallQueue {
  readonly #isSafe: ExecutorOptions['isSafe']
  readonly #maxParallel: number
  readonly #waiting = new Fifo<QueuedCall>()
  readonly #running = new Set<QueuedCall>()
  #added = 0

  /** Throws a RangeError when `maxParallel` is no whole number from 1 on. `Infinity` is no limit. */
  constructor({ isSafe, maxParallel = 10 }: Pick<ExecutorOptions, 'isSafe' | 'maxParallel'>) {
    if (!(maxParallel >= 1) || (maxParallel !== Number.POSITIVE_INFINITY && !Number.isInteger(maxParallel))) {
      throw new RangeError(`maxParallel must be a whole number from 1 on, or Infinity, got ${maxParallel}.`)
    }
    this.#isSafe = isSafe
    this.#maxParallel = maxParallel
  }

  /**
   * Puts a call at the end of the queue and returns it: `queued`, with the block and the message as they came.
   *
   * - Its place is the number of calls that were added before. The block's id plays no part: two calls may share one.
   * - It is safe only where `isSafe` says `true`. The predicate is asked once, now. One that throws, or gives anything
   *   else (a promise, say), means that the call is not safe, and the promise's rejection is caught.
   */
  addTool(block: Anthropic.ToolUseBlock, message: Anthropic.Message): QueuedCall {
    // #region task 1: Make the entry, ask once whether it is safe, and put it behind all others.
    const call: QueuedCall = {
      place: this.#added++,
      block,
      message,
      isSafe: this.#askIfSafe(block),
      state: 'queued',
    }
    this.#waiting.push(call)
    return call
    // #endregion
  }

  /** The predicate's answer, where it is `true` or `false`. Everything else is a no, and it never throws. */
  #askIfSafe(block: Anthropic.ToolUseBlock): boolean {
    // #region task 1: Only a plain yes is a yes.
    try {
      const answer: unknown = this.#isSafe(block)
      if (typeof answer !== 'boolean') Promise.resolve(answer).catch(() => {})
      return answer === true
    } catch {
      return false
    }
    // #endregion
  }

  /**
   * May this call start now? That is so when it is the first of those that wait, and
   *
   * - nothing runs, or
   * - it is safe, all that run are safe, and fewer than `maxParallel` run.
   *
   * It costs the same however many calls wait or run: it does not ask each of them, and `startNext` moves none of them.
   */
  canExecuteTool(call: QueuedCall): boolean {
    // #region task 2: Nobody overtakes, an unsafe call is alone, and safe ones are together up to the limit.
    if (call !== this.#waiting.first) return false
    if (this.#running.size === 0) return true
    const [anyRunning] = this.#running // an unsafe one has no company, so one of them speaks for all
    return call.isSafe && anyRunning.isSafe && this.#running.size < this.#maxParallel
    // #endregion
  }

  /** Takes the first call out of the queue and makes it `running`, if it may start. Else returns undefined. */
  startNext(): QueuedCall | undefined {
    // #region task 2: Start the first of those that wait, if it may.
    const call = this.#waiting.first
    if (!call || !this.canExecuteTool(call)) return undefined
    this.#waiting.shift()
    this.#running.add(call)
    call.state = 'running'
    return call
    // #endregion
  }

  /**
   * The call is over: it is `answered`, and takes no room any more. It may have been running, or have been taken out of
   * the queue and never have run.
   */
  finish(call: QueuedCall): void {
    // #region task 2: Make room.
    this.#running.delete(call)
    call.state = 'answered'
    // #endregion
  }

  /** Empties the queue: those that wait, in order. They are still `queued`, and will not start. */
  takeWaiting(): QueuedCall[] {
    return this.#waiting.takeAll()
  }
}
