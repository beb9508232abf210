import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readOptions } from './options.ts'

const read = (line: string) => readOptions(line.split(' ').filter(Boolean), resolve('/work'))

describe('readOptions', () => {
  it('needs a folder only', () => {
    expect(read('class')).toEqual({
      ...{ submissions: resolve('/work/class'), out: resolve('/work/class-grades'), chapters: [], types: false },
      ...{ jobs: 2 * availableParallelism(), points: false, sandbox: true },
    })
  })

  it.for([
    ['../list.txt', resolve('/list-grades')],
    ['a/b/', resolve('/work/a/b-grades')],
    ['.', resolve('/work-grades')],
    ['class out x', resolve('/work/x')],
    ['class --out=x/y', resolve('/work/x/y')],
  ])('writes the reports on "%s" to %s', ([line, out]) => {
    expect(read(line).out).toBe(out)
  })

  it.for([
    'class chapters 1 02 3-contract jobs 2 types points no-sandbox',
    '--jobs=2 class --types --chapters 1 02 3-contract --points --no-sandbox',
    'class --chapters=1 --chapters=02 --chapters=3-contract --jobs 2 --types --points --no-sandbox',
  ])('reads "%s"', (line) => {
    const wanted = { chapters: ['1', '02', '3-contract'], jobs: 2, types: true, points: true, sandbox: false }
    expect(read(line)).toMatchObject({ ...wanted, submissions: resolve('/work/class') })
  })

  it.for([
    ['', 'Expected a folder'],
    ['class other', 'Unknown word "other"'],
    ['class --fast', 'Unknown --fast'],
    ['class out', 'behind "out"'],
    ['class jobs 0', 'expected 1 to 64'],
    ['class jobs two', 'expected 1 to 64'],
    ['class chapters', 'behind "chapters"'],
  ])('refuses "%s"', ([line, words]) => {
    expect(() => read(line)).toThrow(words)
  })
})
