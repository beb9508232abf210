import { basename, relative } from 'node:path'
import pc from 'picocolors'
import { type Chapter, learnerFiles, ROOT, shownPath, type Task, tasksOf } from './chapters.ts'
import { lessonPath, readLesson } from './lesson.ts'
import { type Mistake, recogniseMistakes } from './mistakes.ts'
import { understand } from './problem-words.ts'
import { isStarted } from './progress.ts'
import type { TestProblem, TestReport, VariantReport } from './run-tests.ts'
import { count, head, plain, wrap } from './text.ts'
import type { TypeProblem } from './types.ts'

/** A run of one chapter's tests on the learner's code. */
export interface ChapterRun {
  chapter: Chapter
  report: VariantReport
  types: TypeProblem[]
  mistakes: Mistake[]
}

/** The whole report on one chapter, for the learner to read. Shows one thing to do next, and no more than that in full. */
export function chapterReport({ chapter, report, types, mistakes }: ChapterRun): string {
  const { broken, stray } = report
  // A given test that passes says nothing about the learner's work.
  const tests = report.tests.filter(({ task, outcome }) => task !== undefined || outcome !== 'passed')
  const passed = tests.filter(({ outcome }) => outcome === 'passed').length
  const red = tests.filter(({ outcome }) => outcome !== 'passed')
  const blocks: string[] = [heading(chapter)]
  if (tests.length > 0) blocks.push(taskTable(chapter, tests))
  if (broken.length > 0) blocks.push(brokenBlock(report, types))
  else {
    if (red.length > 0) blocks.push(nextBlock(chapter, tests))
    if (stray.length > 0) blocks.push(strayBlock(stray))
    const known = recogniseMistakes(mistakes, tests)
    if (known.length > 0) blocks.push(mistakeBlock(known))
    if (types.length > 0) blocks.push(typesBlock(types))
  }
  const green = red.length + broken.length + stray.length === 0
  if (tests.length > 0) blocks.push(closing(chapter, passed, tests.length, green, types.length))
  return blocks.join('\n\n')
}

function heading(chapter: Chapter): string {
  return pc.bold(`Chapter ${chapter.number} · ${titleOf(chapter)}`)
}

/** The lesson's title, or the folder's name where there is no lesson to read. */
export function titleOf(chapter: Chapter): string {
  try {
    return readLesson(chapter).title
  } catch {
    return chapter.name
  }
}

function taskTable(chapter: Chapter, tests: TestReport[]): string {
  const rows = tasksOf(chapter).map((task) => {
    const own = tests.filter((test) => test.task === task.number)
    const passed = own.filter(({ outcome }) => outcome === 'passed').length
    const red = own.filter(({ outcome }) => outcome !== 'passed')
    const open = red.every((test) => test.open)
    const mark =
      own.length === 0
        ? pc.dim('?')
        : red.length === 0
          ? pc.green('✓')
          : !open
            ? pc.red('✗')
            : passed > 0
              ? pc.yellow('◐')
              : pc.dim('·')
    return `  ${mark} task ${task.number}  ${`${passed} of ${own.length}`.padEnd(9)} ${titleOfTask(chapter, task)}`
  })
  const given = tests.filter(({ task, outcome }) => task === undefined && outcome !== 'passed')
  return [...rows, ...given.map((test) => `  ${pc.red('✗')} given   ${test.sentence}`)].join('\n')
}

/** The task's heading in the lesson, or what its blank says. */
export function titleOfTask(chapter: Chapter, task: Task): string {
  try {
    return readLesson(chapter).tasks.find(({ number }) => number === task.number)?.title ?? task.text
  } catch {
    return task.text
  }
}

function nextBlock(chapter: Chapter, tests: TestReport[]): string {
  const red = tests.filter(({ outcome }) => outcome !== 'passed')
  if (!isStarted(chapter)) {
    return `${pc.yellow('Nothing is written yet, so red is what you should see.')}\n\n${openTask(chapter, 1)}`
  }
  // A task that was begun and is not right comes before one that was never begun.
  const begun = red
    .filter(({ open }) => !open)
    .sort((a, b) => Number(a.outcome === 'lost') - Number(b.outcome === 'lost'))
  const numbers = (list: TestReport[]) => list.map(({ task }) => task ?? 0)
  if (begun.length === 0) return openTask(chapter, Math.min(...numbers(red)))
  const begunAndRun = begun.filter(({ outcome }) => outcome !== 'lost')
  const task = Math.min(...numbers(begunAndRun.length > 0 ? begunAndRun : begun))
  const [first, ...others] = begun.filter((test) => (test.task ?? 0) === task)
  const blocks = [
    `${pc.bold('Next')}  ${task === 0 ? 'given code' : `task ${task}`}: ${pc.red(first.sentence)}`,
    failure(first, chapter),
  ]
  if (others.length > 0) {
    const shown = others.slice(0, 8).map(({ sentence }) => `  ${pc.red('✗')} ${sentence}`)
    if (others.length > shown.length) shown.push(`  … and ${others.length - shown.length} more`)
    blocks.push(`Also red in this task:\n${shown.join('\n')}`)
  }
  return blocks.join('\n\n')
}

function openTask(chapter: Chapter, number: number): string {
  const task = tasksOf(chapter).find((candidate) => candidate.number === number)
  if (!task) return ''
  return [
    `${pc.bold('Next')}  task ${number}: ${titleOfTask(chapter, task)}`,
    wrap(firstTodo(chapter, task).text, '      '),
    `      start at   ${pc.cyan(firstTodo(chapter, task).place)}`,
    `      lesson     ${lessonPath(chapter)}`,
    `      a hint     npm run hint ${chapter.number} ${number}`,
  ].join('\n')
}

/** The task's first TODO in the learner's files: what it says, and where it stands (`file:line`). */
export function firstTodo(chapter: Chapter, task: Task): { text: string; place: string } {
  const todo = new RegExp(`// TODO\\(task ${task.number}\\): (.*)`)
  const files = learnerFiles(chapter)
  for (const name of new Set(task.blanks.map(({ file }) => file))) {
    const lines = (files.get(name) ?? '').split('\n')
    const line = lines.findIndex((candidate) => todo.test(candidate))
    if (line !== -1)
      return { text: todo.exec(lines[line])![1], place: `${shownPath(chapter, 'src', name)}:${line + 1}` }
  }
  return { text: task.text, place: shownPath(chapter, 'src', task.blanks[0].file) }
}

function failure(test: TestReport, chapter: Chapter): string {
  const lines: string[] = []
  for (const problem of test.errors) lines.push(wrap(head(inWords(problem), 12), '      '))
  if (test.outcome === 'hung') {
    lines.push(
      wrap(
        'This test never came back, and was stopped. Does a loop never end, or does a call wait for something?',
        '      ',
      ),
    )
  }
  if (test.outcome === 'crashed') {
    lines.push(wrap('The process ended in the middle of this test. Was there memory for what it does?', '      '))
  }
  if (test.outcome === 'lost') lines.push(wrap('It could not run: an earlier test ended the process.', '      '))
  const diff = test.errors[0]?.diff
  if (diff) lines.push(head(colourDiff(diff), 20).replace(/^/gm, '      '))
  if (test.printed.trim())
    lines.push(`      it printed:\n${head(test.printed.trimEnd(), 20).replace(/^/gm, '        ')}`)
  const frame = test.errors[0]?.frames.find(({ file }) => file.startsWith(chapter.path) && /[\\/]src[\\/]/.test(file))
  lines.push(`      the test   ${shown(test.file)}:${test.line}`)
  if (frame) lines.push(`      your code  ${pc.cyan(`${shown(frame.file)}:${frame.line}`)}`)
  return lines.join('\n')
}

function inWords(problem: TestProblem): string {
  const told = understand(problem)
  if (told.type === 'timeout')
    return `Nothing came back within ${told.seconds} seconds. Does a promise never settle, or a process wait for input?`
  if (told.type === 'exit')
    return `Your code called process.exit(${told.code}). In an agent that ends everything: return or throw instead.`
  return told.text
}

function colourDiff(diff: string): string {
  return plain(diff)
    .split('\n')
    .map((line) => (/^\s*-/.test(line) ? pc.green(line) : /^\s*\+/.test(line) ? pc.red(line) : line))
    .join('\n')
}

function brokenBlock({ broken, tests }: VariantReport, types: TypeProblem[]): string {
  // TypeScript numbers its syntax errors below 2000, and it tells the place better than whoever met it first at run time.
  const syntax = types.filter(({ code }) => code < 2000)
  if (syntax.length > 0) return `${pc.red('Your code has a syntax error, so no test can run.')}\n\n${typeLines(syntax)}`
  const problems = new Map(broken.map(({ problem }) => [inWords(problem), problem]))
  const lines = [...problems].map(([words, { frames }]) => {
    const place = frames[0] ? `\n      ${pc.cyan(`${shown(frames[0].file)}:${frames[0].line}`)}` : ''
    return wrap(head(words, 12), '      ') + place
  })
  const more = types.length > 0 ? `\n\n${typesBlock(types)}` : ''
  const title =
    tests.length === 0
      ? 'Your code cannot be loaded, so no test can run.'
      : `Your code cannot be loaded by ${broken.map(({ file }) => basename(file)).join(', ')}, whose tests cannot run.`
  return `${pc.red(wrap(title, ''))}\n\n${lines.join('\n')}${more}`
}

function strayBlock(stray: TestProblem[]): string {
  const lines = stray.map((problem) => {
    const frame = problem.frames[0]
    return wrap(inWords(problem), '      ') + (frame ? `\n      ${pc.cyan(`${shown(frame.file)}:${frame.line}`)}` : '')
  })
  return `${pc.red('An error that nobody catches.')} A promise was rejected (or a callback threw) outside of what the tests wait for:\n${[...new Set(lines)].join('\n')}`
}

function mistakeBlock(known: Mistake[]): string {
  const title =
    known.length === 1 ? 'Others were here before you:' : 'Others were here before you. One of these may be it:'
  return `${pc.yellow(title)}\n${known.map(({ hint }) => wrap(hint, '      ')).join('\n\n')}`
}

function typesBlock(types: TypeProblem[]): string {
  return `${pc.red(count(types.length, 'type error'))} (the tests run without types, your editor shows them)\n${typeLines(types)}`
}

function typeLines(types: TypeProblem[]): string {
  const lines = types
    .slice(0, 6)
    .map((p) => `      ${pc.cyan(`${p.file}:${p.line}`)}\n${wrap(typeInWords(p), '      ')}`)
  if (types.length > 6) lines.push(`      … and ${types.length - 6} more`)
  return lines.join('\n')
}

function typeInWords({ message }: TypeProblem): string {
  const mismatch =
    /^(?:Argument of type|Type) '(.+?)' is not assignable to (?:parameter of type|type) '(.+?)'\.([\s\S]*)/.exec(
      message,
    )
  return mismatch ? `expected ${mismatch[2]}, got ${mismatch[1]}${mismatch[3].trimEnd()}` : message
}

function closing(chapter: Chapter, passed: number, total: number, green: boolean, types: number): string {
  const sum = `${passed} of ${count(total, 'test')} pass${passed === 1 ? 'es' : ''}.`
  if (!green) return sum
  if (types > 0) return `${pc.green(sum)} The types are left.`
  return `${pc.green(`${sum} Chapter ${chapter.number} is yours.`)} See it run: npm run demo ${chapter.number}. Beside ours: npm run compare ${chapter.number}`
}

function shown(file: string): string {
  return relative(ROOT, file).replaceAll('\\', '/')
}
