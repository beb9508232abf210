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
    // #region task 4: Let progress out at once.
    this.#ready.push(update)
    this.#wakeReaders()
    // #endregion
  }

  /**
   * The result of the call at `place` is there. It goes out when those of all earlier places have, and takes along the
   * ones after it that have waited for it. Over all calls, that costs as much as there are calls.
   */
  addResult(place: number, result: ResultUpdate): void {
    // #region task 4: Let out every result whose turn it is.
    this.#early.set(place, result)
    for (let next = this.#early.get(this.#nextPlace); next; next = this.#early.get(this.#nextPlace)) {
      this.#early.delete(this.#nextPlace++)
      this.#ready.push(next)
    }
    this.#wakeReaders()
    // #endregion
  }

  /**
   * Yields each update as soon as it may go out, and waits for the next. It ends once `end` was called and every expected
   * result was read.
   *
   * - It may be called before, while and after things happen. Each update is read once: whoever stops reading and calls
   *   it again goes on where the reading stopped, and two readers at a time share the updates between them.
   */
  async *read(): AsyncGenerator<ToolUpdate, void> {
    // #region task 4: Yield what is ready, and wait for more until there can be no more.
    while (true) {
      while (this.#ready.size > 0) yield this.#ready.shift()!
      if (this.#isEnded && this.#nextPlace === this.#expected) return
      await new Promise<void>((wake) => this.#readers.push(wake))
    }
    // #endregion
  }

  /** Wakes everybody who waits in `read`. */
  #wakeReaders(): void {
    for (const wake of this.#readers.splice(0)) wake()
  }
}
