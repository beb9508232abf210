import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Chapter, skeletonFiles, solutionFiles, type Task, tasksOf } from '../chapters.ts'
import { type Mistake, mistakesOf } from '../mistakes.ts'
import { titleOf, titleOfTask } from '../report.ts'
import { type GivenCode, givenCode } from './task-code.ts'

/** The workshop as it was before anybody's code ran: what is marked is marked with this. */
export interface Workshop {
  /** Its root folder: an absolute path. */
  root: string
  chapters: PristineChapter[]
  /** Every file of its chapters and scripts, by path from the root with `/`. Nothing of `src/` is among them. */
  files: Map<string, Buffer>
}

export interface PristineChapter {
  chapter: Chapter
  title: string
  tasks: Array<Task & { title: string }>
  /** By path below `src/`. */
  skeleton: Map<string, string>
  solution: Map<string, string>
  given: GivenCode
  mistakes: Mistake[]
}

const PARTS = ['package.json', 'tsconfig.json', 'chapters', 'scripts']
/** The learner's own. */
const NOT_OURS = /^chapters\/[^/]+\/src$/
/** What a run of tests does not need. */
const NOT_NEEDED = new RegExp(
  [
    /^chapters\/[^/]+\/(mistakes|demo)\.ts$/,
    /^chapters\/support\/tests\//,
    /^scripts\/(bench|lib\/testing)\//,
    /^scripts\/.*\.test\.ts$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
/** Written by every run of Vitest, and read for the order of test files only. */
const CACHES = new Set(['.vite', '.vite-temp', '.cache'])

/** Reads the workshop into memory. Throws WrongUse on a malformed mark. */
export async function readWorkshop(root: string, chapters: Chapter[]): Promise<Workshop> {
  const files = new Map(list(root, Number.POSITIVE_INFINITY).map((path) => [path, readFileSync(join(root, path))]))
  const pristine = chapters.map(async (chapter): Promise<PristineChapter> => {
    const tasks = tasksOf(chapter).map((task) => ({ ...task, title: titleOfTask(chapter, task) }))
    const texts = { skeleton: skeletonFiles(chapter), solution: solutionFiles(chapter) }
    const given = givenCode({ tasks, ...texts })
    return { chapter, title: titleOf(chapter), tasks, ...texts, given, mistakes: await mistakesOf(chapter) }
  })
  return { root, files, chapters: await Promise.all(pristine) }
}

/** Paths of whatever lies in the workshop's folders, from the root, but for `src/`. Stops at `max`. */
function list(root: string, max: number): string[] {
  const paths: string[] = []
  const walk = (path: string) => {
    if (paths.length >= max || NOT_OURS.test(path)) return
    const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
    if (stat?.isDirectory()) for (const name of readdirSync(join(root, path))) walk(`${path}/${name}`)
    else if (stat) paths.push(path)
  }
  for (const path of PARTS) walk(path)
  return paths
}

/** The part of a workshop that a run of tests needs, and nothing of `without`. */
export function stageOf({ files, ...workshop }: Workshop, without: Set<string> = new Set()): Workshop {
  const needed = [...files].filter(([path]) => !NOT_NEEDED.test(path) && !without.has(path))
  return { ...workshop, files: new Map(needed) }
}

/** Writes the workshop's files below another root. */
export function writeWorkshop({ files }: Workshop, root: string): void {
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), bytes)
  }
}

/** Paths below `root` where the workshop's files are not what was read: edited, deleted or added. */
export function changedFiles({ files }: Workshop, root: string): string[] {
  const edited = [...files].filter(([path, bytes]) => !holds(join(root, path), bytes)).map(([path]) => path)
  const added = list(root, files.size + 1000).filter((path) => !files.has(path))
  return [...edited, ...added].sort()
}

/** Whether a path is a regular file with just these bytes. What is larger is not read. */
export function holds(path: string, bytes: Buffer): boolean {
  try {
    const stat = lstatSync(path)
    return stat.isFile() && stat.size === bytes.length && readFileSync(path).equals(bytes)
  } catch {
    return false
  }
}

/** Writes those of the workshop's files below a folder, so that a person can compare them and put them back. */
export function keepFiles({ files }: Workshop, paths: string[], folder: string): void {
  for (const path of paths) {
    const bytes = files.get(path)
    if (!bytes) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
}

/** Changes when any file of the workshop or of its installed packages is edited, replaced, added or deleted. */
export function fingerprint(root: string): { files: string; packages: string } {
  const files = list(root, Number.POSITIVE_INFINITY).map((path) => join(root, path))
  return { files: fingerprintOf(files), packages: fingerprintOf([join(root, 'node_modules')]) }
}

function fingerprintOf(paths: string[]): string {
  let sum = 0
  let count = 0
  const walk = (path: string) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory()) {
      for (const name of readdirSync(path)) if (!CACHES.has(name)) walk(join(path, name))
    } else if (stat) {
      // A change of content or mode moves the time of change, and no program can set that.
      sum = (sum * 31 + stat.ctimeMs + stat.size * 7 + stat.ino) % 2 ** 48
      count++
    }
  }
  // The packages may be linked from elsewhere.
  for (const path of paths) if (existsSync(path)) walk(realpathSync(path))
  return `${count} ${sum}`
}
