import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isPlaced, type Place, placeOf } from './places.ts'
import type { PathWorld } from './types.ts'

/** How many names a look into a folder takes in. */
const MAX_NAMES = 5_000

/** All that lies in a folder, at whatever depth, also behind links; undefined where there is too much to look at. */
export function placesBelow(folder: Place, world: PathWorld): Place[] | undefined {
  const found: Place[] = []
  const seen = new Set<string>()
  const ahead = [folder]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    for (const entry of entriesIn(next.real, seen)) {
      const typed = join(next.typed, entry.name)
      const place = entry.isSymbolicLink() ? placeOf(typed, world) : { typed, real: join(next.real, entry.name) }
      if (!isPlaced(place)) continue
      if (found.push(place) > MAX_NAMES) return undefined
      if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(place.real))) ahead.push(place)
    }
  }
  return found
}

/** The names in a folder; none where it has been seen, or can't be read. */
function entriesIn(folder: string, seen: Set<string>) {
  try {
    const real = realpathSync(folder)
    if (seen.has(real)) return []
    seen.add(real)
    return readdirSync(real, { withFileTypes: true })
  } catch {
    return []
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
