import { Fifo } from '../given/fifo.ts'
import type { ProgressUpdate, ResultUpdate, ToolUpdate } from '../given/types.ts'

/** What happened to the calls, in the order in which it goes out: progress at once, results in call order. */
export class OrderedUpdates {
  /** What may be read now. */
  readonly #ready = new Fifo<ToolUpdate>()
  /** Results, by place, that wait for the one of an earlier call. */
  readonly #early = new Map<number, ResultUpdate>()
  /** The place whose result goes out next. */
  #nextPlace = 0
  #expected = 0
  #isEnded = false
  #readers: Array<() => void> = []

  /** There is one more call: its result will come. */
  expectResult(): void {
    this.#expected++
  }

  /** No more calls will come. */
  end(): void {
    this.#isEnded = true
    this.#wakeReaders()
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Progress overtakes every result that waits. */
  addProgress(update: ProgressUpdate): void {
    // TODO(task 4): Let progress out at once.
    throw new Error('TODO(task 4): addProgress')
  }

  /**
   * The result of the call at `place` is there. It goes out when those of all earlier places have, and takes along the
   * ones after it that have waited for it. Over all calls, that costs as much as there are calls.
   */
  addResult(place: number, result: ResultUpdate): void {
    // TODO(task 4): Let out every result whose turn it is.
    throw new Error('TODO(task 4): addResult')
  }

  /**
   * Yields each update as soon as it may go out, and waits for the next. It ends once `end` was called and every expected
   * result was read.
   *
   * - It may be called before, while and after things happen. Each update is read once: whoever stops reading and calls
   *   it again goes on where the reading stopped, and two readers at a time share the updates between them.
   */
  async *read(): AsyncGenerator<ToolUpdate, void> {
    // TODO(task 4): Yield what is ready, and wait for more until there can be no more.
    throw new Error('TODO(task 4): read')
  }

  /** Wakes everybody who waits in `read`. */
  #wakeReaders(): void {
    for (const wake of this.#readers.splice(0)) wake()
  }
}
