import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { allChapters, type Chapter, learnerFiles, shownPath, skeletonFiles } from './chapters.ts'
import { PRISTINE_FILE } from './pristine.ts'
import { WrongUse } from './wrong-use.ts'

/** What turns a learner's workshop into a newer one. Paths are from the root, with `/`. */
export interface Renewal {
  here: string
  /** The version that it leads to. */
  version: string
  /** Files to write, in this order. */
  writes: Array<{ path: string; bytes: Buffer; mode: number }>
  /** Files that the workshop once brought, and brings no more. */
  removals: string[]
  /** Files of the learner that stay though the skeleton of theirs is another one now. */
  kept: KeptFile[]
  /** What else there is to say, a sentence each. */
  notes: string[]
}

export interface KeptFile {
  path: string
  /** The skeleton as it is now; undefined where the chapter has no such file any more. */
  skeleton: string | undefined
  /** How it differs from the skeleton that the learner began with. */
  patch: string
}

const NEVER = ['.git', 'node_modules', '.workshop']
const UNFINISHED = 'unfinished'

/**
 * Compares the workshop in `here` with a newer one, and changes nothing. Throws WrongUse where one of the two is no
 * workshop, where they are not apart from each other, and where the other one is older (unless `older` is fine).
 */
export function planRenewal(here: string, fresh: string, older = false): Renewal {
  const [mine, theirs] = [manifestOf(here), manifestOf(fresh)]
  if (mine.name !== theirs.name)
    throw new WrongUse(`Expected a newer "${mine.name}" in ${fresh}, got "${theirs.name}".`)
  const [from, to] = [realpathSync(fresh), realpathSync(here)]
  if (from === to) throw new WrongUse(`${fresh} is this very workshop. Clone the new version beside it.`)
  if (`${from}${sep}`.startsWith(to + sep) || to.startsWith(from + sep))
    throw new WrongUse(`${fresh} and this workshop lie one in the other. Clone the new version beside it.`)
  if (!older && isOlder(theirs.version, mine.version))
    throw new WrongUse(
      `${fresh} has version ${theirs.version}, and you have ${mine.version} already. To go back, add the word "anyway".`,
    )

  const renewal: Renewal = { here, version: theirs.version, writes: [], removals: [], kept: [], notes: [] }
  const old = new Map(allChapters(here).map((chapter) => [chapter.name, chapter]))
  for (const chapter of allChapters(fresh)) planSource(renewal, chapter, old.get(chapter.name))
  planFiles(renewal, fresh)
  planRemovals(renewal, fresh)
  noteWhatToRun(renewal, fresh)
  return renewal
}

/**
 * `src/` of one chapter: what the learner has not touched becomes the new skeleton, the rest stays. It is written before
 * the new solution is: what the learner has touched can only be told by the old one.
 */
function planSource(renewal: Renewal, fresh: Chapter, old: Chapter | undefined): void {
  const now = skeletonFiles(fresh)
  const before = old ? skeletonsOf(old) : new Map<string, string>()
  const mine = old ? learnerFiles(old) : new Map<string, string>()
  for (const [name, skeleton] of now) {
    const path = shownPath(fresh, 'src', name)
    const own = mine.get(name)
    if (own === skeleton) continue
    if (own === undefined || own === before.get(name))
      renewal.writes.push({ path, bytes: Buffer.from(skeleton), mode: 0o644 })
    else if (before.get(name) !== skeleton)
      renewal.kept.push({ path, skeleton, patch: patchOf(path, before.get(name) ?? '', skeleton) })
  }
  for (const [name, own] of mine) {
    if (now.has(name) || !before.has(name)) continue
    const path = shownPath(fresh, 'src', name)
    if (own === before.get(name)) renewal.removals.push(path)
    else renewal.kept.push({ path, skeleton: undefined, patch: patchOf(path, before.get(name)!, '') })
  }
}

/** All that is nobody's work. Scripts come late, and what names them last: until then, the command can be run again. */
function planFiles(renewal: Renewal, fresh: string): void {
  const late = (path: string) => (path === 'package.json' ? 2 : path.startsWith('scripts/') ? 1 : 0)
  for (const path of broughtBy(fresh).sort((a, b) => late(a) - late(b))) {
    const bytes = readFileSync(join(fresh, path))
    const own = join(renewal.here, path)
    if (existsSync(own) && bytes.equals(readFileSync(own))) continue
    renewal.writes.push({ path, bytes, mode: statSync(join(fresh, path)).mode & 0o777 })
  }
}

/** What the workshop brought once and brings no more, and all of a chapter that is gone. What nobody brought stays. */
function planRemovals(renewal: Renewal, fresh: string): void {
  const { here } = renewal
  const brings = new Set(broughtBy(fresh))
  const chapters = new Set(allChapters(fresh).map(({ name }) => name))
  const once = checkedFiles(here)
  const gone = once.filter((path) => !brings.has(path) && existsSync(join(here, path)))
  renewal.removals.push(...gone)
  for (const chapter of allChapters(here)) {
    if (chapters.has(chapter.name) || !once.some((path) => path.startsWith(`${shownPath(chapter)}/`))) continue
    renewal.removals.push(...filesOf(here, shownPath(chapter)).filter((path) => !gone.includes(path)))
    renewal.notes.push(`There is no chapter ${chapter.name} any more. What you wrote for it is in the folder below.`)
  }
}

/** What the learner should run once the files are there. */
function noteWhatToRun({ here, writes, removals, notes }: Renewal, fresh: string): void {
  const changed = [...writes.map(({ path }) => path), ...removals]
  const chapters = new Set(allChapters(fresh).map(({ name }) => name))
  for (const chapter of allChapters(here).filter(({ name }) => chapters.has(name))) {
    const tests = changed.some((path) => path.startsWith(`${shownPath(chapter, 'tests')}/`))
    if (tests && isTouched(chapter))
      notes.push(`Chapter ${chapter.number} has other tests now: run npm test ${chapter.number}`)
  }
  if (changed.includes('package-lock.json')) notes.push('The packages have changed: run npm ci')
}

/**
 * Does what was planned. First everything that will be replaced is copied to `.workshop/renewed/NNN/`, with what there
 * is to tell; then each file changes from one whole state to the next. A run that broke off can be run again.
 * Returns that folder, from the root.
 */
export function renew(renewal: Renewal, onStep: (path: string) => void = () => {}): string {
  const { here, writes, removals } = renewal
  const folder = freeFolder(join(here, '.workshop', 'renewed'))
  const shown = relative(here, folder).replaceAll('\\', '/')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, UNFINISHED), '')
  const kept = allChapters(here).flatMap((chapter) => filesOf(here, shownPath(chapter, 'src')))
  for (const path of new Set([...kept, ...writes.map((write) => write.path), ...removals]))
    if (existsSync(join(here, path))) write(join(folder, 'before', path), readFileSync(join(here, path)))
  for (const { path, skeleton } of renewal.kept)
    if (skeleton !== undefined) write(join(folder, 'skeleton', path), Buffer.from(skeleton))
  write(join(folder, 'changes.txt'), Buffer.from(`${changesOf(renewal, shown)}\n`))

  for (const path of removals) {
    onStep(path)
    rmSync(join(here, path), { force: true })
    removeEmpty(here, dirname(path))
  }
  const draft = join(folder, 'draft')
  for (const { path, bytes, mode } of writes) {
    onStep(path)
    writeFileSync(draft, bytes)
    chmodSync(draft, mode)
    mkdirSync(dirname(join(here, path)), { recursive: true })
    renameSync(draft, join(here, path))
  }
  rmSync(join(folder, UNFINISHED))
  return shown
}

/** The folder of a renewal that broke off, from the root: what it had to tell is in its `changes.txt`. */
export function brokenOff(here: string): string | undefined {
  const parent = join(here, '.workshop', 'renewed')
  const names = existsSync(parent) ? readdirSync(parent) : []
  const found = names.sort().find((name) => existsSync(join(parent, name, UNFINISHED)))
  return found && `.workshop/renewed/${found}`
}

/** A renewal that came to its end settles those before it that did not. */
export function settle(here: string): void {
  for (let folder = brokenOff(here); folder; folder = brokenOff(here)) rmSync(join(here, folder, UNFINISHED))
}

/** What the learner has to know, as text. */
export function changesOf({ version, writes, removals, kept, notes }: Renewal, folder: string): string {
  const files = (number: number) => `${number} file${number === 1 ? '' : 's'}`
  const removed = removals.length > 0 ? `, ${removals.length} removed` : ''
  const lines = [`Version ${version}: ${files(writes.length)} new or replaced${removed}.`, ...notes]
  for (const { path, skeleton, patch } of kept) {
    const told = skeleton === undefined ? 'The chapter has no such file any more.' : 'Its skeleton has changed:'
    lines.push('', `${path} is as you wrote it. ${told}`)
    if (skeleton !== undefined) lines.push(patch, `The whole skeleton is ${folder}/skeleton/${path}`)
  }
  lines.push('', `What was there before, and a copy of all that you wrote, is in ${folder}/before`)
  return lines.join('\n')
}

function manifestOf(folder: string): { name: string; version: string } {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (typeof name === 'string' && /^\d+(\.\d+)*/.test(version) && allChapters(folder).length > 0)
      return { name, version }
  } catch {
    // Told below, in the same words.
  }
  throw new WrongUse(`${folder} is no workshop: expected a package.json and chapters/ in it.`)
}

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)))
  const index = a.findIndex((part, i) => part !== (b[i] ?? 0))
  return index !== -1 && a[index] < (b[index] ?? 0)
}

/** The skeletons that the learner began with; none where somebody broke a mark of the solution. */
function skeletonsOf(chapter: Chapter): Map<string, string> {
  try {
    return skeletonFiles(chapter)
  } catch {
    return new Map()
  }
}

function isTouched(chapter: Chapter): boolean {
  const skeletons = skeletonsOf(chapter)
  return [...learnerFiles(chapter)].some(([name, text]) => skeletons.get(name) !== text)
}

/** The files of a version, save those of `src/`. */
function broughtBy(fresh: string): string[] {
  return filesOf(fresh).filter((path) => !/^chapters\/[^/]+\/src\//.test(path))
}

/** The files whose checksums the workshop brought: below chapters, and nobody else's. */
function checkedFiles(here: string): string[] {
  try {
    return Object.keys(JSON.parse(readFileSync(join(here, PRISTINE_FILE), 'utf8')))
  } catch {
    return []
  }
}

function filesOf(root: string, below = ''): string[] {
  if (!existsSync(join(root, below))) return []
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    if (NEVER.includes(entry.name)) return []
    const path = below ? `${below}/${entry.name}` : entry.name
    return entry.isDirectory() ? filesOf(root, path) : entry.isFile() ? [path] : []
  })
}

function patchOf(path: string, before: string, now: string): string {
  const patch = createTwoFilesPatch(path, path, before, now, 'as you began', 'as it is now', { context: 2 })
  return patch.slice(patch.indexOf('--- ')).trimEnd()
}

function write(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
}

function removeEmpty(root: string, folder: string): void {
  if (folder === '.' || !existsSync(join(root, folder)) || readdirSync(join(root, folder)).length > 0) return
  rmSync(join(root, folder), { recursive: true })
  removeEmpty(root, dirname(folder))
}

/** A folder that does not exist yet: 001, 002 … */
function freeFolder(parent: string): string {
  for (let number = 1; ; number++) {
    const path = join(parent, String(number).padStart(3, '0'))
    if (!existsSync(path)) return path
  }
}
