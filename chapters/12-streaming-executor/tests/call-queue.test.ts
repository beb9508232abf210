import fc from 'fast-check'
import { CallQueue } from '#12-streaming-executor/call-queue.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { Fifo } from '../given/fifo.ts'
import type { QueuedCall } from '../given/types.ts'
import { forAll } from './for-all.ts'
import { message, use } from './stage.ts'

const isSafe = ({ name }: { name: string }) => name === 'Read'

/** A queue with one call for each letter: `r` is safe, `e` is not. */
function queueOf(letters: string, maxParallel?: number): { queue: CallQueue; calls: QueuedCall[] } {
  const queue = new CallQueue({ isSafe, maxParallel })
  const calls = [...letters].map((letter, i) =>
    queue.addTool(use(`${letter}${i}`, letter === 'r' ? 'Read' : 'Edit'), message),
  )
  return { queue, calls }
}

function startAll(queue: CallQueue): string[] {
  const started: string[] = []
  for (let call = queue.startNext(); call && started.length <= 1000; call = queue.startNext())
    started.push(call.block.id)
  return started
}

describe('given: the limit', () => {
  it.for([0, -1, 1.5, Number.NaN])('refuses a limit of %s', async (maxParallel) => {
    expect(await errorOf(() => new CallQueue({ isSafe, maxParallel }))).toContain(String(maxParallel))
  })
})

describe('task 1: addTool', () => {
  it('makes an entry with the block and the message as they came', () => {
    const block = use('a')
    const call = new CallQueue({ isSafe }).addTool(block, message)
    expect(call).toMatchObject({ place: 0, isSafe: true, state: 'queued' })
    expect(call.block).toBe(block)
    expect(call.message).toBe(message)
  })

  it('numbers the calls in the order in which they are added', () => {
    expect(queueOf('rer').calls.map(({ place }) => place)).toEqual([0, 1, 2])
  })

  it('makes two entries of two calls with one id', () => {
    const queue = new CallQueue({ isSafe })
    const [first, second] = [queue.addTool(use('a'), message), queue.addTool(use('a', 'Edit'), message)]
    expect([first.place, second.place]).toEqual([0, 1])
    expect([first.isSafe, second.isSafe]).toEqual([true, false])
  })

  it('counts a call as unsafe when the predicate throws', () => {
    const queue = new CallQueue({
      isSafe: () => {
        throw new Error('what input is this?')
      },
    })
    expect(queue.addTool(use('a'), message).isSafe).toBe(false)
  })

  it.for([
    ['nothing', undefined],
    ['null', null],
    ['the number 1', 1],
    ['the text "true"', 'true'],
    ['an object', {}],
    ['a promise of a yes', Promise.resolve(true)],
  ] as const)(
    'counts a call as unsafe when the predicate answers with %s, which is neither yes nor no',
    ([, answer]) => {
      const queue = new CallQueue({ isSafe: () => answer as unknown as boolean })
      expect(queue.addTool(use('a'), message).isSafe).toBe(false)
    },
  )

  it('lets nobody else see the rejection of a predicate that answers with a promise', async () => {
    const queue = new CallQueue({ isSafe: () => Promise.reject(new Error('async predicate')) as unknown as boolean })
    expect(queue.addTool(use('a'), message).isSafe).toBe(false)
    await new Promise(setImmediate) // an unhandled rejection would fail the run here
  })

  it('asks the predicate once, about the block', () => {
    const { asked, block } = askedBy((queue, block) => queue.addTool(block, message))
    expect(asked).toEqual([block])
  })
})

/** The blocks that the predicate was asked about while `action` was done. */
function askedBy(action: (queue: CallQueue, block: ReturnType<typeof use>) => unknown) {
  const asked: unknown[] = []
  const queue = new CallQueue({ isSafe: (block) => asked.push(block) > 0 })
  const block = use('a')
  action(queue, block)
  return { asked, block }
}

describe('task 2: canExecuteTool', () => {
  it('does not ask the predicate again when a call starts', () => {
    const { asked, block } = askedBy((queue, block) => {
      queue.addTool(block, message)
      queue.startNext()
    })
    expect(asked).toEqual([block])
  })

  it('lets the first call start when nothing runs, safe or not', () => {
    for (const letters of ['r', 'e']) {
      const { queue, calls } = queueOf(letters)
      expect(queue.canExecuteTool(calls[0]), letters).toBe(true)
    }
  })

  it('lets no call start but the first of those that wait', () => {
    const { queue, calls } = queueOf('rr')
    expect(queue.canExecuteTool(calls[1]), 'the first one has not started').toBe(false)
    queue.startNext()
    expect(queue.canExecuteTool(calls[1])).toBe(true)
    expect(queue.canExecuteTool(calls[0]), 'it runs already').toBe(false)
  })

  it('lets a safe call join safe calls', () => {
    const { queue, calls } = queueOf('rrr')
    expect(startAll(queue)).toEqual(['r0', 'r1', 'r2'])
    expect(calls.map(({ state }) => state)).toEqual(['running', 'running', 'running'])
  })

  it('keeps an unsafe call waiting while a safe one runs', () => {
    const { queue, calls } = queueOf('re')
    expect(startAll(queue)).toEqual(['r0'])
    expect(calls[1].state).toBe('queued')
  })

  it('keeps a safe call waiting while an unsafe one runs', () => {
    expect(startAll(queueOf('er').queue)).toEqual(['e0'])
  })

  it('keeps an unsafe call waiting while an unsafe one runs', () => {
    expect(startAll(queueOf('ee').queue)).toEqual(['e0'])
  })

  it('lets no safe call overtake an unsafe one that waits', () => {
    const { queue, calls } = queueOf('rer')
    expect(startAll(queue), 'r2 would read what e1 is about to change').toEqual(['r0'])
    queue.finish(calls[0])
    expect(startAll(queue)).toEqual(['e1'])
    queue.finish(calls[1])
    expect(startAll(queue)).toEqual(['r2'])
  })

  it('starts an unsafe call only when the last of the safe ones is over', () => {
    const { queue, calls } = queueOf('rre')
    startAll(queue)
    queue.finish(calls[1])
    expect(startAll(queue)).toEqual([])
    queue.finish(calls[0])
    expect(startAll(queue)).toEqual(['e2'])
  })

  it('runs ten safe calls at a time unless told otherwise, and starts one more when one is over', () => {
    const { queue, calls } = queueOf('r'.repeat(12))
    expect(startAll(queue)).toHaveLength(10)
    queue.finish(calls[4])
    expect(startAll(queue)).toEqual(['r10'])
  })

  it('runs as many at a time as the limit says', () => {
    expect(startAll(queueOf('rrrr', 3).queue)).toHaveLength(3)
    expect(startAll(queueOf('rr', 1).queue)).toHaveLength(1)
    expect(startAll(queueOf('r'.repeat(40), Number.POSITIVE_INFINITY).queue)).toHaveLength(40)
  })

  it('asks a few of those that run, not all of them, however many there are', () => {
    const { queue, calls } = queueOf('r'.repeat(1000), Number.POSITIVE_INFINITY)
    let reads = 0
    for (const call of calls) {
      const { isSafe } = call
      const get = () => {
        reads++
        return isSafe
      }
      Object.defineProperty(call, 'isSafe', { get })
    }
    expect(startAll(queue)).toHaveLength(1000)
    expect(reads, 'how often isSafe was read for 1,000 starts').toBeLessThanOrEqual(10_000)
  })

  it('moves none of those that wait when the first one starts', () => {
    const { queue } = queueOf('r'.repeat(500), Number.POSITIVE_INFINITY)
    const { push } = Fifo.prototype
    let pushes = 0
    Fifo.prototype.push = function (...items) {
      pushes++
      return push.apply(this, items)
    }
    try {
      expect(startAll(queue)).toHaveLength(500)
    } finally {
      Fifo.prototype.push = push
    }
    expect(pushes, 'how often a call was put into a queue again').toBeLessThanOrEqual(1000)
  })

  it('makes a finished call answered, and tells nothing to start when none waits', () => {
    const { queue, calls } = queueOf('r')
    startAll(queue)
    queue.finish(calls[0])
    expect(calls[0].state).toBe('answered')
    expect(queue.startNext()).toBeUndefined()
  })

  it('starts nothing any more that was taken out of the queue', () => {
    const { queue, calls } = queueOf('eer')
    startAll(queue)
    expect(queue.takeWaiting()).toEqual([calls[1], calls[2]])
    queue.finish(calls[0])
    queue.finish(calls[1])
    expect(startAll(queue)).toEqual([])
  })

  it('starts exactly what the law allows, in whatever order calls come and end', async () => {
    const steps = fc.array(fc.oneof(fc.constantFrom('r', 'e'), fc.nat(5)), { maxLength: 40 })
    await forAll(fc.tuple(steps, fc.integer({ min: 1, max: 4 })), async ([moves, maxParallel]) => {
      const queue = new CallQueue({ isSafe, maxParallel })
      const waiting: QueuedCall[] = []
      const running: QueuedCall[] = []
      for (const move of moves) {
        if (typeof move === 'string') waiting.push(queue.addTool(use(move, move === 'r' ? 'Read' : 'Edit'), message))
        else if (running.length > 0) queue.finish(running.splice(move % running.length, 1)[0])
        for (let call = queue.startNext(); call; call = queue.startNext()) {
          expect(call, 'the first of those that wait').toBe(waiting.shift())
          running.push(call)
        }
        const alone = running.some((call) => !call.isSafe)
        expect(running.length, 'how many run').toBeLessThanOrEqual(alone ? 1 : maxParallel)
        const [next] = waiting
        const mayStart = next && (running.length === 0 || (next.isSafe && !alone && running.length < maxParallel))
        expect(mayStart ?? false, 'a call waits that might run').toBe(false)
      }
    })
  })
})
