import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SENTENCES, SOLUTION } from '../testing/tiny-chapter.ts'
import { workshopCopy } from '../testing/workshop-copy.ts'
import type { ChapterMark, ClassReport } from './report.ts'
import { findSandbox } from './sandbox.ts'

const CHAPTERS = ['01-one', '02-two']
const copy = workshopCopy({ chapters: CHAPTERS, folder: 'my wörkshop' })
const skeleton = copy.text('chapters/01-one/src/numbers.ts')
const tests = copy.text('chapters/01-one/tests/numbers.test.ts')
// It passes on the reference only, where the blanks are marked.
copy.write(
  'chapters/01-one/tests/given.test.ts',
  `import { readFileSync } from 'node:fs'
import { describe, expect, it } from '#support/test.ts'

describe('given: nothing of the learner', () => {
  it('is the reference', () => {
    expect(readFileSync('chapters/01-one/src/numbers.ts', 'utf8')).toContain('#region')
  })
})
`,
)
const home = dirname(copy.root)
afterAll(copy.remove)

const SOLVED = SOLUTION.replace(/^ *\/\/ #.*\n/gm, '')
/** The attempts at chapter 1 and chapter 2, by name. The task's code is longer than it need be, to be worth a comparison. */
const LONG = SOLVED.replace(
  'return number * 2',
  `const parts: number[] = []
  for (const part of [number, number]) {
    if (Number.isFinite(part)) parts.push(part)
    else throw new Error(\`no number: \${part}\`)
  }
  if (parts.length !== 2) throw new Error('expected two')
  return parts.reduce((sum, part) => sum + part, 0)`,
)
const CLASS: Record<string, [one: string | Buffer | undefined, two: string | undefined]> = {
  ada: [LONG, SOLVED],
  bob: [LONG.replaceAll('part', 'item').replaceAll('sum +', 'all +').replace('(sum, ', '(all, '), skeleton],
  cem: [skeleton.replace(/ *\/\/ TODO\(task 1\).*\n.*\n/, '  return number * 2 || 1\n'), undefined],
  dan: [
    Buffer.from(SOLVED.replace('Twice', 'Zwölf'), 'latin1'),
    SOLVED.replace('return number * 2', 'while (true) {}'),
  ],
  eva: [
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('../tests/numbers.test.ts', import.meta.url), ${JSON.stringify(
      tests.replace('toBe(6)', 'toBe(7)'),
    )})\n${SOLVED.replace('* 2', '* 2 + 1')}`,
    `process.exit(0)\n${SOLVED}`,
  ],
}

let report: ClassReport
let output: string

beforeAll(async () => {
  for (const [name, texts] of Object.entries(CLASS)) {
    for (const [i, text] of texts.entries()) {
      if (text === undefined) continue
      const path = join(home, 'class', name, 'chapters', CHAPTERS[i], 'src/numbers.ts')
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  }
  // Of no account: the tests and the reference are the workshop's.
  const forged = join(home, 'class/cem/chapters/01-one')
  for (const [folder, text] of [
    ['tests', ''],
    ['solution', 'export const forged = true\n'],
  ]) {
    mkdirSync(join(forged, folder))
    writeFileSync(join(forged, folder, folder === 'tests' ? 'numbers.test.ts' : 'numbers.ts'), text)
  }
  const run = await copy.run('grade', ['../class', 'out', '../marks', 'jobs', '3', 'no-sandbox'])
  output = run.output
  expect(run.code, output).toBe(0)
  report = JSON.parse(readFileSync(join(home, 'marks/report.json'), 'utf8'))
}, 60_000)

const mark = (name: string, chapter: number): ChapterMark =>
  report.submissions.find((submission) => submission.name === name)!.chapters[chapter - 1]

describe('npm run grade', () => {
  it('gives a solved chapter all of its tasks, and one that is as it came none', () => {
    expect(mark('ada', 1)).toMatchObject({ state: 'finished', tasksDone: 2, testsPassed: 4, red: [], problems: [] })
    expect(mark('ada', 2)).toMatchObject({ state: 'finished', tasksDone: 2 })
    expect(mark('bob', 2)).toMatchObject({ state: 'untouched', tasksDone: 0, testsPassed: 0, red: [] })
  })

  it('runs the tests of what is given on the reference only', () => {
    expect(report.chapters.map(({ tests }) => tests)).toEqual([4, 4])
    expect(mark('ada', 1).red).toEqual([])
  })

  it('names the known mistake, and counts by the own tests of the workshop', () => {
    expect(mark('cem', 1)).toMatchObject({ state: 'begun', tasksDone: 0, testsPassed: 1, notBegun: [2] })
    expect(mark('cem', 1).mistakes.map(({ name }) => name)).toEqual(['never-zero'])
    expect(mark('cem', 1).red.map(({ sentence, task }) => [sentence, task])).toEqual([[SENTENCES[1], 1]])
    expect(mark('cem', 2)).toMatchObject({ state: 'missing' })
  })

  it('stops a loop without end, and marks the rest', () => {
    const { state, red, tasksDone } = mark('dan', 2)
    expect([state, tasksDone]).toEqual(['begun', 0])
    expect(red[0]).toMatchObject({ sentence: SENTENCES[0], outcome: 'hung' })
  })

  it('tells of a file that is no text', () => {
    expect(mark('dan', 1).problems.join()).toContain('src/numbers.ts is not text in UTF-8')
    expect(mark('dan', 1)).toMatchObject({ tasksDone: 0 })
  })

  it('counts nothing of code that changes the tests, nor of code that ends the process', () => {
    expect(mark('eva', 1)).toMatchObject({ state: 'broken', tasksDone: 0, testsPassed: 0 })
    expect(mark('eva', 1).problems.join()).toContain("changed the workshop's files")
    expect(mark('eva', 2)).toMatchObject({ state: 'broken', tasksDone: 0 })
    expect(copy.text('chapters/01-one/tests/numbers.test.ts')).toBe(tests)
  })

  it('finds the same code under other names', () => {
    expect(report.identical).toMatchObject([{ chapter: 1, task: 1, submissions: ['ada', 'bob'], reference: false }])
  })

  it('prints a table and writes a page', () => {
    expect(output).toMatch(/^ada +2\/2 +2\/2 +4\/4$/m)
    expect(output).toMatch(/^cem +0\/2 +– +0\/4$/m)
    expect(readFileSync(join(home, 'marks/report.html'), 'utf8')).toContain(SENTENCES[1])
    expect(report.warnings).toEqual([])
  })
})

it.runIf(findSandbox())(
  'marks just the same in a sandbox, and one submission on several stages',
  async () => {
    const { code, output } = await copy.run('grade', ['../class/ada', 'out', '../alone', 'jobs', '2'])
    expect(code, output).toBe(0)
    const { contained, submissions } = JSON.parse(readFileSync(join(home, 'alone/report.json'), 'utf8')) as ClassReport
    expect(contained).toBe('bubblewrap')
    const marks = (chapters: ChapterMark[]) => chapters.map((mark) => ({ ...mark, milliseconds: 0 }))
    expect(marks(submissions[0].chapters)).toEqual(marks([mark('ada', 1), mark('ada', 2)]))
  },
  60_000,
)

it('says what it expects when it is called wrongly', async () => {
  const { code, output } = await copy.run('grade', ['../gone'])
  expect(output).toContain('There is no')
  expect(output).not.toContain('    at ')
  expect(code).toBe(2)
})
