import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { ReadFileRecord } from '#05-build-tool/tool.ts'

/** Where a tool's work goes. */
export interface Target {
  /** The path as the model wrote it. */
  shown: string
  /** The absolute path, with all links followed. What is not there yet has its place behind the folder that is. */
  path: string
}

/** A file's bytes, and what goes into the record of them. */
export interface Snapshot {
  bytes: Buffer
  record: Required<ReadFileRecord>
  /** How many other names (hard links) the file has. */
  otherNames: number
}

/** How many links may lead from one to the next. */
const MAX_LINKS = 40

/** Says where a path leads. Throws an Error that names it when it is no path, or its links go in a circle. */
export async function toTarget(cwd: string, shown: string): Promise<Target> {
  if (shown.trim() === '') throw new Error('The path is empty. Give the path of a file.')
  if (shown.includes('\0')) throw new Error(`${JSON.stringify(shown)} is no path: it has a NUL byte.`)
  return { shown, path: await follow(resolve(cwd, shown), shown, MAX_LINKS) }
}

async function follow(path: string, shown: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ELOOP' || linksLeft === 0) throw new Error(`The links of ${shown} go in a circle.`)
    if (code === 'ENOTDIR') throw new Error(`${shown} leads through a file as if it were a folder.`)
    if (code === 'ENAMETOOLONG') throw new Error(`${shown} is too long for a path.`)
    if (code !== 'ENOENT' || dirname(path) === path) throw error
  }
  // A link to nothing: writing to it makes what it leads to.
  const isLink = await lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  )
  if (isLink) return follow(resolve(await realpath(dirname(path)), await readlink(path)), shown, linksLeft - 1)
  return join(await follow(dirname(path), shown, linksLeft), basename(path))
}

/** A sentence that names a file with nearly the same name in the same folder, or nothing. */
export async function suggestName({ path, shown }: Target): Promise<string> {
  const names = await readdir(dirname(path)).catch(() => [])
  const wanted = basename(path).toLowerCase()
  const stem = (name: string) => basename(name, extname(name)).toLowerCase()
  const near = names
    .map((name) => ({ name, steps: stem(name) === stem(wanted) ? 1 : distance(name.toLowerCase(), wanted) }))
    .filter(({ name, steps }) => steps <= Math.max(1, Math.floor(name.length / 4)))
    .sort((a, b) => a.steps - b.steps)
  return near[0] ? ` Did you mean ${join(dirname(shown), near[0].name)}?` : ''
}

/** How many letters have to be put in, left out or changed to turn one word into the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[to.length]
}
