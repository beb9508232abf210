import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceOf } from '../src/discount.js'
import { format } from '../src/money.js'
import { totalOf } from '../src/order.js'
import { taxOn } from '../src/tax.js'

test('a few pieces cost their price', () => {
  assert.equal(priceOf({ price: 250, pieces: 4 }), 1000)
})

test('ten pieces are five percent cheaper', () => {
  assert.equal(priceOf({ price: 250, pieces: 10 }), 2375)
})

test('half a cent of a discount is rounded up', () => {
  assert.equal(priceOf({ price: 33, pieces: 10 }), 314)
})

test('the tax on 9.95 is 1.89', () => {
  assert.equal(taxOn(995), 189)
})

test('the tax on 19.98 is 3.80', () => {
  assert.equal(taxOn(1998), 380)
})

test('an order is its items and the tax', () => {
  assert.equal(totalOf([{ price: 33, pieces: 10 }, { price: 1998, pieces: 1 }]), 2751)
})

test('cents are written as people write them', () => {
  assert.equal(format(2705), '27.05 €')
})
