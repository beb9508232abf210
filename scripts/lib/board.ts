import pc from 'picocolors'
import { allChapters, type Chapter, tasksOf } from './chapters.ts'
import { lessonPath, readLesson } from './lesson.ts'
import { isStarted, progressOf } from './progress.ts'
import { firstTodo, titleOf } from './report.ts'
import { count } from './text.ts'

/** How far the learner is with a chapter. `unknown`: begun, and not tested since it was changed. */
export type ChapterState = 'untouched' | 'unknown' | 'begun' | 'finished'

/** The state of a chapter's code as it is now. */
export function stateOf(chapter: Chapter): ChapterState {
  if (!isStarted(chapter)) return 'untouched'
  const progress = progressOf(chapter)
  if (!progress) return 'unknown'
  return progress.finished ? 'finished' : 'begun'
}

/** All chapters and how far the learner is, a line each. */
export function board(): string {
  return allChapters()
    .map((chapter) => {
      const state = stateOf(chapter)
      const title = `${String(chapter.number).padStart(2)}  ${titleOf(chapter)}`
      return `  ${MARKS[state]} ${title.padEnd(48)} ${pc.dim(String(minutesOf(chapter)).padStart(3))}${pc.dim(' min')}  ${words(chapter, state)}`.trimEnd()
    })
    .join('\n')
}

/** What the learner should do next, in two or three lines. */
export function nextStep(): string {
  const chapters = allChapters()
  const next = chapters.find((chapter) => stateOf(chapter) !== 'finished')
  if (!next) return 'Every chapter is yours. Start one anew with npm run reset N: your solution is saved first.'
  const task = firstOpenTask(next)
  return [
    `${pc.bold('Next')}  chapter ${next.number}${task ? `, task ${task.number}` : ''}`,
    `      read       ${lessonPath(next)}`,
    task ? `      write      ${pc.cyan(firstTodo(next, task).place)}` : undefined,
    `      then run   npm test ${next.number}`,
  ]
    .filter((line) => line !== undefined)
    .join('\n')
}

/** The chapter that a learner is at: the first one that is not finished, or the last one of all. */
export function currentChapter(): Chapter {
  const chapters = allChapters()
  return chapters.find((chapter) => stateOf(chapter) !== 'finished') ?? chapters.at(-1)!
}

function firstOpenTask(chapter: Chapter) {
  const tasks = progressOf(chapter)?.tasks
  return tasksOf(chapter).find(({ number }) => {
    const task = tasks?.[number]
    return !task || task.passed < task.total
  })
}

const MARKS: Record<ChapterState, string> = {
  untouched: pc.dim('·'),
  unknown: pc.yellow('?'),
  begun: pc.yellow('◐'),
  finished: pc.green('✓'),
}

function words(chapter: Chapter, state: ChapterState): string {
  if (state === 'unknown') return pc.yellow('changed since its last test')
  if (state !== 'begun') return state === 'finished' ? pc.green('yours') : ''
  const tasks = Object.values(progressOf(chapter)?.tasks ?? {})
  const green = tasks.filter(({ passed, total }) => passed === total).length
  return pc.yellow(`${green} of ${count(tasksOf(chapter).length, 'task')}`)
}

function minutesOf(chapter: Chapter): number | string {
  try {
    return readLesson(chapter).minutes
  } catch {
    return '?'
  }
}
