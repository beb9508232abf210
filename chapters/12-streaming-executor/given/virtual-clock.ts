/** A clock that nobody waits for: its time goes on when all there is to do waits for it. The same each time it runs. */
export class VirtualClock {
  #now = 0
  #sleepers: Array<{ until: number; wake: () => void }> = []

  /** In milliseconds since the clock was made. */
  readonly now = (): number => this.#now

  /** Resolves when `ms` milliseconds have gone by on this clock. */
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#sleepers.push({ until: this.#now + ms, wake }))
  }

  /** Lets the time go on until `work` is done, and gives what it gives. Throws when nobody sleeps and it is not done. */
  async runUntil<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const done = () => {
      isDone = true
    }
    work.then(done, done)
    while (true) {
      await new Promise(setImmediate) // by then, everything that does not wait for the clock has happened
      if (isDone) return work
      const until = Math.min(...this.#sleepers.map((sleeper) => sleeper.until))
      if (until === Number.POSITIVE_INFINITY) throw new Error('The work waits for something that is not on this clock.')
      this.#now = until
      const awake = this.#sleepers.filter((sleeper) => sleeper.until === until)
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.until !== until)
      for (const { wake } of awake) wake()
    }
  }
}
