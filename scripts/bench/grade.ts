import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allChapters, findChapter, ROOT } from '../lib/chapters.ts'
import type { ClassReport } from '../lib/grade/report.ts'
import { type Expected, LEFT_BEHIND, type Made, makeClass } from './class-of-thirty.ts'

/**
 * Makes a class of thirty, marks it, and compares the report with how each was made:
 * `node --import vitest/node --import tsx scripts/bench/grade.ts [all-mistakes] [keep] [no-sandbox] [chapter …]`.
 * `all-mistakes`: as many submissions as it takes to make every known mistake, and nothing hostile.
 * Prints what differs and the time; exit code 1 when anything differs.
 */
const words = process.argv.slice(2)
const has = (word: string) => words.includes(word)
const named = words.filter((word) => /^\d/.test(word)).map((word) => findChapter(word))
const chapters = named.length > 0 ? named : allChapters()

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-class-of-thirty-')))
const workshop = join(folder, 'workshop')
cpSync(ROOT, workshop, { recursive: true, filter: (path) => !/[\\/](node_modules|\.git|\.workshop)$/.test(path) })
symlinkSync(join(ROOT, 'node_modules'), join(workshop, 'node_modules'))

try {
  const made = await makeClass({
    ...{ folder: join(folder, 'class'), workshop, chapters },
    ...{ mistakes: has('all-mistakes') ? 34 : 9, hostile: !has('all-mistakes') },
  })
  const before = digest(workshop)
  const { seconds, report } = grade()
  const problems = [
    ...made.flatMap((one) => differences(one, report)),
    ...report.submissions
      .filter(({ name }) => !made.some((one) => one.name === name))
      .map(({ name }) => `who is ${name}?`),
    ...(report.identical.some(({ submissions, reference }) => !reference && submissions.join() === 'copier,mistake-0')
      ? []
      : ['the copier was not found']),
    // Somebody tries to. In a sandbox it does not work, and elsewhere it is told.
    ...(digest(workshop) === before || report.warnings.some((text) => text.includes('demo.ts'))
      ? []
      : ['the workshop was changed']),
    ...(spawnSync('pgrep', ['-f', `sleep ${LEFT_BEHIND}`]).status === 0 ? ['a process was left behind'] : []),
  ]
  for (const text of [...report.warnings.map((warning) => `warning: ${warning}`), ...problems]) console.log(text)
  const cells = made.length * chapters.length
  console.log(
    `${made.length} submissions of ${chapters.length} chapters (${report.contained}): ${seconds.toFixed(0)} s`,
  )
  console.log(`${cells - problems.length} as they were made, ${problems.length} differ`)
  if (problems.length > 0) process.exitCode = 1
} finally {
  if (has('keep')) console.log(folder)
  else rmSync(folder, { recursive: true, force: true })
}

function grade(): { seconds: number; report: ClassReport } {
  const options = ['out', join(folder, 'grades'), ...(has('no-sandbox') ? ['no-sandbox'] : [])]
  const chosen = named.length > 0 ? ['chapters', ...named.map(({ number }) => String(number))] : []
  const jobs = words.find((word) => word.startsWith('jobs='))
  const script = ['--import', 'vitest/node', '--import', 'tsx', 'scripts/grade.ts', join(folder, 'class')]
  const started = performance.now()
  execFileSync(process.execPath, [...script, ...options, ...chosen, ...(jobs ? [`--${jobs}`] : [])], {
    cwd: workshop,
    stdio: 'inherit',
  })
  const seconds = (performance.now() - started) / 1000
  return { seconds, report: JSON.parse(readFileSync(join(folder, 'grades/report.json'), 'utf8')) }
}

function differences({ name, chapters, others }: Made, report: ClassReport): string[] {
  const submission = report.submissions.find((one) => one.name === name)
  if (!submission) return [`${name} is not in the report`]
  return submission.chapters.flatMap((mark) => {
    const { state, tasks, mistake, problem }: Expected = chapters.get(mark.chapter) ?? others
    const wrong = [
      state !== undefined && ![state].flat().includes(mark.state) ? `is ${mark.state}, not ${state}` : '',
      tasks !== undefined && mark.tasksDone !== tasks ? `has ${mark.tasksDone} tasks, not ${tasks}` : '',
      mistake !== undefined && !mark.mistakes.some((one) => one.name === mistake)
        ? `mistake ${mistake} is not recognised`
        : '',
      problem !== undefined && !problem.test(mark.problems.join()) ? `no problem says ${problem}` : '',
    ].filter(Boolean)
    const red = mark.red.map(({ sentence, outcome }) => `${outcome}: ${sentence}`).slice(0, 9)
    return wrong.length > 0
      ? [
          `${name}, chapter ${mark.chapter}: ${wrong.join(', ')} (${[...mark.problems, ...red].join('; ').slice(0, 900)})`,
        ]
      : []
  })
}

/** A digest of the workshop's files: nothing of what a submission does may show in it. */
function digest(root: string): string {
  const hash = createHash('sha256')
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !path.includes('/.workshop/')) hash.update(path).update(readFileSync(path))
  }
  return hash.digest('hex')
}
