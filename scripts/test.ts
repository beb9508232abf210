import pc from 'picocolors'
import { board, nextStep } from './lib/board.ts'
import { allChapters, type Chapter, chapterHere, findChapter, shownPath } from './lib/chapters.ts'
import { runCommand } from './lib/command.ts'
import { describe } from './lib/gate/green-red.ts'
import { isGreen, ownVariant, remember, runOwn, withRunner } from './lib/own-run.ts'
import { editedPristineFiles } from './lib/pristine.ts'
import { codeOf, isStarted } from './lib/progress.ts'
import { ProgressLine } from './lib/progress-line.ts'
import { chapterReport } from './lib/report.ts'
import type { VariantReport } from './lib/run-tests.ts'
import { count, wrap } from './lib/text.ts'
import { typeProblems } from './lib/types.ts'
import { WrongUse } from './lib/wrong-use.ts'

/**
 * `npm test`: every chapter's tests, on the learner's code where it was started and on the reference elsewhere.
 * `npm test 4 [own]`: chapter 4 on the learner's code; with `own`, the finished chapters beneath it are theirs, too.
 */
await runCommand(async (words) => {
  const own = words.includes('own')
  const [word, surplus] = words.filter((candidate) => candidate !== 'own')
  if (surplus !== undefined) throw new WrongUse(`One chapter at a time: npm test ${word}. All of them: npm test`)
  const chapter = word === undefined ? chapterHere() : findChapter(word)
  warnOfEdits(chapter)
  return chapter ? testOne(chapter, own) : testAll()
})

async function testOne(chapter: Chapter, own: boolean): Promise<0 | 1> {
  const line = new ProgressLine(`chapter ${chapter.number}`)
  const run = await withRunner([ownVariant(chapter, own)], line.step, (runner) => runOwn(runner, chapter))
  line.clear()
  console.log(chapterReport(run))
  return isGreen(run) ? 0 : 1
}

async function testAll(): Promise<0 | 1> {
  const chapters = allChapters()
  const started = chapters.filter(isStarted)
  const code = new Map(started.map((chapter) => [chapter.name, codeOf(chapter)]))
  const variants = chapters.map((chapter) =>
    started.includes(chapter) ? ownVariant(chapter, false) : { id: chapter.name, chapter, conditions: [] },
  )
  const line = new ProgressLine('all chapters')
  const types = started.length > 0 ? typeProblems() : Promise.resolve([])
  const reports = await withRunner(variants, line.step, (runner) => runner.run())
  line.clear()

  let passed = 0
  let red = 0
  for (const report of reports) {
    const { chapter } = report.variant
    const mine = code.get(chapter.name)
    if (mine !== undefined) remember(report, mine)
    const wrongTypes =
      mine === undefined ? [] : (await types).filter(({ file }) => file.startsWith(`${shownPath(chapter)}/`))
    passed += report.tests.filter(({ outcome }) => outcome === 'passed').length
    red += report.tests.length + report.broken.length + report.stray.length + wrongTypes.length
    for (const line of mine === undefined ? referenceLines(report) : ownLines(report, wrongTypes.length)) {
      console.log(`${pc.red('✗')} ${line}`)
    }
  }
  red -= passed
  console.log(`${board()}\n`)
  console.log(
    wrap(
      `${red === 0 ? pc.green(`${count(passed, 'test')} pass.`) : `${passed} pass, ${red} red.`} ${whose(started, chapters)}`,
    ),
  )
  console.log(`\n${nextStep()}`)
  return red === 0 ? 0 : 1
}

/** The reference is red: somebody edited it, or something is wrong with this machine. So all there is to know is told. */
function referenceLines({ variant: { chapter }, tests, broken, stray }: VariantReport): string[] {
  const problems = [...broken.map(({ problem }) => problem), ...stray]
  return [
    ...tests.filter(({ outcome }) => outcome !== 'passed').map((test) => describe(chapter, test)),
    ...problems.map(({ message }) => `chapter ${chapter.number}: ${message}`),
  ].map((text) => `on the reference, ${text}`)
}

/** In one line: `npm test N` tells the rest. */
function ownLines({ variant: { chapter }, tests, broken, stray }: VariantReport, wrongTypes: number): string[] {
  const red = tests.filter(({ outcome }) => outcome !== 'passed').length
  const what = [
    broken.length > 0 ? 'it cannot be loaded' : '',
    red > 0 ? `${count(red, 'test')} red` : '',
    stray.length > 0 ? `${count(stray.length, 'error')} that nobody catches` : '',
    wrongTypes > 0 ? count(wrongTypes, 'type error') : '',
  ].filter(Boolean)
  return what.length > 0
    ? [`chapter ${chapter.number}, on your code: ${what.join(', ')}. See npm test ${chapter.number}`]
    : []
}

function whose(started: Chapter[], chapters: Chapter[]): string {
  if (started.length === 0)
    return "This is the reference's green, not yours yet: it shows that all works on this machine."
  const numbers = started.map(({ number }) => number).join(', ')
  const rest = started.length === chapters.length ? '' : ' The others ran on the reference.'
  return `On your code: chapter ${numbers}.${rest}`
}

/** Somebody edits or copies the reference by mistake: say so, and where the work belongs. */
function warnOfEdits(chapter: Chapter | undefined): void {
  const edited = editedPristineFiles().filter((path) => !chapter || path.startsWith(`chapters/${chapter.name}/`))
  for (const path of edited.slice(0, 5)) {
    const file = path.replace('/solution/', '/src/')
    const advice = path.includes('/solution/')
      ? `Your work belongs in ${file}.`
      : 'The tests and what is given are the same for everybody: undo the change.'
    console.log(wrap(`${pc.yellow('!')} ${path} is not what you cloned. ${advice}`))
  }
}
