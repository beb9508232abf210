import { describe, expect, it } from 'vitest'
import { type CourseChapter, makeSchedule, type Plan, series, showSchedule, taskMinutes } from './schedule.ts'

const chapter = (number: number, minutes: number, lines = [10, 20, 10]): CourseChapter => ({
  number,
  title: `Chapter ${number}`,
  minutes,
  tasks: lines.map((count, index) => ({ number: index + 1, lines: count })),
  short: [1],
})

const plan = (rest: Partial<Plan> = {}): Plan => ({
  ...{ name: 'test', session: 'Day', sessions: 1, minutes: 240, must: [], may: [] },
  ...rest,
})

/** Each session's rows, as `0 begin`, `15 work 1:1,2`. */
const told = (plan: Plan, chapters: CourseChapter[]) =>
  makeSchedule(plan, chapters).sessions.map((rows) =>
    rows.map(({ at, what, chapter, tasks }) =>
      [at, what, chapter && `${chapter.number}:${tasks}`].filter((x) => x !== undefined).join(' '),
    ),
  )

describe('taskMinutes', () => {
  it.for<[minutes: number, lines: number[]]>([
    [60, [10, 20, 10]],
    [130, [31, 7, 12, 55, 3]],
    [62, [1, 1]],
  ])('divides all but opening and closing among the tasks (%i minutes, lines %j)', ([minutes, lines]) => {
    const shares = [...taskMinutes(chapter(1, minutes, lines)).values()]
    expect(shares.reduce((a, b) => a + b)).toBe(Math.ceil(minutes / 5) * 5 - 15)
    expect(shares.every((share) => share >= 0 && share % 5 === 0)).toBe(true)
  })

  it('gives a task with more lines more time', () => {
    expect([...taskMinutes(chapter(1, 95)).values()]).toEqual([20, 40, 20])
  })
})

describe('a schedule', () => {
  it('has what must be in it, in the order of the chapters, and a break after 90 minutes of work', () => {
    const must: Plan['must'] = [['whole', 2, 1]]
    expect(told(plan({ must }), [chapter(1, 60), chapter(2, 60)])).toEqual([
      ['0 begin', '15 work 1:1,2,3', '75 work 2:1', '95 pause', '105 work 2:2,3', '145 end'],
    ])
  })

  it('shows a chapter, or has some of its tasks written', () => {
    const must: Plan['must'] = [
      ['show', 1],
      ['short', 2],
    ]
    expect(told(plan({ must }), [chapter(1, 60), chapter(2, 60), chapter(3, 60)])).toEqual([
      ['0 begin', '15 show 1:', '25 work 2:1', '50 end'],
    ])
  })

  it('takes of what may be in it what fits, the most important first, and never less than it must', () => {
    const rest: Partial<Plan> = {
      minutes: 110,
      must: [['short', 1]],
      may: [
        ['whole', 3, 2],
        ['show', 2],
        ['show', 1],
      ],
    }
    const chapters = [chapter(1, 60), chapter(2, 90), chapter(3, 50)]
    const { how } = makeSchedule(plan(rest), chapters)
    expect(Object.fromEntries(how)).toEqual({ 1: 'short', 2: 'show', 3: 'whole' })
  })

  it('has a lunch in a long day, before four hours are over', () => {
    const chapters = [1, 2, 3, 4].map((number) => chapter(number, 80))
    const [rows] = makeSchedule(plan({ minutes: 480, must: [['whole', 1, 2, 3, 4]] }), chapters).sessions
    const lunches = rows.filter(({ what }) => what === 'lunch')
    expect(lunches).toHaveLength(1)
    expect(lunches[0].at).toBeLessThanOrEqual(240)
  })

  it('goes on in the next session where a chapter does not fit, and makes all sessions about as long', () => {
    const [first, second] = told(plan({ sessions: 2, minutes: 180, must: [['whole', 1, 2]] }), [
      chapter(1, 80),
      chapter(2, 80),
    ])
    expect(first.at(-1)).toBe('95 end')
    expect(second).toEqual(['0 begin', '5 work 2:1,2,3', '85 end'])
  })

  it('fits: every row begins where the one before ends, and the last one ends in time', () => {
    const chapters = [1, 2, 3, 4, 5].map((number) => chapter(number, 30 + number * 17, [5, 40, 9, 13, 22]))
    const { sessions } = makeSchedule(plan({ sessions: 3, minutes: 180, may: [['whole', 1, 2, 3, 4, 5]] }), chapters)
    for (const rows of sessions) {
      rows.slice(1).forEach((row, index) => {
        expect(row.at).toBe(rows[index].at + rows[index].minutes)
      })
      expect(rows.at(-1)!.at + rows.at(-1)!.minutes).toBeLessThanOrEqual(180)
    }
  })

  it.for<[what: string, rest: Partial<Plan>, message: string]>([
    [
      'what needs more sessions',
      { minutes: 90, must: [['whole', 1, 2]] },
      'does not fit into 1 × 90 minutes: it needs 2',
    ],
    ['work that is longer than a session', { minutes: 30, must: [['whole', 1]] }, 'longer than a session'],
  ])('tells of %s', ([, rest, message]) => {
    expect(() => makeSchedule(plan(rest), [chapter(1, 60), chapter(2, 60)])).toThrow(message)
  })

  it('leaves out a chapter that there is not', () => {
    const { how } = makeSchedule(plan({ must: [['whole', 1, 9]], may: [['show', 8]] }), [chapter(1, 60)])
    expect([...how.keys()]).toEqual([1])
  })
})

describe('showSchedule', () => {
  it('has a table for each session, and says what is done in which way', () => {
    const must: Plan['must'] = [
      ['short', 1],
      ['show', 2],
    ]
    const text = showSchedule(
      makeSchedule(
        plan({ must, session: 'Half a day' }),
        [1, 2, 3].map((n) => chapter(n, 60)),
      ),
    )
    expect(text).toContain('**Half a day**, 0:55 h')
    expect(text).toContain('| 0:15 | 01 · Chapter 1: task 1 | 25 |')
    expect(text).toContain('| 0:40 | 02 · Chapter 2: show | 10 |')
    expect(text.split('\n').at(-1)).toBe('written in part: 01; shown: 02; left out: 03.')
  })

  it.for([
    [[1], '1'],
    [[1, 2], '1 and 2'],
    [[1, 2, 3], '1, 2 and 3'],
  ] as const)('writes %j as "%s"', ([items, words]) => {
    expect(series([...items])).toBe(words)
  })
})
