/** How a command came to its end. Only exit code 0 is a success. */
export type Ending =
  | { type: 'exited'; code: number }
  /** A signal ended the shell, and it was not ours. */
  | { type: 'killed'; signal: NodeJS.Signals }
  /** It ran longer than `ms` milliseconds and was ended. */
  | { type: 'timed_out'; ms: number }
  /** Whoever asked for it changed their mind. */
  | { type: 'aborted' }

/** The ending in the words that the model reads. */
export function describeEnding(ending: Ending): string {
  switch (ending.type) {
    case 'exited':
      return `exit code ${ending.code}`
    case 'killed':
      return `killed by ${ending.signal}`
    case 'timed_out':
      return `timed out after ${ending.ms} ms and was killed. Ask for a longer timeout, or use run_in_background`
    case 'aborted':
      return 'aborted before it ended'
  }
}

/** What Node says of an exit. */
export function endingOf(code: number | null, signal: NodeJS.Signals | null): Ending {
  return signal ? { type: 'killed', signal } : { type: 'exited', code: code ?? 1 }
}
