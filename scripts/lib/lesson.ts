import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chapter, ROOT } from './chapters.ts'

export interface Lesson {
  /** Path from the root, with `/`. */
  path: string
  text: string
  title: string
  /** How long a learner takes, in minutes. */
  minutes: number
  /** How many tasks the front matter names. */
  taskCount: number
  tasks: LessonTask[]
}

export interface LessonTask {
  number: number
  title: string
  /** Hints in order, as Markdown. */
  hints: string[]
}

/** A page's head: lines of `key: value` between two lines of dashes. */
export const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/
const TASK_HEADING = /^## Task (\d+): (.+)$/gm
const HINT = /<details><summary>Hint (\d+)<\/summary>\n([\s\S]*?)<\/details>/g

/** Path of a chapter's lesson from the root. */
export function lessonPath(chapter: Chapter): string {
  return `docs/chapters/${chapter.name}.md`
}

/** Lessons that were taken apart, by path: a report asks for the same one many times. */
const parsed = new Map<string, Lesson>()

/** Reads a chapter's lesson. Throws an Error that says what is missing or malformed in it. */
export function readLesson(chapter: Chapter): Lesson {
  const path = lessonPath(chapter)
  if (!existsSync(join(ROOT, path))) throw new Error(`${path} is missing.`)
  const text = readFileSync(join(ROOT, path), 'utf8').replaceAll('\r\n', '\n')
  const known = parsed.get(path)
  if (known?.text === text) return known
  const lesson = parseLesson(text, path)
  parsed.set(path, lesson)
  return lesson
}

/** Takes a lesson's page apart. Throws an Error that starts with `path`. */
export function parseLesson(text: string, path: string): Lesson {
  const matter = FRONT_MATTER.exec(text)?.[1] ?? ''
  const values = new Map([...matter.matchAll(/^(\w+): (.+)$/gm)].map(([, key, value]) => [key, value.trim()]))
  const [title, minutes, tasks] = [values.get('title'), Number(values.get('minutes')), Number(values.get('tasks'))]
  if (!title || !Number.isInteger(minutes) || !Number.isInteger(tasks)) {
    throw new Error(`${path}: expected front matter with title (text), minutes and tasks (whole numbers).`)
  }
  return { path, text, title, minutes, taskCount: tasks, tasks: parseTasks(text, path) }
}

function parseTasks(text: string, path: string): LessonTask[] {
  const headings = [...text.matchAll(TASK_HEADING)]
  return headings.map((heading) => {
    const rest = text.slice(heading.index + heading[0].length)
    const section = rest.split(/^## /m)[0]
    const hints = [...section.matchAll(HINT)].map((hint, index) => {
      if (Number(hint[1]) !== index + 1)
        throw new Error(`${path}: task ${heading[1]} has a hint ${hint[1]} where hint ${index + 1} belongs.`)
      return hint[2].trim()
    })
    return { number: Number(heading[1]), title: heading[2], hints }
  })
}
