import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { workshopCopy } from './testing/workshop-copy.ts'
import { WrongUse } from './wrong-use.ts'

const copy = workshopCopy({ chapters: ['01-one', '02-two'] })
process.env.WORKSHOP_ROOT = copy.root
const { chapterAndTask } = await import('./words.ts')
afterAll(copy.remove)
afterEach(() => {
  delete process.env.INIT_CWD
})

/** Where the command is called from: the root, or the folder of chapter 2. */
const call = (words: string, here: boolean) => {
  process.env.INIT_CWD = here ? join(copy.root, 'chapters/02-two/src') : copy.root
  return chapterAndTask(words.split(' ').filter(Boolean), 'npm run hint 1 3')
}

it.for<[words: string, here: boolean, chapter: string, task: number | undefined, rest: string]>([
  ['1', false, '01-one', undefined, ''],
  ['1 2', false, '01-one', 2, ''],
  ['01-one 2 anyway', false, '01-one', 2, 'anyway'],
  ['yes 2', false, '02-two', undefined, 'yes'],
  ['', true, '02-two', undefined, ''],
  ['yes', true, '02-two', undefined, 'yes'],
  ['1', true, '01-one', undefined, ''],
  ['2 1', true, '02-two', 1, ''],
])('reads "%s" (inside a chapter: %s)', ([words, here, chapter, task, rest]) => {
  const chosen = call(words, here)
  expect([chosen.chapter.name, chosen.task?.number, chosen.rest.join(' ')]).toEqual([chapter, task, rest])
})

it.for<[words: string, expected: string]>([
  ['', 'Which chapter? For example: npm run hint 1 3'],
  ['yes', 'Which chapter? For example: npm run hint 1 3'],
  ['1 2 3', 'Expected a chapter and a task, got "1 2 3". For example: npm run hint 1 3'],
  ['7', 'There is no chapter "7"'],
  ['1 7', 'Chapter 1 has no task "7"'],
])('refuses "%s"', ([words, expected]) => {
  expect(() => call(words, false)).toThrow(WrongUse)
  expect(() => call(words, false)).toThrow(expected)
})
