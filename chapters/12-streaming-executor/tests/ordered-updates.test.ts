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
    await settle()
    add('b')
    await settle()
    add('a')
    await soon(reader.done)
    expect(reader.ids(), 'no call will come, but results will').toEqual(['a', 'b'])
  })

  it('gives progress that comes behind the end', async () => {
    const { updates, add } = expecting('a')
    const reader = reading(updates.read())
    updates.end()
    await settle()
    updates.addProgress(progress('a'))
    await settle()
    add('a')
    await soon(reader.done)
    expect(reader.ids()).toEqual(['~a', 'a'])
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

  it('gives two readers that wait a result each, when two go out together', async () => {
    const { updates, add } = expecting('a', 'b')
    const first = Promise.all([updates.read().next(), updates.read().next()])
    first.catch(() => {})
    await settle()
    add('b')
    await settle()
    add('a')
    const ids = (await soon(first)).map(({ value }) => value && idOf(value))
    expect(ids.toSorted()).toEqual(['a', 'b'])
  })

  it('takes 50,000 results, the last one first, without looking at all that wait each time', async ({ signal }) => {
    const updates = new OrderedUpdates()
    const count = 50_000
    for (let i = 0; i < count; i++) updates.expectResult()
    for (let place = count - 1; place >= 0; place--) {
      updates.addResult(place, result(String(place)))
      if (place % 500 === 0) await new Promise(setImmediate)
      if (signal.aborted) return // it costs too much: the test's own time limit is over
    }
    updates.end()
    const reader = reading(updates.read())
    await reader.done
    expect(reader.ids()).toEqual([...Array(count).keys()].map(String))
  })

  it('gives each result once and in call order, in whatever order they come and whenever the end is told', async () => {
    const orders = fc
      .integer({ min: 1, max: 12 })
      .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count }))
    await forAll(fc.tuple(orders, fc.nat(12)), async ([order, endsBefore]) => {
      const updates = new OrderedUpdates()
      const reader = reading(updates.read())
      for (const _ of order) updates.expectResult()
      const seen = new Set<number>()
      for (const [i, place] of order.entries()) {
        if (i === endsBefore) updates.end()
        if (i === endsBefore) await new Promise(setImmediate)
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
