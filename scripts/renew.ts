import { resolve } from 'node:path'
import { ROOT } from './lib/chapters.ts'
import { runCommand } from './lib/command.ts'
import { brokenOff, changesOf, planRenewal, renew, settle } from './lib/renew.ts'
import { WrongUse } from './lib/wrong-use.ts'

/** `npm run renew ../workshop-new`: brings a newer version of the workshop into this one. What you wrote in `src/` stays. */
await runCommand(async (words) => {
  const [folder, surplus] = words.filter((word) => word !== 'anyway')
  if (folder === undefined || surplus !== undefined)
    throw new WrongUse('Expected the folder of the new version, for example: npm run renew ../workshop-new')
  const from = resolve(process.env.INIT_CWD ?? process.cwd(), folder)
  const renewal = planRenewal(ROOT, from, words.includes('anyway'))
  const before = brokenOff(ROOT)
  if (before) console.log(`The last time did not come to its end. What it had to tell is in ${before}/changes.txt\n`)
  if (renewal.writes.length + renewal.removals.length === 0) {
    settle(ROOT)
    console.log(`This workshop is as ${folder} has it (version ${renewal.version}). Nothing was changed.`)
    return 0
  }
  try {
    const saved = renew(renewal)
    settle(ROOT)
    console.log(changesOf(renewal, saved))
    return 0
  } catch (error) {
    console.error(`${(error as Error).message}\nNothing of yours is lost. Put that right, and run the command again.`)
    return 1
  }
})
