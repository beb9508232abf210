import { appendFileSync } from 'node:fs'
import { TRACE_VARIABLE } from '../../scripts/lib/trace-variable.ts'

/** Tells the watchdog that this process waits and is not blocked: on a busy machine another program takes seconds. */
export function signOfLife(file: string): void {
  const trace = process.env[TRACE_VARIABLE]
  if (trace) appendFileSync(trace, `${JSON.stringify({ file })}\n`)
}
