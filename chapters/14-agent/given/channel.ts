/** Hands on what is pushed, in order, to the one who reads. Whoever pushes never waits. */
export class Channel<T> {
  #items: T[] = []
  #isClosed = false
  #wake = () => {}

  readonly push = (item: T): void => {
    this.#items.push(item)
    this.#wake()
  }

  /** Nothing more will come. */
  readonly close = (): void => {
    this.#isClosed = true
    this.#wake()
  }

  /** Yields what was pushed and what will be, and ends when the channel is closed and empty. */
  async *read(): AsyncGenerator<T, void> {
    while (true) {
      yield* this.#items.splice(0)
      if (this.#items.length > 0) continue
      if (this.#isClosed) return
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
  }
}
