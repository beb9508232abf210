import pc from 'picocolors'
import { count } from '../text.ts'
import type { ChapterMark, ClassReport, SubmissionMark } from './report.ts'

const WIDTH = 80
const MAX_NAME = 24

/** The report for a terminal: a line a submission, a column a chapter; in blocks where 80 columns do not hold them all. */
export function reportTable(report: ClassReport): string {
  const names = report.submissions.map(({ name }) => cut(name))
  const nameWidth = Math.max(4, ...names.map((name) => name.length))
  const cells = report.submissions.map(({ chapters }) => chapters.map(cellOf))
  const widths = report.chapters.map(({ number }, i) =>
    Math.max(`${number}`.length, ...cells.map((row) => row[i].length)),
  )
  const total = report.chapters.reduce((sum, { tasks }) => sum + tasks.length, 0)
  const sums = report.submissions.map(({ tasksDone }) => `${tasksDone}/${total}`)
  const sumWidth = Math.max(5, ...sums.map(({ length }) => length))

  const blocks = blocksOf(widths, WIDTH - nameWidth - sumWidth - 2)
  const lines = blocks.map((columns) => {
    const line = (name: string, words: string[], sum: string) =>
      `${name.padEnd(nameWidth)}  ${words.map((word, i) => word.padStart(widths[columns[i]])).join(' ')}  ${sum.padStart(sumWidth)}`
    const head = line(
      '',
      columns.map((i) => `${report.chapters[i].number}`),
      'tasks',
    )
    const rows = report.submissions.map((submission, row) => {
      const text = line(
        names[row],
        columns.map((i) => cells[row][i]),
        sums[row],
      )
      return colour(submission, text)
    })
    return [pc.bold(head), ...rows].join('\n')
  })
  return [...lines, LEGEND, ...remarks(report)].join('\n\n')
}

const LEGEND = 'Tasks done of each chapter.  · untouched   – missing   ! broke (see the report)'

function cellOf({ state, tasksDone, tasks, problems }: ChapterMark): string {
  const broke = problems.length > 0
  if (state === 'missing' || state === 'untouched') return broke ? '!' : state === 'missing' ? '–' : '·'
  return `${tasksDone}/${tasks.length}${state === 'broken' || broke ? '!' : ''}`
}

function colour({ chapters, problems }: SubmissionMark, line: string): string {
  if (problems.length > 0 || chapters.some(({ state }) => state === 'broken')) return pc.yellow(line)
  return chapters.every(({ state }) => state === 'finished') ? pc.green(line) : line
}

/** Column numbers in groups, each no wider than `room`. */
function blocksOf(widths: number[], room: number): number[][] {
  const blocks: number[][] = []
  let left = -1
  widths.forEach((width, i) => {
    if (left < width + 1) {
      blocks.push([])
      left = room
    }
    left -= width + 1
    blocks.at(-1)!.push(i)
  })
  return blocks
}

function remarks({ warnings, identical, submissions }: ClassReport): string[] {
  // A file's name may hold line ends: whoever reads this output line by line must not take it for another line.
  const look = submissions.flatMap(({ name, problems }) =>
    problems.map((text) => `  ${cut(name)}: ${text.replace(/\s+/g, ' ')}`),
  )
  const groups = identical.filter((group) => group.submissions.length > 1).length
  const same = groups > 0 ? [`${count(groups, 'task')} with the same code from more than one: see the report.`] : []
  return [
    ...warnings.map((text) => `${pc.yellow('!')} ${text.replace(/\s+/g, ' ')}`),
    ...(look.length > 0 ? [look.join('\n')] : []),
    ...same,
  ]
}

function cut(name: string): string {
  const flat = name.replace(/\s+/g, ' ')
  return flat.length > MAX_NAME ? `${flat.slice(0, MAX_NAME - 1)}…` : flat
}
