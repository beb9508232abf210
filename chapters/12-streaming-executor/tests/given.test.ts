import { describe, errorOf, expect, it } from '#support/test.ts'
import { Fifo } from '../given/fifo.ts'
import { drawTimeline, Timeline } from '../given/timeline.ts'
import { toTrace } from '../given/trace-events.ts'
import type { ExecutorEvent, QueuedCall } from '../given/types.ts'
import { VirtualClock } from '../given/virtual-clock.ts'
import { entry, result, settle, use } from './stage.ts'

/** A timeline of three calls: two side by side, then one alone that fails. A fourth never runs. */
function sample(): Timeline {
  let now = 0
  const timeline = new Timeline(() => now)
  const [a, b, c, d] = [
    entry(use('a', 'Read'), 0),
    entry(use('b', 'Grep'), 1),
    entry(use('c', 'Edit'), 2, false),
    entry(use('d', 'Read'), 3),
  ]
  const at = (time: number, type: ExecutorEvent['type'], call: QueuedCall, isError?: boolean) => {
    now = time
    const { block, ...rest } = result(call.block.id)
    const answer = { ...rest, block: { ...block, is_error: isError } }
    timeline.record({ type, call, result: answer } as ExecutorEvent)
  }
  for (const call of [a, b, c, d]) at(100, 'queued', call)
  at(100, 'started', a)
  at(100, 'started', b)
  at(120, 'answered', b)
  at(140, 'answered', a)
  at(140, 'started', c)
  at(160, 'answered', c, true)
  at(160, 'answered', d)
  return timeline
}

describe('given: what it stands on', () => {
  it('takes from a queue what came first, however it is mixed', () => {
    const queue = new Fifo<number>()
    const taken: Array<number | undefined> = []
    for (let i = 0; i < 100; i++) {
      queue.push(i)
      if (i % 3 === 0) taken.push(queue.shift())
    }
    expect(queue.first).toBe(34)
    expect([...taken, ...queue.takeAll()]).toEqual([...Array(100).keys()])
    expect([queue.size, queue.first, queue.shift()]).toEqual([0, undefined, undefined])
  })

  it('lets virtual time go on only when everything waits for it', async () => {
    const clock = new VirtualClock()
    const log: string[] = []
    const work = async (name: string, ms: number) => {
      await clock.sleep(ms)
      log.push(`${name} at ${clock.now()}`)
    }
    await clock.runUntil(Promise.all([work('b', 20), work('a', 10), work('c', 20).then(() => work('d', 5))]))
    expect(log).toEqual(['a at 10', 'b at 20', 'c at 20', 'd at 25'])
  })

  it('says that the work waits for something that is not on the clock', async () => {
    expect(await errorOf(() => new VirtualClock().runUntil(new Promise(() => {})))).toMatch(/clock/)
  })
})

describe('given: the timeline', () => {
  it('draws who waits, who runs beside others, who runs alone and who fails', async () => {
    await settle()
    expect(drawTimeline(sample().bars, { scale: 10 }).split('\n')).toEqual([
      'Read │████',
      'Grep │██',
      'Edit │····▓▓✗',
      'Read │······',
      '     └ 60 ms',
    ])
  })

  it('writes trace events that a viewer takes: numbers in microseconds, and no overlap on a thread', () => {
    const trace = JSON.parse(JSON.stringify(toTrace({ 'one by one': sample().bars, executor: sample().bars })))
    expect(Object.keys(trace).toSorted()).toEqual(['displayTimeUnit', 'traceEvents'])
    for (const event of trace.traceEvents) {
      expect(event).toMatchObject({ name: expect.stringMatching(/./), ph: expect.stringMatching(/^[XM]$/) })
      for (const key of ['ts', 'pid', 'tid']) expect(Number.isInteger(event[key]), `${key} of ${event.name}`).toBe(true)
      if (event.ph === 'X') expect(event.dur).toBeGreaterThanOrEqual(0)
    }
    const spans = trace.traceEvents.filter(({ ph }: { ph: string }) => ph === 'X')
    expect(spans).toHaveLength(6)
    expect(spans[0]).toMatchObject({ name: 'Read', ts: 100_000, dur: 40_000, pid: 1, tid: 1 })
    for (const [i, one] of spans.entries()) {
      for (const other of spans.slice(i + 1)) {
        if (one.pid !== other.pid || one.tid !== other.tid) continue
        expect(one.ts + one.dur <= other.ts || other.ts + other.dur <= one.ts, 'two at a time on one thread').toBe(true)
      }
    }
  })
})
