import { clearStatus, showStatus } from './status-line.ts'

/** One line that shows that work goes on. Where there is no terminal it shows nothing. */
export class ProgressLine {
  #done = 0
  readonly #what: string

  constructor(what: string) {
    this.#what = what
    this.#draw()
  }

  /** Counts one piece of work. */
  step = (): void => {
    this.#done++
    this.#draw()
  }

  /** Takes the line away. */
  clear(): void {
    clearStatus()
  }

  #draw(): void {
    showStatus(`${this.#what} … ${this.#done || ''}`)
  }
}
