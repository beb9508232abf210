import fc from 'fast-check'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { failedResult } from '../given/answers.ts'
import { Fifo } from '../given/fifo.ts'
import { type Bar, drawTimeline, Timeline } from '../given/timeline.ts'
import { type Trace, type TraceEvent, toTrace } from '../given/trace-events.ts'
import type { ExecutorEvent, QueuedCall } from '../given/types.ts'
import { VirtualClock } from '../given/virtual-clock.ts'
import { forAll } from './for-all.ts'
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

/** What Perfetto and chrome://tracing ask of a file with `X` and `M` events. Gives the spans of each thread, by its `tid`. */
function checkTrace(file: string): Map<number, TraceEvent[]> {
  const trace: Trace = JSON.parse(file)
  expect(Object.keys(trace).toSorted()).toEqual(['displayTimeUnit', 'traceEvents'])
  const processes = new Map<number, string>()
  const threads = new Map<number, { pid: number; spans: TraceEvent[] }>()
  for (const { name, ph, ts, dur, pid, tid, args } of trace.traceEvents) {
    for (const value of [ts, pid, tid]) expect(Number.isSafeInteger(value), `whole numbers in ${name}`).toBe(true)
    expect(Math.min(pid, tid), 'number 0 is the idle process').toBeGreaterThan(0)
    if (ph === 'M') {
      expect(args.name, 'what is named has a name').toEqual(expect.stringMatching(/./))
      expect(dur, 'a name takes no time').toBeUndefined()
      if (name === 'process_name') {
        expect([...threads.keys(), ...processes.keys()], 'a number of its own for each process').not.toContain(pid)
        processes.set(pid, String(args.name))
      } else {
        expect(name).toBe('thread_name')
        expect([...threads.keys(), ...processes.keys()], 'a number of its own for each thread').not.toContain(tid)
        threads.set(tid, { pid, spans: [] })
      }
      continue
    }
    expect(ph).toBe('X')
    expect(name).toEqual(expect.any(String))
    expect(Number.isSafeInteger(dur) && dur! >= 0, 'how long it took: 0 or more').toBe(true)
    expect(processes.has(pid), 'its process has a name').toBe(true)
    expect(threads.get(tid)?.pid, 'its thread has a name').toBe(pid)
    threads.get(tid)?.spans.push({ name, ph, ts, dur, pid, tid, args })
  }
  for (const { spans } of threads.values()) {
    for (const [i, one] of spans.entries()) {
      for (const other of spans.slice(i + 1)) {
        const apart = one.ts + one.dur! <= other.ts || other.ts + other.dur! <= one.ts
        expect(apart && one.ts !== other.ts, 'two at a time on one thread').toBe(true)
      }
    }
  }
  return new Map([...threads].map(([tid, { spans }]) => [tid, spans]))
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

  it('draws nothing when there was no call', () => {
    expect(drawTimeline([], { scale: 10 })).toBe('')
  })

  it('writes a trace that a viewer takes: microseconds, names, and no overlap on a thread', () => {
    const threads = checkTrace(JSON.stringify(toTrace({ 'one by one': sample().bars, executor: sample().bars })))
    const spans = [...threads.values()].flat()
    expect(spans, 'the call that never ran is not in it').toHaveLength(6)
    expect(spans[0]).toMatchObject({ name: 'Read', ts: 100_000, dur: 40_000, args: { id: 'a', isError: false } })
    const [first, second] = [...threads.values()].map((lane) => lane.map(({ name }) => name))
    expect([first, second], 'Grep ran beside Read, Edit behind it').toEqual([['Read', 'Edit'], ['Grep']])
  })

  it('writes a trace that a viewer takes, of whatever bars there are', async () => {
    const moment = fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { nil: undefined })
    const bar = fc.record({ name: fc.constantFrom('Read', ''), queued: fc.nat(5), started: moment, answered: moment })
    const bars = fc.array(
      bar.map((one): Bar => ({ id: 't', isSafe: true, ...one })),
      { size: 'max', maxLength: 20 },
    )
    await forAll(fc.tuple(bars, bars), async ([first, second]) => {
      const threads = checkTrace(JSON.stringify(toTrace({ first, nothing: [], second })))
      const ran = [...first, ...second].filter(
        ({ started, answered }) => started !== undefined && answered !== undefined,
      )
      expect([...threads.values()].flat()).toHaveLength(ran.length)
    })
  })
})

describe('given: the error result', () => {
  it.for([
    ['an Error without a message', new TypeError(), 'TypeError'],
    ['undefined', undefined, 'undefined'],
    ['an empty text', '', 'unknown error'],
    ['a symbol', Symbol('odd'), 'odd'],
    ['an Error whose message is a symbol', Object.assign(new Error(), { message: Symbol('odd') }), 'odd'],
    ['an object without a text', Object.create(null), 'cannot be shown'],
  ] as const)('is there for %s, and says something', ([, thrown, words]) => {
    const { block } = failedResult(entry(use('a')), thrown)
    expect(block).toMatchObject({ type: 'tool_result', tool_use_id: 'a', is_error: true })
    expect(block.content).toContain(words)
  })
})
