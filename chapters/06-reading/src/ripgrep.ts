import { spawn } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'

/** How much of rg's complaints is kept, in UTF-16 code units. */
const MAX_COMPLAINTS = 4000

export interface RipgrepOptions {
  /** The folder that rg is started in. */
  cwd: string
  signal: AbortSignal
  /** What a record of the output ends with: `\n`, or `\0` where paths are listed. */
  separator: '\n' | '\0'
  /**
   * Gets each record, without its separator, as it comes. When it returns false there is enough: it is not called
   * again. The same goes for when it throws.
   */
  onRecord(record: string): boolean
}

export interface RipgrepEnd {
  /** Whether rg was stopped because there was enough. */
  isStopped: boolean
  /** What could not be searched, in rg's words, cut after MAX_COMPLAINTS. Empty when all was. */
  problems: string
}

/**
 * Runs ripgrep with these arguments and hands out its output, record by record.
 *
 * - No shell, nothing to read on stdin, and no configuration of the user's (`--no-config`).
 * - Exit code 1, nothing found, is no error.
 * - Exit code 2 is one: it throws an Error with rg's words, unless every one of them is about a file that could not be
 *   read. Then what was found counts, and `problems` says the rest.
 * - When there is enough, rg is ended. What it has printed meanwhile is dropped, and how it ended is no matter.
 * - When `onRecord` throws, rg is ended and what it threw is thrown from here: never inside an event, where nobody can
 *   catch it.
 * - When the signal is aborted, rg is ended and the signal's reason thrown.
 * - Whatever happens: once it returns or throws, rg has ended. Of the output it holds no more than the piece that
 *   has come and one record, and of the complaints no more than MAX_COMPLAINTS.
 */
export async function ripgrep(args: string[], options: RipgrepOptions): Promise<RipgrepEnd> {
  const { cwd, signal, separator, onRecord } = options
  // TODO(task 4): Start rg, hand out its records as they come, and tell how it ended.
  throw new Error('TODO(task 4): ripgrep')
}

/** Whether every complaint is about a file or folder that could not be read. The last one may be cut off. */
function isAboutFiles(complaints: string): boolean {
  const lines = complaints.split('\n')
  if (complaints.length === MAX_COMPLAINTS) lines.pop()
  const whole = lines.filter((line) => line !== '')
  return whole.length > 0 && whole.every((line) => /\(os error \d+\)/.test(line))
}
