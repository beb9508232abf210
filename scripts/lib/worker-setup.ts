import { appendFileSync } from 'node:fs'
import { beforeEach } from 'vitest'
import { TRACE_VARIABLE } from './trace-variable.ts'

// Written at once, before the test can block the thread: the watchdog reads which test it was.
const trace = process.env[TRACE_VARIABLE]
if (trace)
  beforeEach(({ task }) => appendFileSync(trace, `${JSON.stringify({ file: task.file.filepath, test: task.name })}\n`))
