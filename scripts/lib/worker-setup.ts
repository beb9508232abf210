import { appendFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { beforeEach } from 'vitest'
import { TRACE_VARIABLE } from './trace-variable.ts'

// A process that lives for a second or two gains nothing from optimized code, least of all of the Bash grammar's
// WebAssembly: without it, a run of all chapters takes a sixth less processor time. V8 ignores a flag that it doesn't know.
for (const flag of ['--interrupt-budget=1320000', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'])
  setFlagsFromString(flag)

// Written at once, before the test can block the thread: the watchdog reads which test it was.
const trace = process.env[TRACE_VARIABLE]
if (trace)
  beforeEach(({ task }) => appendFileSync(trace, `${JSON.stringify({ file: task.file.filepath, test: task.name })}\n`))
