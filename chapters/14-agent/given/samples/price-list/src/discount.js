import { roundCents } from './money.js'

const STEPS = [
  { from: 100, percent: 12 },
  { from: 10, percent: 5 },
]

/** What a number of pieces costs, in cents, with the discount for so many. */
export function priceOf({ price, pieces }) {
  const step = STEPS.find(({ from }) => pieces >= from)
  return roundCents((price * pieces * (100 - (step?.percent ?? 0))) / 100)
}
