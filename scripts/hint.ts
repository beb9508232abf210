import { runCommand } from './lib/command.ts'
import { nextHint, openTask } from './lib/hints.ts'
import { chapterAndTask } from './lib/words.ts'

/** `npm run hint 4 [3]`: the next hint for task 3 of chapter 4, or for its first open task. */
await runCommand(async (words) => {
  const { chapter, task } = chapterAndTask(words, 'npm run hint 1 3')
  console.log(nextHint(chapter, task ?? openTask(chapter)))
  return 0
})
