/** First in, first out. Unlike an array's `shift`, taking the first costs the same however many wait behind it. */
export class Fifo<T> {
  #items: T[] = []
  #taken = 0

  get size(): number {
    return this.#items.length - this.#taken
  }

  get first(): T | undefined {
    return this.#items[this.#taken]
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined
    const item = this.#items[this.#taken++]
    // What was taken is let go when it is half of the list, so each item is copied about once.
    if (this.#taken * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#taken)
      this.#taken = 0
    }
    return item
  }

  /** Takes all there is, in order. */
  takeAll(): T[] {
    const items = this.#items.slice(this.#taken)
    this.#items = []
    this.#taken = 0
    return items
  }
}
