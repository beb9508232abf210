import type { Bar } from './timeline.ts'

/** A record of the Chrome trace-event format: `X` is something that took time, `M` names a process or a thread. */
export interface TraceEvent {
  name: string
  ph: 'X' | 'M'
  /** In microseconds. */
  ts: number
  /** In microseconds, 0 or more. An `X` has one, an `M` has none. */
  dur?: number
  pid: number
  tid: number
  cat?: string
  args: Record<string, unknown>
}

export interface Trace {
  traceEvents: TraceEvent[]
  displayTimeUnit: 'ms'
}

/** When a call ran, in microseconds. */
interface Span {
  bar: Bar
  ts: number
  dur: number
  waitedMs: number
}

/**
 * Timelines as one file that https://ui.perfetto.dev and chrome://tracing open: `JSON.stringify` it. Each timeline is a
 * process. Calls that run at the same time are on different threads, since what overlaps on one thread must be nested: a
 * viewer drops it or draws it wrong. A call that never ran, or still runs, is left out.
 *
 * No number is used for two processes or threads, since Perfetto looks up the thread to name by its `tid` alone.
 */
export function toTrace(timelines: Record<string, readonly Bar[]>): Trace {
  let lastId = 0
  const traceEvents: TraceEvent[] = []
  for (const [timeline, bars] of Object.entries(timelines)) {
    const pid = ++lastId
    traceEvents.push({ name: 'process_name', ph: 'M', ts: 0, pid, tid: pid, args: { name: timeline } })
    for (const [index, spans] of threadsOf(bars).entries()) {
      const tid = ++lastId
      traceEvents.push({ name: 'thread_name', ph: 'M', ts: 0, pid, tid, args: { name: `lane ${index + 1}` } })
      for (const { bar, ts, dur, waitedMs } of spans) {
        const { name, id, isSafe, isError = false } = bar
        const args = { id, isSafe, isError, waitedMs }
        traceEvents.push({ name, ph: 'X', ts, dur, pid, tid, cat: 'tool', args })
      }
    }
  }
  return { traceEvents, displayTimeUnit: 'ms' }
}

/** What ran, on as few threads as it takes: each begins where the one before it on its thread has ended. */
function threadsOf(bars: readonly Bar[]): Span[][] {
  const threads: Span[][] = []
  for (const bar of bars) {
    if (bar.started === undefined || bar.answered === undefined) continue
    const ts = toMicros(bar.started)
    const span = { bar, ts, dur: Math.max(0, toMicros(bar.answered) - ts), waitedMs: bar.started - bar.queued }
    const free = threads.find((spans) => {
      const last = spans.at(-1)!
      return last.ts < ts && last.ts + last.dur <= ts // two that begin together would be nested
    })
    if (free) free.push(span)
    else threads.push([span])
  }
  return threads
}

function toMicros(ms: number): number {
  return Math.round(ms * 1000)
}
