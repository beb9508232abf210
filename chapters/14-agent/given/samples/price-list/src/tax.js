import { roundCents } from './money.js'

const PERCENT = { normal: 19, reduced: 7 }

/** The tax on a net price, in cents. */
export function taxOn(net, kind = 'normal') {
  return roundCents((net * PERCENT[kind]) / 100)
}
