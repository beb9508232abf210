import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isPlaced, placeOf, realRoot } from './places.ts'
import type { PathWorld } from './types.ts'

/**
 * Whether git in this folder would use a repository of its own, below the workspace's: its settings may run programs, and
 * came with whatever else lies there. A folder that looks like a bare repository is one to git.
 */
export function isOtherRepository(folder: string, world: PathWorld): boolean {
  const place = placeOf(folder, world)
  if (!isPlaced(place)) return true
  const roots = world.roots.map((root) => realRoot(root, world))
  for (let at = place.real; !roots.includes(at); at = dirname(at)) {
    if (existsSync(join(at, '.git')) || (existsSync(join(at, 'HEAD')) && existsSync(join(at, 'objects')))) return true
    if (at === dirname(at)) return true
  }
  return false
}
