import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { stateOf } from './lib/board.ts'
import { type Chapter, chapterHere, findChapter, ROOT } from './lib/chapters.ts'
import { runCommand } from './lib/command.ts'
import { onOwnCode } from './lib/own-code.ts'
import { isFinished } from './lib/progress.ts'
import { WrongUse } from './lib/wrong-use.ts'

/** `npm run demo 4 [word]`: the chapter's work in action, on your code where you have finished the chapter. */
await runCommand(async (words) => {
  const here = chapterHere()
  const first = words[0] !== undefined && (!here || words[0] !== 'before') ? findChapter(words.shift()!) : here
  if (!first) throw new WrongUse('Which chapter? For example: npm run demo 1')
  console.log(`Chapter ${first.number}, ${whose(first)}.`)
  console.log()
  const line = onOwnCode(join(first.path, 'demo.ts'), words)
  const { status } = spawnSync(process.execPath, line, { cwd: ROOT, stdio: 'inherit' })
  return status === 0 ? 0 : 1
})

function whose(chapter: Chapter): string {
  if (isFinished(chapter)) return 'on your code'
  if (stateOf(chapter) === 'unknown')
    return `on the reference: yours has changed since its last test (npm test ${chapter.number})`
  return 'on the reference: yours is not finished yet'
}
