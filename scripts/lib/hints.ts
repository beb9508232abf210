import pc from 'picocolors'
import { type Chapter, type Task, tasksOf } from './chapters.ts'
import { lessonPath, readLesson } from './lesson.ts'
import { progressOf } from './progress.ts'
import { readState, writeState } from './state.ts'
import { wrap } from './text.ts'

const FILE = 'hints.json'

/** The first task of which not all tests are known to pass; the last one when all are. */
export function openTask(chapter: Chapter): Task {
  const tasks = tasksOf(chapter)
  const known = progressOf(chapter)?.tasks
  return tasks.find(({ number }) => !known?.[number] || known[number].passed < known[number].total) ?? tasks.at(-1)!
}

/** The next hint for a task, from the lesson: one step further at each call, and the last one again at the end. */
export function nextHint(chapter: Chapter, task: Task): string {
  const hints = readLesson(chapter).tasks.find(({ number }) => number === task.number)?.hints ?? []
  if (hints.length === 0) return `${lessonPath(chapter)} has no hint for task ${task.number}.`
  const shown = readState<Record<string, number>>(FILE, {})
  const key = `${chapter.name}/${task.number}`
  const index = Math.min(shown[key] ?? 0, hints.length - 1)
  writeState(FILE, { ...shown, [key]: index + 1 })
  const last = index === hints.length - 1
  const footer = last
    ? `That was the last hint. To see our solution of this task: npm run compare ${chapter.number} ${task.number}`
    : `Another one: npm run hint ${chapter.number} ${task.number}`
  return `${pc.bold(`Hint ${index + 1} of ${hints.length} for task ${task.number}`)}\n\n${wrap(paragraphs(hints[index]), '  ')}\n\n${pc.dim(footer)}`
}

/** Markdown whose paragraphs are one line each, so that they can be wrapped to the terminal. Code blocks stay. */
function paragraphs(markdown: string): string {
  return markdown
    .split(/(```[\s\S]*?```)/)
    .map((part) => (part.startsWith('```') ? part : part.replace(/(\S)\n(?=[^\s\-*\d])/g, '$1 ')))
    .join('')
}
