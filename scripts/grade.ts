import { relative } from 'node:path'
import { allChapters, findChapter, ROOT } from './lib/chapters.ts'
import { runCommand } from './lib/command.ts'
import { gradeClass } from './lib/grade/grade-class.ts'
import { readOptions } from './lib/grade/options.ts'
import { ProgressBar } from './lib/grade/progress-bar.ts'
import { DEFAULT_LIMITS } from './lib/grade/run-chapters.ts'
import { findSandbox } from './lib/grade/sandbox.ts'
import { findFolders, readSubmissions } from './lib/grade/submissions.ts'
import { reportTable } from './lib/grade/table.ts'
import { readWorkshop } from './lib/grade/workshop.ts'
import { writeReports } from './lib/grade/write-reports.ts'
import { WrongUse } from './lib/wrong-use.ts'

// Leave by the front door: on the way out, what still runs is ended and its folders are deleted.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

/** `npm run grade FOLDER [word …]`: marks the submissions in a folder, prints a table and writes the reports. */
await runCommand(async (words) => {
  const here = process.env.INIT_CWD ?? process.cwd()
  const { out, ...options } = readOptions(words, here)
  const named = options.chapters.map((word) => findChapter(word))
  const chapters =
    named.length > 0 ? allChapters().filter(({ name }) => named.some((c) => c.name === name)) : allChapters()
  const folders = findFolders(options.submissions)
  if (options.points && folders.length > 1)
    throw new WrongUse(`points: expected one submission, got ${folders.length} folders.`)

  // Everything is read before anything runs: from then on nobody can change what somebody else is marked by.
  const workshop = await readWorkshop(ROOT, chapters)
  const submissions = readSubmissions(
    folders,
    chapters.map(({ name }) => name),
  )
  // The reference is marked, too.
  const bar = new ProgressBar(submissions.length + 1)
  const report = await gradeClass(submissions, {
    workshop,
    sandbox: options.sandbox ? findSandbox() : undefined,
    hidden: [...folders, out],
    types: options.types,
    jobs: options.jobs,
    limits: DEFAULT_LIMITS,
    onProgress: bar.step,
  }).finally(() => bar.clear())
  const paths = writeReports(report, out, { points: options.points })
  console.log(`${reportTable(report)}\n\n${paths.map((path) => relative(here, path) || path).join('\n')}`)
  return 0
})
