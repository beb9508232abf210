import { readlinkSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import type { PathWorld } from './types.ts'

/** Where a path leads: as it is typed, and with all links followed. Both are absolute, without `.` and `..`. */
export interface Place {
  typed: string
  real: string
}

/** A path that nobody can place. `impossible`: no file can have it. */
export interface Unplaced {
  why: string
  impossible?: boolean
}

/** How many links one path may lead through. Linux allows as many. */
const MAX_LINKS = 40

/**
 * Says where a path leads that a model or a command wrote. `~` and `$HOME` at the start are the home folder, as in a
 * shell. What can't be told for certain isn't: another user's home, a variable, Windows' ways to write one path as
 * another (devices, network shares, short names, streams, a drive's current folder).
 *
 * `physical`: `..` means the parent of where a link leads, as it does to the programs that a shell runs. Without it, `..`
 * takes back the name before it, as `resolve` does in our tools.
 */
export function placeOf(written: string, world: PathWorld, { physical = false } = {}): Place | Unplaced {
  if (written === '') return { why: 'the path is empty', impossible: true }
  if (written.includes('\0')) return { why: 'a path has no NUL in it', impossible: true }
  const windows = isWindows(world)
  const paths = windows ? win32 : posix
  const path = written.replace(/^(?:~|\$HOME|\$\{HOME\})(?=$|\/)/, () => world.home)
  if (/^[~$]/.test(path)) return { why: `only a shell can tell where ${written} leads` }
  const odd = windows ? oddWindowsPath(path) : undefined
  if (odd) return { why: odd }

  const typed = paths.resolve(world.cwd, path)
  if (windows !== (process.platform === 'win32')) return { typed, real: typed }
  if (windows) return placeOnWindows(typed)
  const whole = path.startsWith('/') ? path : `${world.cwd}/${path}`
  const real = follow(physical ? whole : typed)
  return real === undefined ? { why: `the links of ${written} lead in a circle` } : { typed, real }
}

/** Whether the path could be placed. */
export function isPlaced(place: Place | Unplaced): place is Place {
  return 'real' in place
}

export function isWindows({ platform = process.platform }: PathWorld): boolean {
  return platform === 'win32'
}

/** A path as it is compared: on a file system that takes `A` for `a` in one spelling. */
export function folded(path: string, world: PathWorld): string {
  const { platform = process.platform, caseInsensitive = ['darwin', 'win32'].includes(platform) } = world
  return caseInsensitive ? path.normalize('NFC').toLowerCase() : path
}

/** A path with slashes, as rules write them: `C:\Users\u` is `/c/Users/u`. */
export function withSlashes(path: string, world: PathWorld): string {
  if (!isWindows(world)) return path
  return path.replaceAll('\\', '/').replace(/^([A-Za-z]):(?=\/|$)/, (_, drive) => `/${drive.toLowerCase()}`)
}

/** Whether a path is the kernel's: what lies there is no file, and may lead anywhere. */
export function isKernels(path: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(path)
}

/** The real path of a folder of the workspace; the path as it is where there is none. */
export function realRoot(root: string, world: PathWorld): string {
  const place = placeOf(root, world)
  return isPlaced(place) ? place.real : root
}

/** Where an absolute POSIX path leads, whether or not anything is there. Undefined where links lead in a circle. */
function follow(path: string): string | undefined {
  const ahead = path.split('/')
  let real = '/'
  let links = 0
  for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      real = posix.dirname(real)
      continue
    }
    const next = posix.join(real, part)
    const target = linkAt(next)
    if (target === undefined) {
      real = next
      continue
    }
    if (++links > MAX_LINKS) return undefined
    ahead.unshift(...target.split('/'))
    if (target.startsWith('/')) real = '/'
  }
  return real
}

/** What a link says, or undefined where there is none. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

function placeOnWindows(typed: string): Place {
  const root = win32.parse(typed).root
  const missing: string[] = []
  for (let at = typed; at !== root; at = win32.dirname(at)) {
    const target = linkAt(at)
    if (target !== undefined) return { typed, real: win32.resolve(win32.dirname(at), target, ...missing) }
    missing.unshift(win32.basename(at))
  }
  return { typed, real: typed }
}

/** Windows' ways to write one path as another. */
function oddWindowsPath(path: string): string | undefined {
  if (/^[\\/]{2}|^[\\/]\?\?/.test(path)) return `${path} is a device or on another machine`
  if (/^[A-Za-z]:(?![\\/])/.test(path)) return `${path} counts from the current folder of a drive`
  if (/^[^\\/]{2,}:|[\\/][^\\/]*:/.test(path)) return `${path} has a colon in it`
  return /~\d/.test(path) ? `${path} may be the short name of another path` : undefined
}
