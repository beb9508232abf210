import { confirm } from './lib/ask.ts'
import { runCommand } from './lib/command.ts'
import { isStarted } from './lib/progress.ts'
import { resetChapter } from './lib/reset.ts'
import { chapterAndTask } from './lib/words.ts'
import { WrongUse } from './lib/wrong-use.ts'

/** `npm run reset 4`: the pristine skeleton of chapter 4. Asks first, and saves your code before. */
await runCommand(async (words) => {
  const { chapter, task, rest } = chapterAndTask(words, 'npm run reset 1')
  if (task) throw new WrongUse(`A chapter is reset whole: npm run reset ${chapter.number}`)
  if (!isStarted(chapter)) {
    console.log(`Chapter ${chapter.number} is as it came: there is nothing to reset.`)
    return 0
  }
  const question = `Start chapter ${chapter.number} anew? Your code is saved first.`
  if (!(await confirm(question, 'yes', rest))) {
    console.log('Nothing was changed.')
    return 0
  }
  const saved = resetChapter(chapter)
  console.log(`Chapter ${chapter.number} is as it came. Your code is in ${saved}`)
  return 0
})
