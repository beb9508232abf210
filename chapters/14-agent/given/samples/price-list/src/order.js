import { priceOf } from './discount.js'
import { taxOn } from './tax.js'

/** The total of an order, in cents: each item with its discount, and the tax on the sum. */
export function totalOf(items) {
  const net = items.reduce((sum, item) => sum + priceOf(item), 0)
  return net + taxOn(net)
}
