import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { allChapters, type Chapter, findChapter, ROOT, solutionFiles, tasksOf } from './chapters.ts'
import { lessonPath, readLesson } from './lesson.ts'
import type { FilledPage } from './listings.ts'
import { type Mistake, mistakesOf } from './mistakes.ts'
import { titleOfTask } from './report.ts'
import { type CourseChapter, makeSchedule, series, showSchedule, taskMinutes } from './schedule.ts'
import { findBlanks } from './skeleton.ts'
import { PLANS, SHORT } from './teaching-plan.ts'

/** The teacher's guide, from the root. */
export const TEACHING_PAGE = 'docs/teaching.md'

/** What the guide says of each chapter, in this order. */
const PARTS = ['The one idea.', 'Show.', 'Ask.', 'Where people get stuck.', 'Check out.', 'Short of time.']
const MARKED = /<!-- (schedule|stuck|short): ([\w-]+) -->\n[\s\S]*?<!-- \/\1 -->/g

/** Fills the guide's schedules, and what it says of each chapter's mistakes and tasks. */
export async function fillTeaching(text: string): Promise<FilledPage> {
  const problems: string[] = []
  let filled = text
  for (const [old, kind, name] of text.matchAll(MARKED)) {
    try {
      const body = kind === 'schedule' ? scheduleOf(name) : await aboutChapter(kind, findChapter(name))
      if (body === undefined) continue
      filled = filled.replace(old, () => `<!-- ${kind}: ${name} -->\n${body}\n<!-- /${kind} -->`)
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  return { text: filled, problems: [...problems, ...missingParts(text)] }
}

function scheduleOf(name: string): string {
  const plan = PLANS.find((candidate) => candidate.name === name)
  if (!plan) throw new Error(`There is no schedule "${name}", only ${PLANS.map((p) => p.name).join(', ')}.`)
  return showSchedule(makeSchedule(plan, withLesson().map(courseChapter)))
}

/** Undefined where the chapter has no lesson yet. */
async function aboutChapter(kind: string, chapter: Chapter): Promise<string | undefined> {
  if (!withLesson().some(({ name }) => name === chapter.name)) return undefined
  return kind === 'stuck' ? stuck(chapter, await mistakesOf(chapter)) : short(courseChapter(chapter))
}

const withLesson = () => allChapters().filter((chapter) => existsSync(join(ROOT, lessonPath(chapter))))

function courseChapter(chapter: Chapter): CourseChapter {
  const { title, minutes } = readLesson(chapter)
  const tasks = tasksOf(chapter).map(({ number, blanks }) => ({
    number,
    lines: blanks.reduce((sum, { start, end }) => sum + end - start, 0),
  }))
  const exists = (task: number) => tasks.some(({ number }) => number === task)
  return { number: chapter.number, title, minutes, tasks, short: (SHORT[chapter.number] ?? []).filter(exists) }
}

/** The known mistakes, each under the task in whose blank it is made. */
function stuck(chapter: Chapter, mistakes: Mistake[]): string {
  const groups = tasksOf(chapter).map((task) => ({
    heading: `Task ${task.number}: ${titleOfTask(chapter, task)}`,
    lines: mistakes.filter((mistake) => taskOf(chapter, mistake) === task.number).map(told),
  }))
  const others = mistakes.filter((mistake) => taskOf(chapter, mistake) === undefined).map(told)
  const shown = [...groups, { heading: 'In the chapter as a whole', lines: others }]
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => `*${heading}*\n\n${lines.join('\n')}`)
  const summary = `<details><summary>The ${mistakes.length} wrong turns that a run recognises</summary>`
  return [summary, ...shown, '</details>'].join('\n\n')
}

const told = ({ name, hint }: Mistake) => `- **${name.replaceAll('-', ' ')}**: ${asProse(hint)}`

function taskOf(chapter: Chapter, { file, old }: Mistake): number | undefined {
  const text = solutionFiles(chapter).get(file) ?? ''
  const at = text.indexOf(old)
  if (at === -1) return undefined
  const line = text.slice(0, at).split('\n').length - 1
  return findBlanks(text, file).find(({ start, end }) => line >= start && line < end)?.task
}

/** A hint is plain text with back-ticks: what Markdown would read as its own is escaped outside of them. */
function asProse(hint: string): string {
  return hint
    .split(/(`[^`]*`)/)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replace(/[\\*_<[\]]/g, '\\$&')))
    .join('')
}

function short(chapter: CourseChapter): string {
  const minutes = taskMinutes(chapter)
  const rest = chapter.tasks.map(({ number }) => number).filter((number) => !chapter.short.includes(number))
  if (rest.length === 0) return 'Every task is worth its time.'
  const saved = rest.reduce((sum, task) => sum + minutes.get(task)!, 0)
  const commands = rest.map((task) => `\`npm run compare ${chapter.number} ${task}\``)
  const taken = `task${rest.length === 1 ? '' : 's'} ${series(rest)}`
  return `Let them write task${chapter.short.length === 1 ? '' : 's'} ${series(chapter.short)}, and take ${taken} from ours (${commands.join(', ')}): about ${saved} minutes less.`
}

/** What the guide does not say yet, of a chapter that has a lesson or of a schedule. */
function missingParts(text: string): string[] {
  const schedules = PLANS.filter(({ name }) => !text.includes(`<!-- schedule: ${name} -->`))
  const problems = schedules.map(({ name }) => `the schedule "${name}" is missing`)
  problems.push(...withLesson().flatMap(shortProblems))
  for (const chapter of withLesson()) {
    const heading = `### ${chapter.name.slice(0, 2)} · ${readLesson(chapter).title}`
    const [, section] = text.split(`\n${heading}\n`)
    if (section === undefined) {
      problems.push(`the heading "${heading}" is missing`)
      continue
    }
    const own = section.split(/^##/m)[0]
    const wanted = [
      ...PARTS.map((part) => `**${part}**`),
      ...['stuck', 'short'].map((k) => `<!-- ${k}: ${chapter.name} -->`),
    ]
    for (const part of wanted) if (!own.includes(part)) problems.push(`chapter ${chapter.number} has no ${part}`)
  }
  return problems
}

/** Tasks of the plan that the chapter does not have: it has been rearranged since. */
function shortProblems(chapter: Chapter): string[] {
  const tasks = tasksOf(chapter).map(({ number }) => number)
  const chosen = SHORT[chapter.number] ?? []
  if (chosen.length === 0) return [`teaching-plan.ts: SHORT has no tasks of chapter ${chapter.number}`]
  return chosen
    .filter((task) => !tasks.includes(task))
    .map((task) => `teaching-plan.ts: SHORT names task ${task} of chapter ${chapter.number}, which it does not have`)
}
