import { allChapters } from './chapters.ts'
import { isFinished } from './progress.ts'

const CLOSED_PIPE = new URL('./closed-pipe.ts', import.meta.url).href

/** What Node is given to run a script on the learner's code in the chapters that are finished, and on the reference elsewhere. */
export function onOwnCode(script: string, words: string[]): string[] {
  const conditions = allChapters()
    .filter(isFinished)
    .map(({ condition }) => `--conditions=${condition}`)
  return ['--import', 'tsx', '--import', CLOSED_PIPE, ...conditions, script, ...words]
}
