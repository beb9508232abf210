import { confirm } from './lib/ask.ts'
import { type Chapter, tasksOf } from './lib/chapters.ts'
import { runCommand } from './lib/command.ts'
import { compareTask } from './lib/compare.ts'
import { ownVariant, runOwn, withRunner } from './lib/own-run.ts'
import { progressOf } from './lib/progress.ts'
import { ProgressLine } from './lib/progress-line.ts'
import { chapterAndTask } from './lib/words.ts'

/** `npm run compare 4 [3]`: your code of task 3 (or of every task) beside the reference's. Asks first where it is not green. */
await runCommand(async (words) => {
  const { chapter, task, rest } = chapterAndTask(words, 'npm run compare 1 3')
  const tasks = task ? [task] : tasksOf(chapter)
  const results = (progressOf(chapter) ?? (await testNow(chapter)))?.tasks
  const red = tasks.filter(({ number }) => {
    const result = results?.[number]
    return !result || result.passed < result.total
  })
  if (red.length > 0) {
    const names = red.map(({ number }) => number).join(', ')
    const question = `Task ${names} of chapter ${chapter.number} is not green yet. This shows you the solution. Go on?`
    if (!(await confirm(question, 'anyway', rest))) return 0
  }
  for (const one of tasks) console.log(`${compareTask(chapter, one)}\n`)
  return 0
})

async function testNow(chapter: Chapter) {
  const line = new ProgressLine(`testing chapter ${chapter.number}`)
  await withRunner([ownVariant(chapter, false)], line.step, (runner) => runOwn(runner, chapter))
  line.clear()
  return progressOf(chapter)
}
