import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Blank, findBlanks, toSkeleton } from './skeleton.ts'
import { WrongUse } from './wrong-use.ts'

/** The workshop's root folder. `WORKSHOP_ROOT` points the commands at another copy: the gate's own tests use it. */
export const ROOT = process.env.WORKSHOP_ROOT ?? fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '')

export interface Chapter {
  /** 1 for `01-dispatch`. */
  number: number
  /** The folder's name. */
  name: string
  /** The folder's absolute path. */
  path: string
  /** The import condition that chooses the learner's files. */
  condition: string
}

export interface Task {
  number: number
  /** What must hold, from the task's first blank. */
  text: string
  blanks: Array<Blank & { file: string }>
}

/** All chapters, in order. */
export function allChapters(root = ROOT): Chapter[] {
  const folder = join(root, 'chapters')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^\d\d-[\w-]+$/.test(name))
    .sort()
    .map((name) => ({
      number: Number(name.slice(0, 2)),
      name,
      path: join(folder, name),
      condition: `mine-${name.slice(0, 2)}`,
    }))
}

/** The chapter called `4`, `04` or `04-tool-engine`. Throws WrongUse with a list of what there is. */
export function findChapter(word: string, chapters = allChapters()): Chapter {
  const wanted = word.replace(/[/\\]$/, '')
  const found = chapters.find((c) => c.name === wanted || (/^\d+$/.test(wanted) && c.number === Number(wanted)))
  if (found) return found
  const list = chapters.map((c) => `  ${c.number}  ${c.name}`).join('\n')
  throw new WrongUse(`There is no chapter "${word}". The chapters are:\n${list}`)
}

/** The chapter whose folder the command was called from (npm's INIT_CWD), if any. */
export function chapterHere(
  from = process.env.INIT_CWD ?? process.cwd(),
  chapters = allChapters(),
): Chapter | undefined {
  return chapters.find((c) => {
    const inside = relative(c.path, from)
    return inside === '' || (inside.split(sep)[0] !== '..' && !/^([a-z]:|[\\/])/i.test(inside))
  })
}

/** The chapter's source files by name: those of `solution/`, which `src/` has too. Throws WrongUse where there are none. */
export function solutionFiles(chapter: Chapter): Map<string, string> {
  const files = readFiles(join(chapter.path, 'solution'))
  if (files.size > 0) return files
  throw new WrongUse(
    `${shownPath(chapter, 'solution')} is missing. Tasks, hints and later chapters stand on it: get it back from git, or from a fresh clone.`,
  )
}

/** The learner's files by name. A file that is missing is not in the map. */
export function learnerFiles(chapter: Chapter): Map<string, string> {
  return readFiles(join(chapter.path, 'src'))
}

/** The skeleton that `src/` starts as, by file name. Throws on a malformed mark. */
export function skeletonFiles(chapter: Chapter): Map<string, string> {
  return new Map(
    [...solutionFiles(chapter)].map(([name, text]) => [name, toSkeleton(text, shownPath(chapter, 'solution', name))]),
  )
}

/** The chapter's tasks in order, with the blanks of each. Throws on a malformed mark. */
export function tasksOf(chapter: Chapter): Task[] {
  const tasks = new Map<number, Task>()
  for (const [file, text] of solutionFiles(chapter)) {
    for (const blank of findBlanks(text, shownPath(chapter, 'solution', file))) {
      const task = tasks.get(blank.task) ?? { number: blank.task, text: blank.text, blanks: [] }
      // The lesson's sentence is the one of the blank that throws: the entries of a literal only go with it.
      if (blank.throws && task.blanks.every((b) => !b.throws)) task.text = blank.text
      task.blanks.push({ ...blank, file })
      tasks.set(blank.task, task)
    }
  }
  return [...tasks.values()].sort((a, b) => a.number - b.number)
}

/** The tasks of which every blank is still as it came: their tests say nothing about the learner's code yet. */
export function untouchedTasks(tasks: Task[], skeleton: Map<string, string>, files: Map<string, string>): Set<number> {
  const blanks = (texts: Map<string, string>, task: number) =>
    [...texts.values()].join('').split(`TODO(task ${task})`).length
  const numbers = tasks.map(({ number }) => number)
  return new Set(numbers.filter((number) => blanks(files, number) >= blanks(skeleton, number)))
}

/** The task numbered `word`. Throws WrongUse with a list of what there is. */
export function findTask(word: string, chapter: Chapter): Task {
  const tasks = tasksOf(chapter)
  const found = tasks.find((task) => /^\d+$/.test(word) && task.number === Number(word))
  if (found) return found
  const list = tasks.map((task) => `  ${task.number}  ${task.text}`).join('\n')
  throw new WrongUse(`Chapter ${chapter.number} has no task "${word}". Its tasks are:\n${list}`)
}

/** A path below the root as people type it: with `/`, from the root on. */
export function shownPath(chapter: Chapter, ...parts: string[]): string {
  return ['chapters', chapter.name, ...parts].join('/')
}

function readFiles(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith('.ts'),
  )
  return new Map(
    names
      .map(({ name }) => name)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')]),
  )
}
