import { afterAll, expect, it } from 'vitest'
import type { TestReport } from './run-tests.ts'
import { chapterOf, workshopCopy } from './testing/workshop-copy.ts'
import { plain } from './text.ts'

const copy = workshopCopy({ chapters: ['01-one', '02-two'] })
process.env.WORKSHOP_ROOT = copy.root
const { tasksOf } = await import('./chapters.ts')
const { nextHint, openTask } = await import('./hints.ts')
const { codeOf, recordRun } = await import('./progress.ts')
afterAll(copy.remove)

const [one, two] = ['01-one', '02-two'].map((name) => chapterOf(copy, name))
const [first, second] = tasksOf(one)

it('gives one hint more at each call, task by task, and the last one again', () => {
  const starts = [first, first, second, first].map((task) => plain(nextHint(one, task)).split('\n\n'))
  expect(starts).toEqual([
    ['Hint 1 of 2 for task 1', '  First hint of task 1.', 'Another one: npm run hint 1 1'],
    ['Hint 2 of 2 for task 1', '  Last hint of task 1.', expect.stringContaining('npm run compare 1 1')],
    ['Hint 1 of 2 for task 2', '  First hint of task 2.', 'Another one: npm run hint 1 2'],
    ['Hint 2 of 2 for task 1', '  Last hint of task 1.', expect.stringContaining('npm run compare 1 1')],
  ])
})

it('makes paragraphs one line each, and leaves code and lists as they are', () => {
  copy.edit('docs/chapters/02-two.md', 'First hint of task 1.', 'One\ntwo.\n\n- a\n- b\n\n```ts\nlet a\nlet b\n```')
  expect(plain(nextHint(two, first))).toContain('  One two.\n\n  - a\n  - b\n\n  ```ts\n  let a\n  let b\n  ```')
})

it('says that there is none', () => {
  expect(nextHint(one, { ...first, number: 7 })).toBe('docs/chapters/01-one.md has no hint for task 7.')
})

it('is for the first task that is not known to be green, and for the last one when all are', () => {
  const test = (task: number, outcome: string) => ({ task, outcome }) as TestReport
  expect(openTask(one).number).toBe(1)
  recordRun(one, codeOf(one), [test(1, 'passed'), test(2, 'failed')], false)
  expect(openTask(one).number).toBe(2)
  recordRun(one, codeOf(one), [test(1, 'passed'), test(2, 'passed')], false)
  expect(openTask(one).number).toBe(2)
  copy.edit('chapters/01-one/src/numbers.ts', 'Twice', 'Double')
  expect(openTask(one).number, 'nothing is known of this code').toBe(1)
})
