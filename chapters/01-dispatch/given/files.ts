import { stat } from 'node:fs/promises'

/**
 * Makes sure that reading `path` comes to an end: a folder cannot be read, and a pipe or a device may never finish.
 * Throws an Error that says what the path is when it is anything but a regular file. `shown` is the path as the model
 * wrote it.
 */
export async function assertRegularFile(path: string, shown: string): Promise<void> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`${shown} does not exist.`) : error
  })
  if (stats.isDirectory()) throw new Error(`${shown} is a directory, not a file. List it with bash: ls ${shown}`)
  if (!stats.isFile()) throw new Error(`${shown} is not a regular file (a pipe, a socket or a device).`)
}

/** Every position at which `part` stands in `bytes`, overlapping ones included. `part` must not be empty. */
export function positionsOf(bytes: Buffer, part: Buffer): number[] {
  const positions: number[] = []
  for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, at + 1)) positions.push(at)
  return positions
}
