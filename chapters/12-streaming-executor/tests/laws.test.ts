import { describe, expect, it } from '#support/test.ts'
import { forAll } from './for-all.ts'
import { play, schedules } from './schedules.ts'

/** Random schedules: safe and unsafe calls, ends in any order, failures, interrupts and discards at any point. */
describe('task 5: laws, on random schedules', () => {
  it('gives one result for each call, in call order, and comes to its end', async () => {
    await forAll(schedules, async (schedule) => {
      const { ids, results, cameToItsEnd } = await play(schedule)
      expect(cameToItsEnd, 'still waiting for something that never comes').toBe(true)
      expect(results.map(({ block }) => block.tool_use_id)).toEqual(ids)
    })
  })

  it('lets no unsafe call overlap another, and no more than the limit run', async () => {
    await forAll(schedules, async (schedule) => {
      expect((await play(schedule)).overlaps).toEqual([])
    })
  })

  it('starts no call before an earlier unsafe one', async () => {
    await forAll(schedules, async (schedule) => {
      expect((await play(schedule)).overtakings).toEqual([])
    })
  })

  it('lets no call wait that may run', async () => {
    await forAll(schedules, async (schedule) => {
      expect((await play(schedule)).idleness).toEqual([])
    })
  })

  it('starts nothing after an interrupt or a discard', async () => {
    await forAll(schedules, async (schedule) => {
      expect((await play(schedule)).startsAfterStop).toEqual([])
    })
  })

  it('leaves no call running unaborted after a discard', async () => {
    await forAll(schedules, async (schedule) => {
      expect((await play({ ...schedule, ending: 'discard' })).unaborted).toEqual([])
    })
  })

  it('gives each call what its own run gave, whatever became of the others', async () => {
    await forAll(schedules, async (schedule) => {
      const { ids, given, results } = await play(schedule)
      const expected = ids.map((_, place) => given.get(place) ?? 'an error')
      const actual = results.map(({ block }) => (block.is_error ? 'an error' : block.content))
      expect(actual).toEqual(expected)
    })
  })
})
