import type { Bar } from './timeline.ts'

/** A record of the Chrome trace-event format: `X` is something that took time, `M` names a process or a thread. */
export interface TraceEvent {
  name: string
  ph: 'X' | 'M'
  /** In microseconds. */
  ts: number
  /** In microseconds. */
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

/**
 * Timelines as one file that https://ui.perfetto.dev and chrome://tracing open: `JSON.stringify` it. Each timeline is a
 * process of its own. Calls that run at the same time are on different threads, since a viewer draws what overlaps on one
 * thread as nested. A call that never ran, or still runs, is left out.
 */
export function toTrace(timelines: Record<string, readonly Bar[]>): Trace {
  const traceEvents = Object.entries(timelines).flatMap(([name, bars], index) => {
    const pid = index + 1
    const named: TraceEvent = { name: 'process_name', ph: 'M', ts: 0, pid, tid: 0, args: { name } }
    return [named, ...eventsOf(bars, pid)]
  })
  return { traceEvents, displayTimeUnit: 'ms' }
}

function eventsOf(bars: readonly Bar[], pid: number): TraceEvent[] {
  /** When each thread is free again. */
  const freeAt: number[] = []
  return bars.flatMap(({ name, id, isSafe, queued, started, answered, isError = false }) => {
    if (started === undefined || answered === undefined) return []
    const free = freeAt.findIndex((at) => at <= started)
    const thread = free === -1 ? freeAt.length : free
    freeAt[thread] = answered
    const args = { id, isSafe, isError, waitedMs: started - queued }
    const [ts, dur] = [toMicros(started), toMicros(answered) - toMicros(started)]
    return [{ name, ph: 'X' as const, ts, dur, pid, tid: thread + 1, cat: 'tool', args }]
  })
}

function toMicros(ms: number): number {
  return Math.round(ms * 1000)
}
