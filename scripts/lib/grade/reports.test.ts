import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { plain } from '../text.ts'
import { reportCsv } from './csv.ts'
import { reportHtml } from './html.ts'
import { pointsNotices, pointsOf, pointsTable } from './points.ts'
import { barLine } from './progress-bar.ts'
import type { ChapterMark, ClassReport, SubmissionMark } from './report.ts'
import { safeText } from './safe-text.ts'
import { reportTable } from './table.ts'
import { writeReports } from './write-reports.ts'

const folder = mkdtempSync(join(tmpdir(), 'workshop-reports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HOSTILE = `</pre><script>alert("x")</script><img src=x onerror='alert(1)'>&amp;`

function mark(chapter: number, more: Partial<ChapterMark> = {}): ChapterMark {
  const tasks = [1, 2].map((number) => ({ number, passed: 0, tests: 3, done: false }))
  return {
    ...{ chapter, state: 'begun', tasksDone: 0, testsPassed: 0, tasks, red: [], notBegun: [], mistakes: [] },
    ...{ problems: [], typeErrors: null, milliseconds: 1500 },
    ...more,
  }
}

function submission(name: string, chapters: ChapterMark[], problems: string[] = []): SubmissionMark {
  const sum = (key: 'tasksDone' | 'testsPassed' | 'milliseconds') => chapters.reduce((all, mark) => all + mark[key], 0)
  return {
    ...{ name, folder: `/class/${name}`, problems, chapters },
    ...{ tasksDone: sum('tasksDone'), testsPassed: sum('testsPassed'), milliseconds: sum('milliseconds') },
  }
}

function report(submissions: SubmissionMark[], more: Partial<ClassReport> = {}): ClassReport {
  const count = submissions[0].chapters.length
  const chapters = Array.from({ length: count }, (_, i) => ({
    ...{ number: i + 1, name: `0${i + 1}-tiny`, title: `Chapter <${i + 1}>`, tests: 6 },
    tasks: [1, 2].map((number) => ({ number, title: `Task ${number}` })),
  }))
  const facts = { version: 1 as const, contained: 'process' as const, seconds: 3, warnings: [], identical: [] }
  return { ...facts, chapters, submissions, ...more }
}

const red = (sentence: string, problem = '', printed = ''): ChapterMark['red'][number] => {
  return { sentence, task: 1, file: 'a.test.ts', line: 3, outcome: 'failed', problem, printed }
}

describe('safeText', () => {
  it.for([
    ['a\u001b[31mb\u001b[0m', 'ab'],
    ['a\u001b]0;title\u0007b', 'a\uFFFD]0;title\uFFFDb'],
    ['one\r\ntwo\tthree\rfour', 'one\ntwo\tthree\uFFFDfour'],
    ['\u202Eevil\ud800', '\uFFFDevil\uFFFD'],
    ['ünïcödé 👩‍💻', 'ünïcödé 👩‍💻'],
  ])('turns %j into %j', ([text, safe]) => {
    expect(safeText(text)).toBe(safe)
  })

  it('cuts what is long, and says so', () => {
    expect(safeText('abcdef', 3)).toBe('abc…')
    expect(safeText('a'.repeat(1e6), 3)).toBe('aaa…')
    expect(safeText('abc', 3)).toBe('abc')
  })
})

describe('reportHtml', () => {
  const cell = mark(1, {
    ...{ red: [red(HOSTILE, HOSTILE, HOSTILE)], problems: [HOSTILE], typeErrors: [HOSTILE], state: 'broken' },
    mistakes: [{ name: HOSTILE, hint: HOSTILE }],
  })
  const same = [{ chapter: 1, task: 1, submissions: [HOSTILE, 'bob'], reference: true, size: 50 }]
  const page = reportHtml(
    report([submission(HOSTILE, [cell, mark(2, { state: 'missing' })], [HOSTILE])], {
      warnings: [HOSTILE],
      identical: same,
    }),
  )

  it('shows whatever a submission says as text', () => {
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).not.toMatch(/<img|alert\("x"\)|onerror='/)
    expect(page.split('&#60;script&#62;alert(&#34;x&#34;)').length).toBeGreaterThan(8)
  })

  it('needs no other file, and lets no other script run', () => {
    const plainPage = reportHtml(report([submission('ada', [mark(1)])]))
    expect(plainPage).not.toMatch(/<[a-z][^>]*\s(src|href)=|url\(|@import|https?:/)
    expect(page).toMatch(/default-src &#39;none&#39;|default-src 'none'/)
    expect(page).not.toContain('unsafe-eval')
  })

  it('opens a cell to the sentences that fail, and shows what is not there as a sign', () => {
    const plainPage = reportHtml(
      report([
        submission('ada', [mark(1, { red: [red('adds all numbers', 'expected 1')] }), mark(2, { state: 'untouched' })]),
      ]),
    )
    expect(plainPage).toMatch(/<details name="cell"><summary>0\/2<span class="spoken"> begun<\/span><\/summary>/)
    expect(plainPage).toContain('adds all numbers')
    expect(plainPage).toContain('<pre>expected 1</pre>')
    expect(plainPage).toContain('<span aria-hidden="true">·</span><span class="spoken">untouched</span>')
  })

  it('names only so many sentences', () => {
    const many = Array.from({ length: 300 }, (_, i) => red(`sentence ${i}`, 'x'.repeat(5000)))
    const long = reportHtml(report([submission('ada', [mark(1, { red: many })])]))
    expect(long).toContain('… and 200 more, in report.json')
    expect(long.length).toBeLessThan(100_000)
  })
})

describe('reportCsv', () => {
  it.for(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '＝1'])('keeps %j a text', (name) => {
    const [, row] = reportCsv(report([submission(name, [mark(1)])])).split('\r\n')
    expect(row).toMatch(/^"'/)
  })

  it('quotes, and keeps a submission on one line', () => {
    const csv = reportCsv(report([submission('a "b", c', [mark(1, { problems: ['one\ntwo'] })], ['all'])]))
    expect(csv.split('\r\n')).toHaveLength(3)
    expect(csv).toContain('"a ""b"", c",0,0,1.5,"begun",0,0,"","all; 1: one two",""')
  })

  it('names who has the same code', () => {
    const same = [{ chapter: 1, task: 2, submissions: ['ada', 'bob'], reference: true, size: 50 }]
    const csv = reportCsv(report([submission('ada', [mark(1)])], { identical: same }))
    expect(csv).toContain('"1.2: bob, the reference"')
  })
})

describe('reportTable', () => {
  it('has a line a submission, in no more than 80 columns', () => {
    const chapters = Array.from({ length: 14 }, (_, i) => mark(i + 1, { tasksDone: 1 }))
    const names = ['ada', 'a-name-that-is-much-longer-than-a-column\nis', 'çem']
    const lines = plain(reportTable(report(names.map((name) => submission(name, chapters))))).split('\n')
    expect(lines.filter((line) => line.startsWith('ada')).length).toBeGreaterThan(0)
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  it('has a sign for each state', () => {
    const states = [
      ...[mark(1, { state: 'missing' }), mark(2, { state: 'untouched' }), mark(3, { state: 'begun', tasksDone: 1 })],
      ...[
        mark(4, { state: 'broken' }),
        mark(5, { state: 'finished', tasksDone: 2 }),
        mark(6, { state: 'untouched', problems: ['x'] }),
      ],
    ]
    const table = plain(reportTable(report([submission('ada', states, ['odd'])])))
    expect(table).toMatch(/ada +– +· +1\/2 +0\/2! +2\/2 +! +3\/12/)
    expect(table).toContain('ada: odd')
  })
})

describe('points', () => {
  const done = mark(1, { state: 'finished', tasksDone: 2 })

  it('are the tasks that are done, chapter by chapter', () => {
    const points = pointsOf(report([submission('ada', [done, mark(2, { tasksDone: 1, red: [red('adds')] })])]))
    expect(points).toMatchObject({ version: 1, status: 'fail', max_score: 4 })
    expect(points.tests.map(({ name, status, score }) => [name, status, score])).toEqual([
      ['chapter 1: Chapter <1>', 'pass', 2],
      ['chapter 2: Chapter <2>', 'fail', 1],
    ])
    expect(points.tests[1].message).toContain('red: adds')
  })

  it('pass when all is done', () => {
    expect(pointsOf(report([submission('ada', [done])])).status).toBe('pass')
  })

  it('are two notices that Classroom looks for', () => {
    const points = pointsOf(report([submission('ada', [done, mark(2)])]))
    expect(pointsNotices(points).trim().split('\n')).toEqual([
      '::notice title=Autograding complete::Points 2/4',
      '::notice title=Autograding report::{"totalPoints":2,"maxPoints":4}',
    ])
  })

  it('make a table in which nothing is markup', () => {
    const points = pointsOf(report([submission('ada', [mark(1, { problems: [`a|b\n${HOSTILE}[x](http://y)`] })])]))
    const table = pointsTable(points)
    expect(table).toContain('## 0 of 2 points')
    expect(table).not.toMatch(/<script|<img|\[x\]/)
    expect(table.trimEnd().split('\n')).toHaveLength(5)
  })
})

it('the bar shows how far it is', () => {
  expect(barLine(3, 12, ['ada', 'bob'])).toBe(`${'█'.repeat(6)}${'░'.repeat(18)} 3/12  ada, bob`)
})

it('writes the reports, and leaves no drafts', () => {
  const paths = writeReports(report([submission('ada', [mark(1)])]), join(folder, 'deep/out'), { points: true })
  expect(readdirSync(join(folder, 'deep/out')).sort()).toEqual(paths.map((path) => path.split('/').at(-1)).sort())
  const json = JSON.parse(readFileSync(join(folder, 'deep/out/report.json'), 'utf8'))
  expect(json).toMatchObject({ version: 1, submissions: [{ name: 'ada' }] })
})
