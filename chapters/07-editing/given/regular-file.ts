import type { Stats } from 'node:fs'

/** An edit holds a file in memory several times over. 32 MiB: far beyond any source file. */
const MAX_BYTES = 32 * 1024 * 1024

/** Throws an Error that says why the file named `shown` cannot be edited, if so: it is no regular file, or too large. */
export function assertEditable(stats: Stats, shown: string): void {
  if (stats.isDirectory()) throw new Error(`${shown} is a directory, not a file. Name a file in it.`)
  if (!stats.isFile()) throw new Error(`${shown} is not a regular file (a pipe, a socket or a device).`)
  if (stats.size > MAX_BYTES) {
    throw new Error(
      `${shown} has ${stats.size} bytes, too many to edit (at most ${MAX_BYTES}). Use a command such as sed.`,
    )
  }
}
