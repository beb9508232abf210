import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  allChapters,
  type Chapter,
  chapterHere,
  findChapter,
  findTask,
  learnerFiles,
  skeletonFiles,
  tasksOf,
} from './chapters.ts'
import { chapterOf, workshopCopy } from './testing/workshop-copy.ts'
import { WrongUse } from './wrong-use.ts'

const copy = workshopCopy({ chapters: ['01-dispatch', '04-tool-engine', '10-permissions'] })
for (const name of ['notes', '01-dispatch copy']) copy.write(`chapters/${name}/solution/a.ts`, '// no chapter\n')
const chapters = allChapters(copy.root)
const [dispatch, engine] = chapters
afterAll(copy.remove)

it('finds the chapters in order, and no other folder', () => {
  const named = ['01-dispatch', '04-tool-engine', '10-permissions'].map((name) => chapterOf(copy, name))
  expect(chapters).toEqual(named)
})

it('is no error that there is no chapter', () => {
  expect(allChapters(join(copy.root, 'docs'))).toEqual([])
})

describe('findChapter', () => {
  it.for(['4', '04', '004', '04-tool-engine', '04-tool-engine/'])('finds %s', (word) => {
    expect(findChapter(word, chapters)).toBe(engine)
  })

  it.for(['5', '', 'x', '-4', '4.0', '4-tool-engine', '04-tool', 'tool-engine', '..'])('lists all for "%s"', (word) => {
    const find = () => findChapter(word, chapters)
    expect(find).toThrow(WrongUse)
    expect(find).toThrow(`"${word}". The chapters are:\n  1  01-dispatch\n  4  04-tool-engine\n  10  10-permissions`)
  })
})

describe('chapterHere', () => {
  it.for<[from: string, expected: Chapter | undefined]>([
    ['.', undefined],
    ['..', undefined],
    ['chapters', undefined],
    ['chapters/notes', undefined],
    ['chapters/04-tool-engine', engine],
    ['chapters/04-tool-engine/src', engine],
    ['chapters/04-tool-engine/..src', engine],
    ['chapters/04-tool-engine-too', undefined],
    ['docs/chapters', undefined],
  ])('%s', ([from, expected]) => {
    expect(chapterHere(join(copy.root, from), chapters)).toBe(expected)
  })
})

describe('a chapter', () => {
  it('has its tasks in order, over all its files, with the text of the blank that throws', () => {
    const zero = '// #region task 1, entries: Only the entries.\na: 1,\n// #endregion\n'
    const three = 'function c() {\n  // #region task 3: Third.\n  // #endregion\n}\n'
    copy.write('chapters/01-dispatch/solution/a.ts', three + zero)
    const tasks = tasksOf(dispatch).map(({ number, text, blanks }) => [number, text, blanks.map(({ file }) => file)])
    expect(tasks).toEqual([
      [1, 'Return twice the number.', ['a.ts', 'numbers.ts']],
      [2, 'Add the numbers up.', ['numbers.ts']],
      [3, 'Third.', ['a.ts']],
    ])
  })

  it('reads Windows line ends as plain ones, and only its own .ts files', () => {
    copy.write('chapters/04-tool-engine/src/numbers.ts', 'a\r\nb\r\n')
    copy.write('chapters/04-tool-engine/src/notes.md', 'a')
    copy.write('chapters/04-tool-engine/src/old/a.ts', 'a')
    expect([...learnerFiles(engine)]).toEqual([['numbers.ts', 'a\nb\n']])
  })

  it('says where to get a solution from that is missing', () => {
    const gone = { ...findChapter('10', allChapters(copy.root)), path: join(copy.root, 'nowhere') }
    expect(() => tasksOf(gone)).toThrow(/^chapters\/10-permissions\/solution is missing\..*fresh clone/)
  })

  it('names the place of a malformed mark', () => {
    copy.edit('chapters/10-permissions/solution/numbers.ts', '#region task 1:', '#region task:')
    expect(() => skeletonFiles(chapters[2])).toThrow(/^chapters\/10-permissions\/solution\/numbers\.ts:3: /)
  })

  it.for(['0', '9', 'x', '1x'])('lists its tasks when there is no task %s', (word) => {
    expect(findTask('02', engine).text).toBe('Add the numbers up.')
    expect(() => findTask(word, engine)).toThrow('  1  Return twice the number.\n  2  Add the numbers up.')
  })
})
