import { afterAll, describe, expect, it } from 'vitest'
import { tasksOf } from '../chapters.ts'
import { toSkeleton } from '../skeleton.ts'
import { chapterOf, workshopCopy } from '../testing/workshop-copy.ts'
import { identicalWork } from './identical.ts'
import { codeOfTasks, givenCode } from './task-code.ts'

const SOLUTION = `export function first(lines: string[]): string {
  // #region task 1: The first line that has a text.
  for (const line of lines) {
    if (line.trim() !== '') return line.trim()
  }
  return ''
  // #endregion
}

export const TABLE = {
  // #region task 2, entries: The entries.
  one: 1,
  // #endregion
}

export class Box {
  put(value: number): number {
    // #region task 2: Twice the value, and no less than one.
    return Math.max(1, value * 2)
    // #endregion
  }
}
`

const copy = workshopCopy({ chapters: ['01-tiny'] })
afterAll(copy.remove)
copy.write('chapters/01-tiny/solution/numbers.ts', SOLUTION)

const solution = new Map([['numbers.ts', SOLUTION]])
const skeleton = new Map([['numbers.ts', toSkeleton(SOLUTION, 'numbers.ts')]])
const given = givenCode({ tasks: tasksOf(chapterOf(copy, '01-tiny')), solution, skeleton })
const codeOf = (text: string) => codeOfTasks(given, new Map([['numbers.ts', text]]))
const digest = (text: string, task: number) => codeOf(text).find((code) => code.task === task)?.digest

describe('codeOfTasks', () => {
  it('has each task of the reference, by the functions that its blanks are in', () => {
    expect(codeOf(SOLUTION).map(({ task }) => task)).toEqual([1, 2])
  })

  it('leaves out what is as it came', () => {
    expect(codeOf(skeleton.get('numbers.ts')!)).toEqual([])
    const half = skeleton.get('numbers.ts')!.replace("throw new Error('TODO(task 1): first')", "return ''")
    expect(codeOf(half).map(({ task }) => task)).toEqual([1])
  })

  it('leaves out a task whose function is gone, and all of a file that does not parse', () => {
    expect(codeOf(SOLUTION.replace('function first', 'function other')).map(({ task }) => task)).toEqual([2])
    expect(codeOf(`${SOLUTION}}`)).toEqual([])
  })

  it('tells one task from the other', () => {
    const other = SOLUTION.replace('value * 2', 'value + value')
    expect(digest(other, 1)).toBe(digest(SOLUTION, 1))
    expect(digest(other, 2)).not.toBe(digest(SOLUTION, 2))
  })
})

describe('identicalWork', () => {
  const code = (task: number, digest: string, size = 100) => ({ task, digest, size })

  it('groups the same code of a task, also with the reference', () => {
    const works = [
      { name: 'ada', code: [code(1, 'x'), code(2, 'r')] },
      { name: 'bob', code: [code(1, 'x'), code(2, 'y')] },
      { name: 'cem', code: [code(1, 'z'), code(2, 'x')] },
    ]
    expect(identicalWork(4, works, [code(2, 'r')])).toEqual([
      { chapter: 4, task: 1, submissions: ['ada', 'bob'], reference: false, size: 100 },
      { chapter: 4, task: 2, submissions: ['ada'], reference: true, size: 100 },
    ])
  })

  it('says nothing of code that is too short', () => {
    const works = ['ada', 'bob'].map((name) => ({ name, code: [code(1, 'x', 39)] }))
    expect(identicalWork(1, works, [code(1, 'x', 39)])).toEqual([])
  })
})
