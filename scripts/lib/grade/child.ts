import { createWriteStream } from 'node:fs'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { allChapters, type Chapter, findChapter, learnerFiles, ROOT } from '../chapters.ts'
import { understand } from '../problem-words.ts'
import { type TestProblem, type TestReport, TestRunner, type Variant } from '../run-tests.ts'
import { plain } from '../text.ts'
import { typeProblems } from '../types.ts'
import {
  type Job,
  MAX_PROBLEMS,
  MAX_TESTS,
  MAX_TEXT,
  type Message,
  REPORT_FD,
  type TestOutcome,
  writeLine,
} from './protocol.ts'
import { codeOfTasks } from './task-code.ts'

/**
 * The process that runs one submission, in a stage of its own: chapter after chapter, each with the reference's code for
 * all the others. It reports on a pipe, and whoever started it ends it when it takes too long.
 */

const job = JSON.parse(await text(process.stdin)) as Job
const pipe = createWriteStream('', { fd: REPORT_FD })
const report = (message: Message) => pipe.write(writeLine(job.nonce, message))
const chapters = job.chapters.map((name) => findChapter(name))

if (chapters.length > 0) await runTests(chapters)
if (job.types) report({ type: 'types', problems: await typesOf() })
report({ type: 'end' })
pipe.end(() => process.exit(0))

async function runTests(chapters: Chapter[]): Promise<void> {
  const variants = chapters.map((chapter): Variant => {
    return { id: chapter.name, chapter, conditions: [chapter.condition] }
  })
  const runner = await TestRunner.create(variants, {
    // Whoever started this process runs several of them.
    lanes: 1,
    locations: job.locations,
    onTest: ({ id }, test) => report({ type: 'test', chapter: id, test: toOutcome(test) }),
  })
  for (const { name } of chapters) {
    report({ type: 'start', chapter: name })
    report({ type: 'code', chapter: name, code: codeOfTasks(job.given[name], learnerFiles(findChapter(name))) })
    const started = performance.now()
    const [{ tests, broken, stray }] = await runner.run({ ids: [name] })
    report({
      type: 'chapter',
      chapter: name,
      tests: tests.slice(0, MAX_TESTS).map(toOutcome),
      broken: broken.slice(0, MAX_PROBLEMS).map(({ file, problem }) => short(`${basename(file)}: ${words(problem)}`)),
      stray: stray.slice(0, MAX_PROBLEMS).map((problem) => short(words(problem))),
      milliseconds: Math.round(performance.now() - started),
    })
  }
  await runner.close()
}

function toOutcome({ sentence, task, file, line, outcome, open, errors, printed }: TestReport): TestOutcome {
  const red = outcome !== 'passed'
  const problem = red ? errors.map((error) => `${words(error)}${error.diff ? `\n${error.diff}` : ''}`).join('\n') : ''
  return {
    ...{ sentence: short(sentence), task, file: basename(file).slice(0, 200), line, outcome, open },
    ...{ problem: short(problem), printed: red ? short(printed) : '' },
  }
}

/** What went wrong, for a reader who knows no Vitest. */
function words(problem: TestProblem): string {
  const told = understand(problem)
  if (told.type === 'timeout') return `Nothing came back within ${told.seconds} seconds.`
  if (told.type === 'exit') return `The code called process.exit(${told.code}).`
  return told.text
}

/** Cut to what a report can hold, and without the stage's own folder, which nobody else has. */
function short(text: string): string {
  return plain(text.slice(0, 2 * MAX_TEXT))
    .replaceAll(`${ROOT}/`, '')
    .slice(0, MAX_TEXT)
}

async function typesOf() {
  // On a busy machine TypeScript takes its time, and none of the code under test runs meanwhile.
  const sign = setInterval(() => report({ type: 'working' }), 1000)
  const problems = await typeProblems().finally(() => clearInterval(sign))
  return allChapters().flatMap(({ name }) =>
    problems
      .filter(({ file }) => file.startsWith(`chapters/${name}/`))
      .slice(0, MAX_PROBLEMS)
      .map(({ file, line, message }) => ({ chapter: name, text: short(`${file}:${line}: ${message}`) })),
  )
}
