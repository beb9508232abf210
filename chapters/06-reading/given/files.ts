import type { Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname } from 'node:path'

/** What a thing is that is no regular file, in words. Opening such a thing may wait for ever, or never end. */
export function nameOfKind(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a named pipe (FIFO)'
  if (stats.isSocket()) return 'a socket'
  if (stats.isCharacterDevice() || stats.isBlockDevice()) return 'a device'
  return 'no regular file'
}

const REASONS: Record<string, string> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is a file, not a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the path is too long',
  EISDIR: 'it is a directory',
  ERR_INVALID_ARG_VALUE: 'a path has no NUL bytes',
}

/** What the file system refused, as an Error that names the path as it was written. */
export function fileError(error: unknown, written: string): Error {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Error(`Cannot read ${JSON.stringify(written)}: ${REASONS[code] ?? message}.`)
}

/**
 * Names in the folder of `path`, a missing file, that look like the one that was asked for, best first, at most three:
 * the same but for upper and lower case, the same but for the extension, or a slip of two letters. Never throws.
 */
export async function nearNames(path: string): Promise<string[]> {
  const wanted = basename(path).toLowerCase()
  const names = await readdir(dirname(path)).catch(() => [])
  const scored = names.map((name) => {
    const lower = name.toLowerCase()
    const sameStem = basename(lower, extname(lower)) === basename(wanted, extname(wanted))
    return { name, score: sameStem && lower !== wanted ? 1 : editDistance(lower, wanted) }
  })
  return scored
    .filter(({ score }) => score <= Math.min(2, wanted.length / 3))
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}

/** How many letters must be put in, taken out or changed to make `a` of `b`. Above 2 it is only said to be above 2. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, row[j] + 1, next[j - 1] + 1))
    }
    row = next
  }
  return row[b.length]
}
