import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { chapterOf, workshopCopy } from '../testing/workshop-copy.ts'
import { changedFiles, fingerprint, keepFiles, readWorkshop, stageOf, writeWorkshop } from './workshop.ts'

const copy = workshopCopy({ chapters: ['01-one', '02-two'] })
afterAll(copy.remove)
copy.write('chapters/01-one/given/sample/src/money.js', 'export {}\n')
const workshop = await readWorkshop(copy.root, [chapterOf(copy, '01-one')])
const staged = stageOf(workshop)
const TEST = 'chapters/01-one/tests/numbers.test.ts'
const stage = join(dirname(copy.root), 'stage')

beforeEach(() => {
  rmSync(stage, { recursive: true, force: true })
  writeWorkshop(staged, stage)
})

describe('stageOf', () => {
  it('has what a run of tests needs, of every chapter', () => {
    const paths = [...staged.files.keys()]
    for (const path of ['package.json', 'tsconfig.json', TEST, 'chapters/support/test.ts', 'scripts/lib/run-tests.ts'])
      expect(paths).toContain(path)
    expect(paths).toContain('chapters/02-two/solution/numbers.ts')
    expect(paths, 'a folder of that name in a fixture').toContain('chapters/01-one/given/sample/src/money.js')
  })

  it('has nothing of the learners, and nothing that says what is wrong', () => {
    const paths = [...staged.files.keys()].join('\n')
    expect(paths).not.toMatch(/chapters\/\w+-\w+\/(src|mistakes\.ts)|node_modules/)
  })
})

describe('changedFiles', () => {
  it('finds nothing in what was just written, nor in a learner’s files', () => {
    mkdirSync(join(stage, 'chapters/01-one/src'), { recursive: true })
    writeFileSync(join(stage, 'chapters/01-one/src/a.ts'), '')
    expect(changedFiles(staged, stage)).toEqual([])
  })

  it.for<[what: string, change: (path: string) => void, changed: string]>([
    ['an edit', (path) => writeFileSync(path, 'forged'), TEST],
    ['an edit of the same length', (path) => writeFileSync(path, 'x'.repeat(readFileSync(path).length)), TEST],
    ['a deletion', (path) => rmSync(path), TEST],
    ['a link in its place', (path) => [rmSync(path), symlinkSync(join(copy.root, TEST), path)], TEST],
    ['a folder in its place', (path) => [rmSync(path), mkdirSync(path)], TEST],
    [
      'another test',
      (path) => writeFileSync(join(dirname(path), 'more.test.ts'), ''),
      'chapters/01-one/tests/more.test.ts',
    ],
  ])('finds %s', ([, change, changed]) => {
    change(join(stage, TEST))
    expect(changedFiles(staged, stage)).toEqual([changed])
  })
})

it('keeps files as they were, beside', () => {
  keepFiles(workshop, [TEST, 'chapters/01-one/tests/new.test.ts'], join(stage, 'aside'))
  expect(readFileSync(join(stage, 'aside', TEST))).toEqual(readFileSync(join(copy.root, TEST)))
})

describe('fingerprint', () => {
  it('stays while nothing changes', () => {
    expect(fingerprint(copy.root)).toEqual(fingerprint(copy.root))
  })

  it('changes with a file, also when its times are set back', () => {
    const before = fingerprint(copy.root)
    const text = copy.text(TEST)
    copy.write(TEST, text.replace('6', '7'))
    utimesSync(join(copy.root, TEST), 0, 0)
    const after = fingerprint(copy.root)
    copy.write(TEST, text)
    expect(after.files).not.toBe(before.files)
    expect(after.packages).toBe(before.packages)
  })
})
