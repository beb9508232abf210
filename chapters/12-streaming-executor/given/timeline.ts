import type { ExecutorEvent } from './types.ts'

/** What became of one call, in milliseconds of the timeline's clock. */
export interface Bar {
  name: string
  id: string
  isSafe: boolean
  queued: number
  /** Missing: it was answered without having run. */
  started?: number
  /** Missing: it has no result yet. */
  answered?: number
  isError?: boolean
}

/** Keeps what ran when. Hand `record` to the executor as its `onEvent`. */
export class Timeline {
  readonly #now: () => number
  readonly #bars: Bar[] = []

  /** `now` gives milliseconds: `performance.now` unless you hand in another, such as a virtual clock's. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** One bar for each call, in call order. */
  get bars(): readonly Bar[] {
    return this.#bars
  }

  readonly record = (event: ExecutorEvent): void => {
    const { place, block, isSafe } = event.call
    if (event.type === 'queued') {
      this.#bars[place] = { name: block.name, id: block.id, isSafe, queued: this.#now() }
    } else if (event.type === 'started') {
      this.#bars[place].started = this.#now()
    } else if (event.type === 'answered') {
      this.#bars[place].answered = this.#now()
      this.#bars[place].isError = event.result.block.is_error === true
    }
  }
}

/**
 * The bars as lines of a terminal: `·` waits, `█` runs and is safe, `▓` runs alone, `✗` an error. `scale` is how many
 * milliseconds a column stands for. What has no result ends at the last moment that is known. No bars are no lines.
 */
export function drawTimeline(bars: readonly Bar[], { scale }: { scale: number }): string {
  if (bars.length === 0) return ''
  const begin = Math.min(...bars.map(({ queued }) => queued))
  const last = Math.max(...bars.map(({ queued, started, answered }) => answered ?? started ?? queued))
  const column = (ms: number) => Math.round((ms - begin) / scale)
  const width = Math.max(...bars.map(({ name }) => name.length))
  const lines = bars.map(({ name, isSafe, queued, started, answered = last, isError }) => {
    const waits = column(started ?? answered) - column(queued)
    const runs = started === undefined ? 0 : Math.max(1, column(answered) - column(started))
    const bar = ' '.repeat(column(queued)) + '·'.repeat(waits) + (isSafe ? '█' : '▓').repeat(runs)
    return `${name.padEnd(width)} │${bar}${isError ? '✗' : ''}`
  })
  return [...lines, `${' '.repeat(width)} └ ${last - begin} ms`].join('\n')
}
