import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Chapter, ROOT, tasksOf } from '../chapters.ts'
import { type Lesson, readLesson } from '../lesson.ts'
import { fillPage, fillTable } from '../listings.ts'
import { anchorsOf, linksOf, proseOf } from '../page.ts'
import { fillTeaching, TEACHING_PAGE } from '../teaching.ts'
import { commandProblems } from '../teaching-commands.ts'
import { type GatePart, Tally } from './part.ts'

const HEADINGS = [
  'What breaks today',
  'The idea',
  'What the real thing does beyond it',
  'Predict before you code',
  'Check',
  'See it run',
  'Questions',
  'Recap',
]
/** Words that tell a learner who is stuck that they should not be. */
const BELITTLING = /\b(simply|just|easy|easily|obviously|trivial(?:ly)?)\b/gi

/** Pages whose commands are tried against what there is. */
const PAGES_WITH_COMMANDS = [TEACHING_PAGE, 'docs/maintaining.md', 'AGENTS.md']

/** Lessons are complete, and what they show is what the code and the commands say. */
export const lessons: GatePart = {
  name: 'lessons',
  title: 'lessons are complete and quote real code and real runs',
  async run(chapters) {
    const tally = new Tally()
    for (const chapter of chapters) {
      try {
        await checkLesson(chapter, readLesson(chapter), tally)
      } catch (error) {
        tally.count((error as Error).message)
      }
    }
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const current = tally.failures.length > 0 || fillTable(readme) === readme
    tally.count(current ? undefined : 'README.md: the table of chapters is out of date: run npm run lessons')
    for (const path of PAGES_WITH_COMMANDS.filter((path) => existsSync(join(ROOT, path)))) {
      try {
        if (path === TEACHING_PAGE) await checkTeaching(tally)
        checkCommands(path, tally)
      } catch (error) {
        tally.count(`${path}: ${(error as Error).message}`)
      }
    }
    for (const path of pages()) checkLinks(path, tally)
    return tally.report(`${chapters.length} lessons, ${pages().length} pages`)
  },
}

async function checkLesson(chapter: Chapter, lesson: Lesson, tally: Tally): Promise<void> {
  const { path, text } = lesson
  const tests = readTests(chapter)
  const numbers = tasksOf(chapter).map((task) => task.number)
  const say = (ok: boolean, failure: string) => tally.count(ok ? undefined : `${path}: ${failure}`)

  say(lesson.minutes >= 30 && lesson.minutes <= 150, `minutes: expected 30 to 150, got ${lesson.minutes}`)
  say(
    lesson.taskCount === numbers.length,
    `front matter says ${lesson.taskCount} tasks, the solution has ${numbers.length}`,
  )
  for (const heading of HEADINGS) say(text.includes(`\n## ${heading}\n`), `the heading "## ${heading}" is missing`)
  for (const number of numbers) {
    const task = lesson.tasks.find((t) => t.number === number)
    say(task !== undefined, `task ${number} has no heading "## Task ${number}: …"`)
    say((task?.hints.length ?? 0) >= 2, `task ${number} has ${task?.hints.length ?? 0} hints, expected two or three`)
    say(tests.includes(`describe('task ${number}: `), `task ${number} has no tests: describe('task ${number}: …')`)
  }
  for (const word of new Set(proseOf(text).match(BELITTLING))) say(false, `says "${word}": leave the word out`)

  const filled = await fillPage(text)
  for (const problem of filled.problems) say(false, problem)
  say(
    filled.text === text,
    `a listing or a quoted run is out of date: run npm run lessons ${chapter.number}\n${firstChange(text, filled.text)}`,
  )
}

/** The teacher's guide says what lessons, tasks and mistakes say now, and its schedules fit. */
async function checkTeaching(tally: Tally): Promise<void> {
  const text = readFileSync(join(ROOT, TEACHING_PAGE), 'utf8')
  const filled = await fillTeaching(text)
  for (const problem of filled.problems) tally.count(`${TEACHING_PAGE}: ${problem}`)
  const stale = `${TEACHING_PAGE}: out of date: run npm run lessons\n${firstChange(text, filled.text)}`
  tally.count(filled.text === text ? undefined : stale)
}

function checkCommands(path: string, tally: Tally): void {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const words = [...new Set(proseOf(text).match(BELITTLING))].map((word) => `says "${word}": leave the word out`)
  const failures = [...commandProblems(text), ...words]
  if (failures.length === 0) tally.count(undefined)
  for (const failure of failures) tally.count(`${path}: ${failure}`)
}

function readTests(chapter: Chapter): string {
  const folder = join(chapter.path, 'tests')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}

function pages(): string[] {
  const inFolder = (folder: string) =>
    existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)).map((name) => join(folder, name)) : []
  return [...inFolder('.'), ...inFolder('docs'), ...inFolder('docs/chapters')].filter((path) => path.endsWith('.md'))
}

function checkLinks(page: string, tally: Tally): void {
  for (const link of linksOf(readFileSync(join(ROOT, page), 'utf8'))) {
    if (/^(https?|mailto):/.test(link)) {
      tally.count(URL.canParse(link) ? undefined : `${page}: ${link} is no address`)
      continue
    }
    const [file, anchor] = decodeURI(link).split('#')
    const target = file ? join(ROOT, dirname(page), file) : join(ROOT, page)
    if (!existsSync(target)) tally.count(`${page}: the link ${link} leads nowhere`)
    else if (anchor && target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)) {
      tally.count(`${page}: ${file || 'the page'} has no heading #${anchor}`)
    } else tally.count(undefined)
  }
}

function firstChange(old: string, now: string): string {
  const a = old.split('\n')
  const b = now.split('\n')
  const index = a.findIndex((line, i) => line !== b[i])
  return `line ${index + 1}\n  is:     ${a[index] ?? '(end)'}\n  should: ${b[index] ?? '(end)'}`
}
