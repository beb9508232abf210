import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { applyMistake, type Mistake, mistakesOf, recogniseMistakes } from './mistakes.ts'
import type { Outcome, TestReport } from './run-tests.ts'
import { SOLUTION } from './testing/tiny-chapter.ts'
import { chapterOf, workshopCopy } from './testing/workshop-copy.ts'

const copy = workshopCopy({ chapters: ['01-tiny', '02-none'] })
const chapter = chapterOf(copy, '01-tiny')
afterAll(copy.remove)

const mistake = (fields: Partial<Mistake>): Mistake => {
  return { name: 'a', file: 'numbers.ts', old: 'number * 2', new: 'number', red: [], hint: 'A hint.', ...fields }
}

describe('applyMistake', () => {
  it('changes the one place, whatever characters the new text has', () => {
    const texts = applyMistake(chapter, mistake({ new: "'$&$1'" }))
    const file = join(chapter.path, 'solution/numbers.ts')
    expect([...texts]).toEqual([[file, SOLUTION.replace('number * 2', () => "'$&$1'")]])
  })

  it.for<[what: string, fields: Partial<Mistake>, words: string]>([
    ['stands nowhere', { old: 'number * 3' }, '0 times in numbers.ts'],
    ['stands twice', { old: '#endregion' }, '2 times in numbers.ts'],
    ['is in no file', { file: 'gone.ts' }, 'there is no chapters/01-tiny/solution/gone.ts'],
  ])('refuses a text that %s', ([, fields, words]) => {
    expect(() => applyMistake(chapter, mistake(fields))).toThrow(words)
  })
})

describe('recogniseMistakes', () => {
  const list = [
    mistake({ name: 'ab', red: ['a', 'b'] }),
    mistake({ name: 'a', red: ['a'] }),
    mistake({ name: 'b2', red: ['b'] }),
  ]
  /** `a` has passed, `a!` is red, `a?` is red because its task is open. */
  const tests = (words: string): TestReport[] =>
    words.split(' ').map((word) => ({
      task: 1,
      sentence: word[0],
      file: 'a.test.ts',
      line: 1,
      outcome: (/[!?]/.test(word) ? 'failed' : 'passed') as Outcome,
      open: word.endsWith('?'),
      errors: [],
      printed: '',
    }))

  it.for<[red: string, names: string[]]>([
    ['a b c', []],
    ['a! b c', ['a']],
    ['a! b! c', ['ab']],
    ['a! b! c!', []],
    ['a! b c?', ['a']],
    ['a! b? c?', ['ab', 'a']],
    ['a? b! c', ['ab', 'b2']],
    ['a? b? c?', []],
    ['a b c!', []],
  ])('%s: %s', ([red, names]) => {
    expect(recogniseMistakes(list, tests(red)).map(({ name }) => name)).toEqual(names)
  })
})

describe('mistakesOf', () => {
  it('reads the list of a chapter', async () => {
    copy.write('chapters/02-none/mistakes.ts', `export default [${JSON.stringify(mistake({ name: 'b' }))}]\n`)
    expect(await mistakesOf(chapterOf(copy, '02-none'))).toEqual([mistake({ name: 'b' })])
  })

  it('is empty where there is none', async () => {
    expect(await mistakesOf(chapterOf(copy, '03-gone'))).toEqual([])
  })
})
