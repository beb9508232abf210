import { dirname } from 'node:path'
import type { Part } from './bash-parts.ts'
import { type FileUse, type Folders, removedFiles } from './file-commands.ts'
import { folded, isPlaced, placeOf } from './places.ts'
import type { PathWorld } from './types.ts'

/**
 * What a line would remove that nobody wants removed unasked, in words; undefined where there is nothing: the root of
 * the file system, a folder at its top, the home folder, the workspace, a folder that one of these lies in, all that is in one of
 * them, and whatever only the shell could name.
 */
export function criticalRemoval(
  parts: readonly Part[],
  { folders, unknown }: Folders,
  world: PathWorld,
): string | undefined {
  for (const file of parts.flatMap((part) => removedFiles(part, world))) {
    if (file.path === undefined) return `only the shell can tell what ${file.source} is that would be removed`
    if (unknown && !file.path.startsWith('/')) return `nobody can tell in which folder ${file.source} would be removed`
    if (folders.some((cwd) => isCritical(file, { ...world, cwd }))) return `it would remove ${file.source}`
  }
  return undefined
}

function isCritical({ path = '' }: FileUse, world: PathWorld): boolean {
  const place = placeOf(path.replace(/(^|\/)(?:\*+|\.\*|\.\[[^/]*|\.\?\?\*)$/, '$1') || '.', world, { physical: true })
  if (!isPlaced(place)) return true
  const kept = [world.home, world.cwd, ...world.roots].map((folder) => placeOf(folder, world)).filter(isPlaced)
  const all = kept
    .flatMap(({ typed, real }) => [typed, real])
    .flatMap(foldersAbove)
    .map((folder) => folded(folder, world))
  return [place.typed, place.real].some((target) => dirname(target) === '/' || all.includes(folded(target, world)))
}

/** The folder itself, and each that it lies in. */
function foldersAbove(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersAbove(above)]
}
