import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { tasksOf } from './chapters.ts'
import { compareTask } from './compare.ts'
import { SOLUTION } from './testing/tiny-chapter.ts'
import { chapterOf, workshopCopy } from './testing/workshop-copy.ts'
import { plain } from './text.ts'

const copy = workshopCopy({ chapters: ['01-tiny'] })
const chapter = chapterOf(copy, '01-tiny')
const src = 'chapters/01-tiny/src/numbers.ts'
const skeleton = copy.text(src)
afterAll(copy.remove)

const DOUBLE = `/** Twice the number. */
export function double(number: number): number {
  return number + number
}
`
const SUM = `/** The sum of the numbers: 0 for none. */
export async function sum(numbers: number[]): Promise<number> {
  return numbers.reduce((a, b) => a + b, 0)
}
`
const HELPER = 'function help(text: string): string {\n  return text\n}\n'

/** Attempts at both tasks: whatever people do to a file. */
const ATTEMPTS: Record<string, string> = {
  'a plain one': `${DOUBLE}\n${SUM}`,
  'one with the TODO comments left': `${DOUBLE}\n${SUM}`.replace(
    '  return',
    '  // TODO(task 1): Return twice the number.\n  return',
  ),
  'a helper function above': `${HELPER}\n${DOUBLE}\n${SUM}`,
  'a helper function between': `${DOUBLE}\n${HELPER}\n${SUM}`,
  'a helper function below': `${DOUBLE}\n${SUM}\n${HELPER}`,
  'renamed variables': `${DOUBLE}\n${SUM}`.replaceAll(/\bnumber(s?)\b(?=[: ]|\.r)(?!: number)/g, 'n$1'),
  'renamed parameters': `${DOUBLE}\n${SUM}`.replace('(number:', '(given:').replace('(numbers:', '(all:'),
  'no doc comments': `${DOUBLE}\n${SUM}`.replaceAll(/\/\*\*.*\n/g, ''),
  'functions in another order': `${SUM}\n${DOUBLE}`,
  'Windows line ends': `${DOUBLE}\n${SUM}`.replaceAll('\n', '\r\n'),
}

function compare(task: number): string {
  return plain(compareTask(chapter, tasksOf(chapter)[task - 1]))
}

describe('compareTask', () => {
  it.for(Object.keys(ATTEMPTS))('shows one task and no other: %s', (name) => {
    copy.write(src, ATTEMPTS[name])
    const [first, second] = [compare(1), compare(2)]
    expect(first).toMatch(/^- {3}return \w+ \+ \w+$/m)
    expect(first).toMatch(/^\+ {3}return number \* 2$/m)
    expect(first).not.toMatch(/total|reduce/)
    expect(second).toMatch(/^- {3}return \w+\.reduce/m)
    expect(second).toMatch(/^\+ {3}for \(const number of numbers\) total \+= number$/m)
    expect(second).not.toMatch(/\* 2|\w+ \+ number/)
  })

  it('says in which file and line it stands', () => {
    copy.write(src, `${HELPER}\n${DOUBLE}\n${SUM}`)
    expect(compare(1)).toMatch(/^chapters\/01-tiny\/src\/numbers\.ts:7 /)
  })

  it('shows what is the same in both without a mark', () => {
    copy.write(src, SOLUTION.replaceAll(/ *\/\/ #.*\n/g, ''))
    expect(compare(1)).toMatch(/\n {4}return number \* 2$/)
  })

  it('shows the blank of a task that was not begun', () => {
    copy.write(src, skeleton)
    expect(compare(2)).toContain("-   throw new Error('TODO(task 2): sum')")
    expect(compare(2)).not.toContain('double')
  })

  it('says that the file is missing', () => {
    rmSync(join(copy.root, src))
    expect(compare(1)).toBe(`${src} is missing.`)
  })
})
