import { afterAll, beforeEach, expect, it } from 'vitest'
import type { Outcome, TestReport } from './run-tests.ts'
import { SOLUTION } from './testing/tiny-chapter.ts'
import { chapterOf, workshopCopy } from './testing/workshop-copy.ts'

const copy = workshopCopy({ chapters: ['01-one', '02-two'] })
process.env.WORKSHOP_ROOT = copy.root
const { codeOf, isFinished, isStarted, progressOf, recordRun } = await import('./progress.ts')
afterAll(copy.remove)

const [one, two] = ['01-one', '02-two'].map((name) => chapterOf(copy, name))
const src = 'chapters/01-one/src/numbers.ts'
const skeleton = copy.text(src)
beforeEach(() => copy.write(src, skeleton))

/** `1+` is a passed test of task 1, `1-` a failed one, `+` a passed one of what is given. */
const tests = (words: string) =>
  words.split(' ').map((word) => {
    const outcome: Outcome = word.endsWith('+') ? 'passed' : 'failed'
    return { task: Number.parseInt(word, 10) || undefined, outcome } as TestReport
  })

it('is started once src/ differs from the skeleton in more than line ends', () => {
  expect(isStarted(one)).toBe(false)
  copy.write(src, skeleton.replaceAll('\n', '\r\n'))
  expect(isStarted(one)).toBe(false)
  copy.write(src, `${skeleton}\n`)
  expect(isStarted(one)).toBe(true)
})

it('is true for the code that was tested, and for no other', () => {
  expect(progressOf(one)).toBeUndefined()
  copy.write(src, SOLUTION)
  recordRun(one, codeOf(one), tests('1+ 1+ 2+ +'), false)
  expect(isFinished(one)).toBe(true)

  copy.write(src, `${SOLUTION}// more\n`)
  expect(progressOf(one)).toBeUndefined()
  expect(isFinished(one)).toBe(false)

  copy.write(src, SOLUTION)
  expect(isFinished(one), 'the code is back as it was tested').toBe(true)
})

it('is not true once the tests are other ones', () => {
  copy.write(src, SOLUTION)
  recordRun(one, codeOf(one), tests('1+ 2+'), false)
  const file = 'chapters/01-one/tests/numbers.test.ts'
  const old = copy.text(file)
  copy.write(file, `${old}// more\n`)
  expect(isFinished(one)).toBe(false)
  copy.write(file, old)
  expect(isFinished(one)).toBe(true)
})

it('is not true of code that changed while it was tested', () => {
  const tested = codeOf(one)
  copy.write(src, SOLUTION)
  recordRun(one, tested, tests('1+ 2+'), false)
  expect(progressOf(one)).toBeUndefined()
})

it('remembers every chapter by itself, also behind a damaged file', () => {
  recordRun(one, codeOf(one), tests('1-'), false)
  recordRun(two, codeOf(two), tests('1+'), false)
  expect([isFinished(one), isFinished(two)]).toEqual([false, true])
  copy.write('.workshop/progress.json', '{"01-one":')
  expect(progressOf(one)).toBeUndefined()
  recordRun(one, codeOf(one), tests('1-'), false)
  expect(progressOf(one)?.tasks).toEqual({ 1: { passed: 0, total: 1 } })
})

it.for<[words: string, broken: boolean, tasks: object, finished: boolean]>([
  ['1+ 1- 2+', false, { 1: { passed: 1, total: 2 }, 2: { passed: 1, total: 1 } }, false],
  ['1+ 2+ -', false, { 1: { passed: 1, total: 1 }, 2: { passed: 1, total: 1 } }, false],
  ['1+ 2+', true, { 1: { passed: 1, total: 1 }, 2: { passed: 1, total: 1 } }, false],
  ['1+ 2+', false, { 1: { passed: 1, total: 1 }, 2: { passed: 1, total: 1 } }, true],
])('counts %s (broken: %s)', ([words, broken, tasks, finished]) => {
  expect(recordRun(one, codeOf(one), tests(words), broken)).toMatchObject({ tasks, finished })
})

it('is not finished when no test ran', () => {
  expect(recordRun(one, codeOf(one), [], false).finished).toBe(false)
})
