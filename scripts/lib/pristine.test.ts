import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { workshopCopy } from './testing/workshop-copy.ts'

const copy = workshopCopy({ chapters: ['01-one', '02-two'], folder: 'a wörkshop' })
process.env.WORKSHOP_ROOT = copy.root
const { editedPristineFiles, PRISTINE_FILE, pristineChecksums } = await import('./pristine.ts')
afterAll(copy.remove)

const solution = 'chapters/01-one/solution/numbers.ts'
const text = copy.text(solution)

beforeEach(() => {
  copy.write(solution, text)
  copy.write(PRISTINE_FILE, JSON.stringify(pristineChecksums()))
})

it('lists what nobody should change, and nothing of the learner', () => {
  expect(Object.keys(pristineChecksums())).toEqual([
    solution,
    'chapters/01-one/tests/numbers.test.ts',
    'chapters/02-two/solution/numbers.ts',
    'chapters/02-two/tests/numbers.test.ts',
  ])
})

it.for<[what: string, change: () => void, expected: string[]]>([
  ['nothing', () => {}, []],
  ['an edit', () => copy.edit(solution, 'let total', 'var total'), [solution]],
  ['other line ends', () => copy.write(solution, text.replaceAll('\n', '\r\n')), []],
  ['a deletion', () => rmSync(join(copy.root, solution)), [solution]],
  ['a new file', () => copy.write('chapters/02-two/given/deep/a.ts', ''), ['chapters/02-two/given/deep/a.ts']],
  ['the work of the learner', () => copy.write('chapters/01-one/src/numbers.ts', text), []],
  ['a list that is gone', () => rmSync(join(copy.root, PRISTINE_FILE)), []],
])('tells of %s', ([, change, expected]) => {
  change()
  expect(editedPristineFiles()).toEqual(expected)
})
