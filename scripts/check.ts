import pc from 'picocolors'
import { allChapters, type Chapter, findChapter } from './lib/chapters.ts'
import { runCommand } from './lib/command.ts'
import { green, red } from './lib/gate/green-red.ts'
import { lessons } from './lib/gate/lessons.ts'
import { mistakes } from './lib/gate/mistakes.ts'
import type { GatePart, PartReport } from './lib/gate/part.ts'
import { skeletons } from './lib/gate/skeletons.ts'
import { style } from './lib/gate/style.ts'
import { units } from './lib/gate/units.ts'

const PARTS = [style, skeletons, green, red, mistakes, lessons, units]

/** `npm run check [part …] [chapter …]`: the maintainer's gate, whole or in part. */
await runCommand(async (words) => {
  const named = PARTS.filter((part) => words.includes(part.name))
  const parts = named.length > 0 ? named : PARTS
  const chapterWords = words.filter((word) => !PARTS.some((part) => part.name === word))
  const chapters = chapterWords.length > 0 ? chapterWords.map((word) => findChapter(word)) : allChapters()

  let passed = 0
  let failed = 0
  for (const part of parts) {
    const report = await runPart(part, chapters)
    passed += report.passed
    failed += report.failures.length
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})

async function runPart(part: GatePart, chapters: Chapter[]) {
  if (process.stdout.isTTY) process.stdout.write(pc.dim(`… ${part.title}\r`))
  const report = await part.run(chapters).catch(couldNotRun)
  const mark = report.failures.length === 0 ? pc.green('✓') : pc.red('✗')
  console.log(`${mark} ${part.name}: ${part.title} (${report.counted})`)
  for (const failure of report.failures) console.log(failure.replace(/^/gm, '    '))
  return report
}

/** A part that breaks down (on a malformed mark, say) has failed: the others still run, and all are counted. */
function couldNotRun(error: Error): PartReport {
  return { counted: 'broke down', passed: 0, failures: [error.message] }
}
