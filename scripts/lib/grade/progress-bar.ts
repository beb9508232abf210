import pc from 'picocolors'

const CELLS = 24

/** A line that shows how many submissions are marked and which ones are at work. Where there is no terminal it shows nothing. */
export class ProgressBar {
  #marked = 0
  readonly #total: number
  readonly #running = new Set<string>()

  constructor(total: number) {
    this.#total = total
    this.#draw()
  }

  /** Takes note of what became of a submission. */
  step = (name: string, state: 'begun' | 'marked'): void => {
    if (state === 'begun') this.#running.add(name)
    else if (this.#running.delete(name)) this.#marked++
    this.#draw()
  }

  /** Takes the line away. */
  clear(): void {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K')
  }

  #draw(): void {
    if (!process.stdout.isTTY) return
    const line = barLine(this.#marked, this.#total, [...this.#running])
    process.stdout.write(`\r\x1b[2K${pc.dim(line.slice(0, (process.stdout.columns || 80) - 1))}`)
  }
}

/** `████░░░░ 3/12  ada, bob` */
export function barLine(marked: number, total: number, running: string[]): string {
  const full = total === 0 ? CELLS : Math.floor((marked / total) * CELLS)
  return `${'█'.repeat(full)}${'░'.repeat(CELLS - full)} ${marked}/${total}  ${running.join(', ')}`
}
