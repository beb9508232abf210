import fc from 'fast-check'
import { OrderedUpdates } from '#12-streaming-executor/ordered-updates.ts'
import { describe, expect, it } from '#support/test.ts'
import { forAll } from './for-all.ts'
import { idOf, progress, reading, result, settle, soon } from './stage.ts'

/** Updates that expect one result for each id. */
function expecting(...ids: string[]) {
  const updates = new OrderedUpdates()
  for (const _ of ids) updates.expectResult()
  return { updates, add: (id: string) => updates.addResult(ids.indexOf(id), result(id)) }
}

describe('task 4: results in call order', () => {
  it('gives the results in call order when the second finishes first', async () => {
    const { updates, add } = expecting('a', 'b', 'c')
    const reader = reading(updates.read())
    add('c')
    add('b')
    await settle()
    expect(reader.ids(), 'a is not done').toEqual([])
    add('a')
    await settle()
    expect(reader.ids()).toEqual(['a', 'b', 'c'])
  })

  it('gives a result as soon as those before it are given, not when all are there', async () => {
    const { updates, add } = expecting('a', 'b')
    const reader = reading(updates.read())
    add('a')
    await settle()
    expect(reader.ids()).toEqual(['a'])
  })

  it('gives progress at once, past results that wait', async () => {
    const { updates, add } = expecting('a', 'b')
    const reader = reading(updates.read())
    add('b')
    await settle()
    updates.addProgress(progress('a'))
    await settle()
    expect(reader.ids()).toEqual(['~a'])
    add('a')
    await settle()
    expect(reader.ids()).toEqual(['~a', 'a', 'b'])
  })

  it('gives what happened before anybody reads', async () => {
    const { updates, add } = expecting('a', 'b')
    add('b')
    add('a')
    updates.end()
    const reader = reading(updates.read())
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a', 'b'])
  })

  it('does not end before the end is told, though all results are read', async () => {
    const { updates, add } = expecting('a')
    const reader = reading(updates.read())
    add('a')
    await settle()
    updates.expectResult()
    updates.addResult(1, result('b'))
    updates.end()
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a', 'b'])
  })

  it('does not end before all results are there, though the end is told', async () => {
    const { updates, add } = expecting('a', 'b')
    const reader = reading(updates.read())
    updates.end()
    add('b')
    await settle()
    add('a')
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a', 'b'])
  })

  it('ends at once when there was no call', async () => {
    const { updates } = expecting()
    updates.end()
    await soon(reading(updates.read()).done)
    const reader = reading(expecting().updates.read())
    await settle()
    expect(reader.ids()).toEqual([])
  })

  it('ends a reader that waits when the end is told', async () => {
    const { updates, add } = expecting('a')
    const reader = reading(updates.read())
    add('a')
    await settle()
    updates.end()
    await soon(reader.done)
  })

  it('loses nothing when a reader stops and another goes on', async () => {
    const { updates, add } = expecting('a', 'b', 'c')
    for (const id of ['a', 'b', 'c']) add(id)
    updates.end()
    for await (const update of updates.read()) {
      expect(idOf(update)).toBe('a')
      break
    }
    const reader = reading(updates.read())
    await soon(reader.done)
    expect(reader.ids()).toEqual(['b', 'c'])
  })

  it('wakes every reader that waits', async () => {
    const { updates, add } = expecting('a', 'b')
    const readers = [reading(updates.read()), reading(updates.read())]
    await settle()
    add('a')
    await settle()
    add('b')
    updates.end()
    await soon(Promise.all(readers.map(({ done }) => done)))
    expect(readers.flatMap((reader) => reader.ids()).toSorted(), 'each is read once').toEqual(['a', 'b'])
  })

  it('gives each result once and in call order, in whatever order they come', async () => {
    const orders = fc
      .integer({ min: 1, max: 12 })
      .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count }))
    await forAll(orders, async (order) => {
      const updates = new OrderedUpdates()
      const reader = reading(updates.read())
      for (const _ of order) updates.expectResult()
      const seen = new Set<number>()
      for (const place of order) {
        updates.addResult(place, result(String(place)))
        seen.add(place)
        await new Promise(setImmediate)
        const firstMissing = order.toSorted((a, b) => a - b).find((known) => !seen.has(known)) ?? order.length
        expect(reader.ids(), 'what may go out has gone out').toEqual([...Array(firstMissing).keys()].map(String))
      }
      updates.end()
      await soon(reader.done)
    })
  })
})
