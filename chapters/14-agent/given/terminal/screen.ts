/** Where lines go: a terminal, or whatever stdout is. */
export interface Output {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/**
 * The lines that stay, and below them some that change: what goes on now. Without a terminal there are only those that
 * stay. A line that changes must not be wider than the screen: see `width`.
 */
export class Screen {
  readonly #out: Output
  #live: string[] = []
  /** How many lines below the log are on the screen. */
  #drawn = 0

  constructor(out: Output) {
    this.#out = out
  }

  get isTerminal(): boolean {
    return this.#out.isTTY === true
  }

  /**
   * How many columns there are to write in: never the last one, where some terminals break the line. Where there is no
   * terminal, nobody knows, and no line is broken.
   */
  get width(): number {
    if (!this.isTerminal) return Number.POSITIVE_INFINITY
    return Math.min(Math.max(this.#out.columns || 80, 21), 121) - 1
  }

  /** Lines that stay. */
  print(...lines: string[]): void {
    const text = lines.map((line) => `${line}\n`).join('')
    this.#out.write(`${this.#eraser()}${text}${this.#drawing()}`)
  }

  /** The lines below the log, in place of those that were there. */
  show(lines: string[]): void {
    if (!this.isTerminal) return
    if (lines.length === this.#live.length && lines.every((line, i) => line === this.#live[i])) return
    this.#live = lines
    this.#out.write(`${this.#eraser()}${this.#drawing()}`)
  }

  #eraser(): string {
    const eraser = this.#drawn > 0 ? `\x1b[${this.#drawn}A\r\x1b[J` : ''
    this.#drawn = 0
    return eraser
  }

  #drawing(): string {
    this.#drawn = this.#live.length
    return this.#live.map((line) => `${line}\n`).join('')
  }
}
