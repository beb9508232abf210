import { clearStatus, showStatus } from '../status-line.ts'

const CELLS = 24

/** A line that shows how many submissions are marked and which ones are at work. Where there is no terminal it shows nothing. */
export class ProgressBar {
  readonly #total: number
  /** By name: one that runs again is marked once. */
  readonly #marked = new Set<string>()
  readonly #running = new Set<string>()

  constructor(total: number) {
    this.#total = total
    this.#draw()
  }

  /** Takes note of what became of a submission. */
  step = (name: string, state: 'begun' | 'marked'): void => {
    if (state === 'begun') this.#running.add(name)
    else if (this.#running.delete(name)) this.#marked.add(name)
    this.#draw()
  }

  /** Takes the line away. */
  clear(): void {
    clearStatus()
  }

  #draw(): void {
    showStatus(barLine(this.#marked.size, this.#total, [...this.#running]))
  }
}

/** `████░░░░ 3/12  ada, bob` */
export function barLine(marked: number, total: number, running: string[]): string {
  const full = total === 0 ? CELLS : Math.floor((marked / total) * CELLS)
  return `${'█'.repeat(full)}${'░'.repeat(CELLS - full)} ${marked}/${total}  ${running.join(', ')}`
}
