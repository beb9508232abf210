import { stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileError, nameOfKind } from './files.ts'

/** Where a search is run, and how its paths are shown. */
export interface SearchTarget {
  /** The folder that ripgrep is started in: absolute. Its globs count from there. */
  folder: string
  /** What ripgrep is told to search: `.`, or `./name` for a single file. A `-` or an option can never come of it. */
  entry: string
  /** A path as ripgrep prints it, as one that counts from `cwd`, or an absolute one where it lies outside of it. */
  shown(printed: string): string
}

/** Throws an Error that names `path` when it does not exist, or is neither a folder nor a regular file. */
export async function searchTarget(cwd: string, path: string | undefined): Promise<SearchTarget> {
  const target = resolve(cwd, path ?? '.')
  const stats = await stat(target).catch((error) => {
    throw fileError(error, path ?? cwd)
  })
  if (!stats.isDirectory() && !stats.isFile()) throw new Error(`Cannot search ${path}: it is ${nameOfKind(stats)}.`)
  const folder = stats.isDirectory() ? target : dirname(target)
  const fromCwd = relative(cwd, folder)
  const isOutside = isAbsolute(fromCwd) || /^\.\.(?:[\\/]|$)/.test(fromCwd)
  return {
    folder,
    entry: stats.isDirectory() ? '.' : `./${basename(target)}`,
    shown: (printed) => join(isOutside ? folder : fromCwd, printed),
  }
}
