import { closeSync, constants, existsSync, fstatSync, lstatSync, opendirSync, openSync, readSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { WrongUse } from '../wrong-use.ts'
import { safeText } from './safe-text.ts'

/** Texts by chapter (its folder's name) and by path below `src/`, with `/`. */
export type Sources = Map<string, Map<string, string>>

/** What somebody handed in: only texts, taken before anything runs. */
export interface Submission {
  /** Unique in a class: the folder's name, with its parent's where two are called the same. */
  name: string
  /** Absolute path. */
  folder: string
  /** The learner's `.ts` files of each chapter that has a `src/`. */
  sources: Sources
  /** What could not be taken, and why. Without a chapter it is about the whole submission. */
  problems: SourceProblem[]
}

export interface SourceProblem {
  chapter: string | undefined
  text: string
}

/** A skeleton's file has a few kilobytes. More than this is no work of a learner. */
const MAX_FILE_BYTES = 256 * 1024
const MAX_TOTAL_BYTES = 4 * 1024 * 1024
const MAX_ENTRIES = 500
const MAX_DEPTH = 4

/**
 * The folders that `path` names: the workshop copy itself, the folders in a folder, or those that a file lists, a line
 * each and counted from the file's own folder (`#` starts a comment). Throws WrongUse where there are none.
 */
export function findFolders(path: string): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) throw new WrongUse(`There is no "${path}". Expected a folder of submissions, or a file that lists them.`)
  if (stat.isFile()) return listedFolders(path)
  if (existsSync(join(path, 'chapters'))) return [path]
  const names = entriesOf(path).filter((entry) => !entry.name.startsWith('.') && !entry.isFile())
  const folders = names.map(({ name }) => join(path, name)).sort()
  if (!folders.some((folder) => existsSync(join(workshopIn(folder), 'chapters'))))
    throw new WrongUse(`No folder in "${path}" has a chapters/ folder. Expected copies of the workshop, one a learner.`)
  return folders
}

function listedFolders(path: string): string[] {
  const text = readText(path, MAX_FILE_BYTES)
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(^|\s)#.*/, '').trim())
  const folders = lines.filter(Boolean).map((line) => resolve(dirname(path), line))
  if (folders.length === 0) throw new WrongUse(`"${path}" lists no folder. Expected one a line.`)
  return [...new Set(folders)]
}

/** Reads the `src/` of these chapters from each folder. Never throws: what is wrong with a submission is its problem. */
export function readSubmissions(folders: string[], chapters: string[]): Submission[] {
  return folders.map((folder) => readSubmission(folder, nameOf(folder, folders), chapters))
}

function readSubmission(folder: string, name: string, chapters: string[]): Submission {
  const submission: Submission = { name, folder, sources: new Map(), problems: [] }
  const problem = (text: string, chapter?: string) => submission.problems.push({ chapter, text: safeText(text) })
  const root = workshopIn(folder)
  const wrong = ['', 'chapters'].map((below) => noFolder(join(root, below), below || 'the folder')).find(Boolean)
  if (wrong) {
    problem(wrong)
    return submission
  }
  const budget = { bytes: MAX_TOTAL_BYTES }
  for (const chapter of chapters) {
    const path = join(root, 'chapters', chapter)
    if (!lstatSync(path, { throwIfNoEntry: false })) continue
    const wrong = noFolder(path, `chapters/${chapter}`) ?? noFolder(join(path, 'src'), 'src')
    if (wrong) {
      problem(wrong, chapter)
      continue
    }
    const files = new Map<string, string>()
    takeFiles(join(path, 'src'), '', { files, budget, problem: (text) => problem(text, chapter) })
    submission.sources.set(chapter, files)
  }
  return submission
}

interface Taking {
  files: Map<string, string>
  budget: { bytes: number }
  problem: (text: string) => void
}

/** Takes the `.ts` files below a folder. Other files are nothing that the tests can need. */
function takeFiles(folder: string, below: string, taking: Taking): void {
  for (const entry of entriesOf(folder)) {
    const name = below + entry.name
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (name.split('/').length <= MAX_DEPTH) takeFiles(path, `${name}/`, taking)
      else taking.problem(`src/${name} lies too deep: not taken.`)
    } else if (entry.name.endsWith('.ts')) {
      try {
        if (taking.files.size >= MAX_ENTRIES) throw new Error(`one of more than ${MAX_ENTRIES} files`)
        const text = readText(path, Math.min(MAX_FILE_BYTES, taking.budget.bytes))
        taking.budget.bytes -= Buffer.byteLength(text)
        taking.files.set(name, text.replaceAll('\r\n', '\n'))
      } catch (error) {
        taking.problem(`src/${name} is ${(error as Error).message}: not taken.`)
      }
    }
  }
}

/** The text of a regular file in UTF-8. Throws an Error whose message says what it is instead. */
function readText(path: string, maxBytes: number): string {
  // lstat first: to open a named pipe would wait for its writer.
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) throw new Error('a symbolic link')
  if (!stat.isFile()) throw new Error('no regular file')
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const { size } = fstatSync(file)
    if (size > maxBytes) throw new Error(`too large (${size} bytes, ${maxBytes} are left for it)`)
    const bytes = Buffer.alloc(size)
    const read = readSync(file, bytes, 0, size, 0)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, read))
  } catch (error) {
    throw error instanceof TypeError ? new Error('not text in UTF-8') : error
  } finally {
    closeSync(file)
  }
}

/** Where the workshop lies in what was handed in: an archive often holds one folder, and that the copy. */
function workshopIn(folder: string): string {
  if (existsSync(join(folder, 'chapters')) || noFolder(folder, folder)) return folder
  const inner = entriesOf(folder).filter((entry) => entry.isDirectory() && !/^[._]/.test(entry.name))
  return inner.length === 1 && existsSync(join(folder, inner[0].name, 'chapters'))
    ? join(folder, inner[0].name)
    : folder
}

/** What is wrong with a path that should be a folder; undefined when it is one. Links are not followed. */
function noFolder(path: string, shown: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat) return `${shown} is missing.`
  if (stat.isSymbolicLink()) return `${shown} is a symbolic link: not followed.`
  return stat.isDirectory() ? undefined : `${shown} is no folder.`
}

/** The entries of a folder, at most MAX_ENTRIES, by name. None where it cannot be read. */
function entriesOf(folder: string) {
  const entries = []
  try {
    const reading = opendirSync(folder)
    for (let entry = reading.readSync(); entry && entries.length < MAX_ENTRIES; entry = reading.readSync())
      entries.push(entry)
    reading.closeSync()
  } catch {
    // As good as empty: what is missing is told by whoever needs it.
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function nameOf(folder: string, folders: string[]): string {
  const tails = [1, 2].map((parts) => (path: string) => path.split(/[\\/]/).slice(-parts).join('/'))
  const tail = tails.find((tail) => folders.filter((other) => tail(other) === tail(folder)).length === 1)
  return safeText(tail ? tail(folder) : folder) || basename(folder)
}
