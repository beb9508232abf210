import { diffArrays, diffLines } from 'diff'
import pc from 'picocolors'
import { type Chapter, learnerFiles, shownPath, solutionFiles, type Task } from './chapters.ts'
import { toSkeleton } from './skeleton.ts'

/** The learner's text of each blank of a task beside the reference's: lines of theirs with `-`, of the reference with `+`. */
export function compareTask(chapter: Chapter, task: Task): string {
  const theirs = learnerFiles(chapter)
  const reference = solutionFiles(chapter)
  return task.blanks
    .map((blank) => {
      const solution = reference.get(blank.file)!
      const file = shownPath(chapter, 'src', blank.file)
      const mine = theirs.get(blank.file)
      if (mine === undefined) return `${file} is missing.`
      const place = locateBlank(solution, mine, task, blank.start)
      const own = mine.split('\n').slice(place.start, place.end).join('\n')
      const ours = solution.split('\n').slice(blank.start, blank.end).join('\n')
      return `${pc.bold(`${file}:${place.start + 1}`)}  ${pc.red('- yours')}  ${pc.green('+ the reference')}\n${difference(own, ours)}`
    })
    .join('\n\n')
}

/** The lines `[start, end)` of the learner's file that stand where the skeleton has a blank. */
function locateBlank(solution: string, mine: string, task: Task, start: number): { start: number; end: number } {
  const file = task.blanks[0].file
  const skeleton = toSkeleton(solution, file).split('\n')
  const todo = todoLine(solution, file, start)
  const length = skeleton[todo + 1]?.includes(`throw new Error('TODO(task ${task.number})`) ? 2 : 1
  const lines = mine.split('\n')
  let from = 0
  let to = 0
  let before = 0
  let after: number | undefined
  for (const part of diffArrays(skeleton, lines)) {
    if (!part.added && !part.removed) {
      for (let i = 0; i < part.count; i++) {
        if (from + i < todo) before = to + i + 1
        else if (from + i >= todo + length) after ??= to + i
      }
    }
    if (!part.added) from += part.count
    if (!part.removed) to += part.count
  }
  const end = after ?? to
  const found = lines.slice(before, end).some((line) => line.trim())
  return (found ? undefined : locateMoved(skeleton, todo, lines)) ?? { start: before, end }
}

/** The block below the line that stands before the blank, wherever the learner moved it; undefined when that line is gone. */
function locateMoved(skeleton: string[], todo: number, lines: string[]): { start: number; end: number } | undefined {
  const start = lines.indexOf(skeleton[todo - 1]) + 1
  const indent = /^\s*/.exec(skeleton[todo])![0]
  const end = lines.findIndex((line, index) => index >= start && line.trim() !== '' && !line.startsWith(indent))
  return start === 0 ? undefined : { start, end: end === -1 ? lines.length : end }
}

/** The line of the skeleton at which the blank that starts at `start` in the solution has its TODO. */
function todoLine(solution: string, file: string, start: number): number {
  return toSkeleton(
    solution
      .split('\n')
      .slice(0, start - 1)
      .join('\n'),
    file,
  ).split('\n').length
}

function difference(own: string, ours: string): string {
  return diffLines(`${own}\n`, `${ours}\n`)
    .flatMap(({ value, added, removed }) => {
      const lines = value.replace(/\n$/, '').split('\n')
      if (added) return lines.map((line) => pc.green(`+ ${line}`))
      if (removed) return lines.map((line) => pc.red(`- ${line}`))
      return lines.map((line) => `  ${line}`)
    })
    .join('\n')
}
