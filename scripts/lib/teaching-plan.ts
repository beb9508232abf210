import type { Plan } from './schedule.ts'

/** The schedules of docs/teaching.md. What fits of them, and where, is computed from the lessons' minutes. */
export const PLANS: Plan[] = [
  {
    name: 'half-day',
    session: 'Half a day',
    sessions: 1,
    minutes: 240,
    must: [
      ['whole', 1],
      ['short', 2],
      ['show', 5, 12],
    ],
    may: [
      ['show', 14],
      ['whole', 2],
      ['show', 10, 8],
    ],
  },
  {
    name: 'two-days',
    session: 'Day',
    sessions: 2,
    minutes: 420,
    must: [
      ['whole', 1, 2],
      ['short', 4, 5, 10, 12],
      ['show', 3, 6, 7, 8, 9, 11, 13, 14],
    ],
    may: [
      ['whole', 5],
      ['short', 11, 3, 8, 14],
      ['whole', 12, 4, 10],
      ['short', 7, 13, 6, 9],
    ],
  },
  {
    name: 'eight-weeks',
    session: 'Week',
    sessions: 8,
    minutes: 180,
    must: [['short', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]],
    may: [['whole', 1, 2, 5, 12, 4, 10, 11, 3, 14, 8, 7, 13, 9, 6]],
  },
]

/** By chapter: the tasks that learners write when time is short. The others they take from the reference. */
export const SHORT: Record<number, number[]> = {
  1: [1, 5],
  2: [1, 5],
  3: [1, 3],
  4: [1, 2],
  5: [1, 3],
  6: [2, 3],
  7: [1, 4],
  8: [2, 4],
  9: [2, 3],
  10: [2, 4],
  11: [1, 2],
  12: [2, 4],
  13: [1, 2],
  14: [1, 5],
}
