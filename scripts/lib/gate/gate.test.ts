import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastLine, workshopCopy } from '../testing/workshop-copy.ts'

type Run = { code: number | null; output: string }

const QUOTED = '## See it run\n\n```console\n$ npm run demo 3\n```\n'

const CHAPTERS = ['01-whole', '02-pages', '03-tests', '04-eager']

/** Every chapter is broken in its own way, save the first. */
const copy = workshopCopy({ chapters: CHAPTERS })
let whole: Run
let broken: Run
let mistaken: Run
let malformed: Run

beforeAll(async () => {
  copy.edit('docs/chapters/03-tests.md', '## See it run\n', QUOTED)
  copy.write('scripts/lib/unit.test.ts', passingUnit)
  copy.write('scripts/lib/teaching-plan.ts', plan)
  copy.write('docs/teaching.md', guide)
  await copy.run('skeleton')
  await copy.run('lessons')
  whole = await copy.run('check', ['1'])
  breakAll()
  ;[broken, mistaken] = await Promise.all([
    copy.run('check', ['style', 'skeletons', 'green', 'red', 'lessons', 'units']),
    copy.run('check', ['mistakes', '2']),
  ])
  copy.edit('chapters/02-pages/solution/numbers.ts', '#region task 2: ', '#region task two: ')
  malformed = await copy.run('check', ['skeletons', 'lessons', '2'])
}, 60_000)

afterAll(copy.remove)

const passingUnit = `import { expect, it } from 'vitest'

it('counts', () => {
  expect(1 + 1).toBe(2)
})
`

const plan = `import type { Plan } from './schedule.ts'

export const PLANS: Plan[] = [
  { name: 'a-day', session: 'Day', sessions: 1, minutes: 420, must: [['whole', 1]], may: [] },
  { name: 'two-days', session: 'Day', sessions: 2, minutes: 420, must: [['whole', 2]], may: [] },
]

export const SHORT: Record<number, number[]> = { 1: [1], 2: [1], 3: [1], 4: [2] }
`

const marked = (kind: string, name: string) => `<!-- ${kind}: ${name} -->\n<!-- /${kind} -->\n`

/** A teacher's guide that is filled in by npm run lessons. */
const guide = [
  '# Teaching\n\nRun `npm test 4`.\n',
  marked('schedule', 'a-day'),
  marked('schedule', 'two-days'),
  ...CHAPTERS.map((name) =>
    [
      `### ${name.slice(0, 2)} · Numbers of ${name}\n`,
      '**The one idea.** **Show.** **Ask.** **Where people get stuck.** **Check out.** **Short of time.**\n',
      marked('stuck', name),
      marked('short', name),
    ].join('\n'),
  ),
].join('\n')

const failingUnits = `import { beforeAll, describe, expect, it } from 'vitest'

it('counts wrong', () => {
  expect(1 + 1).toBe(3)
})

describe('a set-up', () => {
  beforeAll(() => {
    throw new Error('set-up failed')
  })

  it('is never reached', () => {})
})
`

function breakAll(): void {
  const solution = (chapter: string) => `chapters/${chapter}/solution/numbers.ts`
  copy.edit('chapters/02-pages/demo.ts', '// #region', 'if (double(1) == 2) console.log(1)\n// #region')
  copy.edit(
    'chapters/02-pages/demo.ts',
    '// #region',
    "const text: string = double('2')\nconsole.log(text)\n// #region",
  )

  copy.edit('chapters/02-pages/src/numbers.ts', 'Twice', 'Double')
  copy.write('chapters/02-pages/src/stray.ts', 'export const stray = 1\n')

  copy.edit(solution('03-tests'), 'number * 2', 'number * 5')

  const soft =
    "describe('task 2: sum', () => {\n  it('is a function', () => {\n    expect(sum).toBeTypeOf('function')\n  })\n"
  copy.edit('chapters/03-tests/tests/numbers.test.ts', "describe('task 2: sum', () => {", soft)

  for (const file of [solution('04-eager'), 'chapters/04-eager/src/numbers.ts'])
    copy.write(file, `${copy.text(file)}\nexport const four = double(2)\n`)

  const mistakes = 'chapters/02-pages/mistakes.ts'
  copy.edit(mistakes, "'number * 2', 'number + 2'", "'number', 'n'")
  copy.edit(mistakes, "'total = 1', all, none", "'total = 1', all, zero")
  copy.edit(mistakes, "'number ** 2', number", "'2 * number', number")
  copy.edit(mistakes, "  mistake('forgets', 'number * 2', 'number', number),\n", '')

  const lesson = 'docs/chapters/02-pages.md'
  copy.edit(lesson, '## Recap\n', 'It is simply [gone](gone.md), see [there](#nowhere).\n')
  copy.edit(lesson, '<details><summary>Hint 2</summary>', '<details><summary>Answer</summary>')
  copy.edit(lesson, '## Task 2: ', '## Job 2: ')
  copy.edit(lesson, "'twice 4 is'", "'twice 5 is'")
  copy.edit(lesson, 'tasks: 2', 'tasks: 3')

  copy.edit('docs/chapters/03-tests.md', 'twice 4 is 8', 'twice 4 is 9')

  copy.edit('docs/teaching.md', 'npm test 4', 'npm test 5')
  copy.edit('docs/teaching.md', '### 04 · ', '### 4 · ')
  copy.edit('docs/teaching.md', 'The hint of adds-two.', 'The hint of yesterday.')
  copy.edit('scripts/lib/teaching-plan.ts', 'sessions: 2, minutes: 420', 'sessions: 2, minutes: 20')

  copy.write('scripts/lib/failing.test.ts', failingUnits)
}

/** What the gate printed below the line of one part. */
function part(name: string, { output }: Run): string {
  const [, text] = output.split(new RegExp(`^✗ ${name}: .*\\n`, 'm'))
  return text?.split(/^[✓✗] |^\d+ passed/m)[0] ?? `${name} did not fail:\n${output}`
}

describe('npm run check', () => {
  it('passes a whole chapter, and says so in its last line', () => {
    expect(lastLine(whole.output), whole.output).toMatch(/^[1-9]\d* passed, 0 failed$/)
    expect(whole.code).toBe(0)
  })

  it('exits with 1 and counts every failure that it shows', () => {
    for (const run of [broken, mistaken]) {
      const failures = run.output.split('\n').filter((line) => /^ {4}\S/.test(line))
      const failed = Number(/^\d+ passed, (\d+) failed$/.exec(lastLine(run.output))?.[1])
      expect(run.code).toBe(1)
      expect(failed).toBeGreaterThan(3)
      expect(failures.length).toBeGreaterThanOrEqual(failed)
    }
  })

  it('finds no fault with the chapter that is whole', () => {
    expect(broken.output).not.toContain('01-whole')
  })

  it('tells a malformed mark with its place, and still runs the other parts', () => {
    expect(part('skeletons', malformed)).toContain(
      'chapters/02-pages/solution/numbers.ts:10: expected "// #region task N',
    )
    expect(part('lessons', malformed)).toContain('leads nowhere')
    expect(malformed.code).toBe(1)
  })

  it.for<[part: string, what: string, where: string, words: string]>([
    ['style', 'a lint error', 'chapters/02-pages/demo.ts:3', 'noDoubleEquals'],
    ['style', 'a type error on src', 'chapters/02-pages/demo.ts:4: ', 'types, with chapters read from src/'],
    [
      'style',
      'a type error on the solution',
      'chapters/02-pages/demo.ts:4: ',
      'types, with chapters read from solution/',
    ],
    ['skeletons', 'a drifted file', 'chapters/02-pages/src/numbers.ts', 'is not what is generated'],
    ['skeletons', 'a stray file', 'chapters/02-pages/src/stray.ts', 'is not what is generated'],
    ['skeletons', 'an outdated checksum', 'chapters/03-tests/solution/numbers.ts', 'is not as .pristine.json has it'],
    ['green', 'a broken solution', 'chapters/03-tests/tests/numbers.test.ts:5', '"doubles a number": failed'],
    [
      'red',
      'a test that passes on the skeleton',
      'chapters/03-tests/tests/numbers.test.ts:15',
      'passes on the skeleton',
    ],
    ['red', 'a module that calls a blank at import', 'chapters/04-eager/tests/', 'Does a module call a blank'],
    ['mistakes', 'too few', '02-pages: ', '7 mistakes, expected 8 or more'],
    ['mistakes', 'one that applies more than once', '02-pages/adds-two: ', 'times in numbers.ts, expected once'],
    [
      'mistakes',
      'one that turns other tests red',
      '02-pages/starts-at-one: ',
      'red, but not named: is 0 for no numbers',
    ],
    ['mistakes', 'one that names a green test', '02-pages/starts-at-one: ', 'stays green: doubles zero'],
    ['mistakes', 'one that turns nothing red', '02-pages/squares: ', 'no test turns red'],
    ['lessons', 'a missing heading', 'docs/chapters/02-pages.md: ', '"## Recap" is missing'],
    ['lessons', 'a task without a heading', 'docs/chapters/02-pages.md: ', 'task 2 has no heading'],
    ['lessons', 'a missing hint', 'docs/chapters/02-pages.md: ', 'task 1 has 1 hints'],
    ['lessons', 'a wrong front matter', 'docs/chapters/02-pages.md: ', 'front matter says 3 tasks, the solution has 2'],
    ['lessons', 'a stale listing', 'docs/chapters/02-pages.md: ', "is:     console.log('twice 5 is'"],
    ['lessons', 'a stale quoted run', 'docs/chapters/03-tests.md: ', 'is:     twice 4 is 9'],
    ['lessons', 'a dead link', 'docs/chapters/02-pages.md: ', 'the link gone.md leads nowhere'],
    ['lessons', 'a dead anchor', 'docs/chapters/02-pages.md: ', 'has no heading #nowhere'],
    ['lessons', 'a belittling word', 'docs/chapters/02-pages.md: ', 'says "simply"'],
    ['lessons', 'a stale guide', 'docs/teaching.md: ', 'is:     - **adds two**: The hint of yesterday.'],
    ['lessons', 'a schedule without room', 'docs/teaching.md: ', '"two-days" does not fit into 2 × 20 minutes'],
    [
      'lessons',
      'a chapter that the guide leaves out',
      'docs/teaching.md: ',
      '"### 04 · Numbers of 04-eager" is missing',
    ],
    ['lessons', 'a command for nothing', 'docs/teaching.md: ', '"npm test 5": there is no chapter 5'],
    ['units', 'a failing test', 'scripts/lib/failing.test.ts ', '"counts wrong"'],
    ['units', 'a failing set-up', 'scripts/lib/failing.test.ts ', 'set-up failed'],
  ])('%s: names %s', ([name, , where, words]) => {
    const text = part(name, name === 'mistakes' ? mistaken : broken)
    expect(text).toContain(where)
    expect(text).toContain(words)
  })
})
