import type Anthropic from '@anthropic-ai/sdk'
import { stoppedResult } from '../given/answers.ts'
import type {
  ExecutorEvent,
  ExecutorOptions,
  ProgressUpdate,
  QueuedCall,
  ResultUpdate,
  ToolUpdate,
} from '../given/types.ts'
import { CallQueue } from './call-queue.ts'
import { OrderedUpdates } from './ordered-updates.ts'
import { runToResult } from './run-call.ts'

export type * from '../given/types.ts'

/**
 * Runs the calls of one answer of the model while the model still speaks: as many at a time as is safe, and no call
 * before its turn. Every call that was added has one result, whatever happens.
 *
 * ```
 *   addTool ──▶ queued ──canExecuteTool──▶ running ──first result──▶ answered ──▶ results()
 *                 │                          │                          ▲          in call order
 *                 │                          ├─ throws, no result ──────┤
 *                 │                          └─ interrupt (if `cancel`) ┤
 *                 └──────────── interrupt, discard ─────────────────────┘
 * ```
 */
export class StreamingToolExecutor {
  readonly #options: ExecutorOptions
  readonly #queue: CallQueue
  readonly #updates = new OrderedUpdates()
  /** The calls that run, each with what aborts it. */
  readonly #running = new Map<QueuedCall, AbortController>()
  #stopped: 'interrupted' | 'discarded' | undefined

  /** Throws a RangeError when `maxParallel` is no whole number from 1 on. */
  constructor(options: ExecutorOptions) {
    this.#options = options
    this.#queue = new CallQueue(options)
  }

  /**
   * Adds a call, which starts as soon as it may: now, if it may now. After an interrupt or a discard it is not run, and
   * is answered at once. After `end` it is refused: an Error that names the call is thrown, since nobody would read its
   * result.
   */
  addTool(block: Anthropic.ToolUseBlock, message: Anthropic.Message): void {
    if (this.#updates.isEnded) throw new Error(`The call ${block.id} of ${block.name} was added after the end.`)
    const call = this.#queue.addTool(block, message)
    this.#updates.expectResult()
    this.#tell({ type: 'queued', call })
    if (this.#stopped) this.#answerWaiting(this.#stopped)
    this.#startWhatMay()
  }

  /** The model has said all that it says: no more calls will be added. */
  end(): void {
    this.#updates.end()
  }

  /**
   * Progress as it comes, and the results in call order. Ends after `end`, with the result of the last call. Each update
   * is read once: whoever stops, and calls it again, goes on from there.
   */
  results(): AsyncGenerator<ToolUpdate, void> {
    return this.#updates.read()
  }

  /**
   * The user has said something new. What waits is answered at once, as `stoppedResult` says, and not run. Of what runs, a
   * `cancel` call is answered at once and then aborted, whether it heeds that or not; a `block` call goes on to a result
   * of its own. `interruptBehavior` is asked now, about those that run; one that throws means `block`. After a discard it
   * changes nothing, nor in the middle of one: an observer may interrupt while a discard answers the calls.
   */
  interrupt(): void {
    // TODO(task 5): Answer what waits, and of what runs only that which may be cancelled.
    throw new Error('TODO(task 5): interrupt')
  }

  /**
   * Nobody wants the calls any more: the answer they stand in is thrown away. All that have no result are answered as
   * discarded, at once. Those that run are answered and then aborted, `block` or not; those that have their result are
   * not aborted. From then on nothing is run, and a call that is added is answered as discarded, also when an interrupt
   * has come before.
   */
  discard(): void {
    // TODO(task 5): Leave no call without a result, and none that runs unaborted.
    throw new Error('TODO(task 5): discard')
  }

  /** Starts one call after the other until none may start. */
  #startWhatMay(): void {
    for (let call = this.#queue.startNext(); call; call = this.#queue.startNext()) this.#start(call)
  }

  /**
   * Runs a call that the queue let go, with a controller of its own in `#running`, and answers it with what comes of it.
   * Progress goes out and is told as it comes.
   *
   * - It tells that the call is `started` before it runs it, and whoever is told may stop the calls. A call that has its
   *   answer by then is not run. One that has none is: an interrupt lets a `block` call go on, from its start.
   */
  #start(call: QueuedCall): void {
    // TODO(task 5): Tell it, run it, and answer it with its result.
    throw new Error('TODO(task 5): #start')
  }

  /**
   * Gives the call its result, unless it has one: it is finished for the queue, runs no more, and the result goes out.
   * When all that is done, it is told, so whoever is told may stop the calls or add one. Then those start that may: one,
   * several or none. It is the same for a call that never ran.
   */
  #answer(call: QueuedCall, result: ResultUpdate): void {
    // TODO(task 5): The first result counts. Then there is room.
    throw new Error('TODO(task 5): #answer')
  }

  /** Answers all that wait. An observer may discard them in the middle of an interrupt: that is the last word. */
  #answerWaiting(by: 'interrupted' | 'discarded'): void {
    for (const call of this.#queue.takeWaiting()) this.#answer(call, stoppedResult(call, this.#stopped ?? by))
  }

  /** Answers a call that runs, and only then aborts it: what it says to that comes too late. */
  #cancel(call: QueuedCall, by: 'interrupted' | 'discarded'): void {
    const controller = this.#running.get(call)
    this.#answer(call, stoppedResult(call, by))
    controller?.abort()
  }

  /** Only a plain `cancel` cancels: neither a promise of it nor an error does. */
  #isCancelled(call: QueuedCall): boolean {
    try {
      const answer: unknown = this.#options.interruptBehavior(call.block)
      if (typeof answer !== 'string') Promise.resolve(answer).catch(() => {})
      return answer === 'cancel'
    } catch {
      return false
    }
  }

  /** An observer that throws harms nobody, now or later. */
  #tell(event: ExecutorEvent): void {
    try {
      const outcome: unknown = this.#options.onEvent?.(event)
      if (outcome !== undefined) Promise.resolve(outcome).catch(() => {})
    } catch {
      // Whoever watches must not stop the calls.
    }
  }
}
