import { Writable } from 'node:stream'

/** A stream for what Vitest would print: the workshop words its own reports. */
export function discard(): NodeJS.WriteStream {
  return new Writable({ write: (_chunk, _encoding, done) => done() }) as NodeJS.WriteStream
}
