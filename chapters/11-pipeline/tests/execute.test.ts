import fc from 'fast-check'
import type { ToolProgress } from '#05-build-tool/tool.ts'
import { execute, follow, type Say } from '#11-pipeline/execute.ts'
import type { ResultUpdate, ToolUpdate } from '#11-pipeline/run-tool-use.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { type Call, enter } from '../given/call.ts'
import { countWaiting } from '../given/on-abort.ts'
import { callWith, held, letTodoThrough, never, rows, toolWith } from './calls.ts'

const say = (n: number): ToolProgress => ({ type: 'said', n })
const progress = (n: number): ToolUpdate => ({ type: 'progress', toolUseID: 'toolu_1', data: say(n) })
const done: ResultUpdate = {
  type: 'result',
  toolUseID: 'toolu_1',
  block: { type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' },
  end: { type: 'returned', data: 'done' },
}
const input = { text: 'a', times: 1 }

function running(call: unknown, listener: Say = () => {}) {
  const tool = toolWith({ call })
  return execute(callWith({ tool }), { type: 'authorized', tool, input }, listener)
}

async function all(call: Call, work: (say: Say) => Promise<ResultUpdate>): Promise<ToolUpdate[]> {
  const updates: ToolUpdate[] = []
  for await (const update of follow(call, work)) updates.push(letTodoThrough(update))
  return updates
}

/** Work that tells when it has begun. */
function telling(action: (say: Say) => Promise<ResultUpdate>) {
  const begun = held()
  const work = (listener: Say) => {
    begun.resolve()
    return action(listener)
  }
  return { work, begun: begun.promise }
}

describe('task 3: call the tool', () => {
  it('gives the data that the tool returned', async () => {
    expect(await running(async () => ({ data: { lines: 3 } }))).toEqual({ type: 'returned', data: { lines: 3 } })
  })

  it.for(rows([undefined, null, false, 0, '']))('takes $what for data like any other', async ({ value: data }) => {
    expect(await running(async () => ({ data }))).toEqual({ type: 'returned', data })
  })

  it('hands the tool its input, the context, canUseTool and the message, once', async () => {
    const seen: unknown[][] = []
    const tool = toolWith({
      call: async (...args: unknown[]) => {
        seen.push(args)
        return { data: 1 }
      },
    })
    const call = callWith({ tool })
    await execute(call, { type: 'authorized', tool, input }, () => {})
    expect(seen).toEqual([[input, call.context, call.canUseTool, call.message, expect.any(Function)]])
  })

  it('rejects with what the tool throws, at once or later', async () => {
    const atOnce = () => {
      throw new Error('no voice')
    }
    expect(await errorOf(() => running(atOnce))).toBe('no voice')
    expect(await errorOf(() => running(async () => atOnce()))).toBe('no voice')
  })

  it.for(rows([undefined, null, 'done', 7, [], {}]))(
    'refuses $what as the result of a call',
    async ({ value: result }) => {
      expect(await errorOf(() => running(async () => result))).toMatch(/result|data/i)
    },
  )

  it('takes a result that did not need a promise', async () => {
    expect(await running(() => ({ data: 1 }))).toEqual({ type: 'returned', data: 1 })
  })

  it('takes the first result of a tool that resolves twice', async () => {
    const twice = () => ({
      // biome-ignore lint/suspicious/noThenProperty: a promise of the author's own make, that is the point
      then(resolve: (value: unknown) => void) {
        resolve({ data: 'first' })
        resolve({ data: 'second' })
      },
    })
    expect(await running(twice)).toEqual({ type: 'returned', data: 'first' })
  })

  it('hands on what the tool says while it runs, and drops what it says after its end', async () => {
    const heard: unknown[] = []
    let talk: Say = () => {}
    const tool = async (...[, , , , onProgress]: [unknown, unknown, unknown, unknown, Say]) => {
      talk = onProgress
      talk(say(1))
      return { data: 'done' }
    }
    await running(tool, (data) => heard.push(data))
    talk(say(2))
    expect(heard).toEqual([say(1)])
  })

  it('drops what a tool says after it has thrown', async () => {
    const heard: unknown[] = []
    let talk: Say = () => {}
    const tool = async (...[, , , , onProgress]: [unknown, unknown, unknown, unknown, Say]) => {
      talk = onProgress
      throw new Error('no voice')
    }
    expect(await errorOf(() => running(tool, (data) => heard.push(data)))).toBe('no voice')
    talk(say(1))
    expect(heard).toEqual([])
  })
})

describe('task 3: follow a call to its end', () => {
  it('gives the result of a call that says nothing', async () => {
    expect(await all(callWith(), async () => done)).toEqual([done])
  })

  it('begins nothing before the first update is asked for', async () => {
    let begun = false
    const updates = follow(callWith(), async () => {
      begun = true
      return done
    })
    await Promise.resolve()
    expect(begun).toBe(false)
    expect((await updates.next()).value).toEqual(done)
    expect(begun).toBe(true)
  })

  it('gives progress at once, while the call goes on', async () => {
    const gate = held<ResultUpdate>()
    let talk: Say = () => {}
    const updates = follow(callWith(), (listener) => {
      talk = listener
      talk(say(1))
      return gate.promise
    })
    expect((await updates.next()).value).toEqual(progress(1))
    const next = updates.next()
    await Promise.resolve()
    talk(say(2))
    expect((await next).value, 'the call has not ended').toEqual(progress(2))
    gate.resolve(done)
    expect((await updates.next()).value).toEqual(done)
    expect((await updates.next()).done).toBe(true)
  })

  it('gives everything that was said before the end, in order, and then the result', async () => {
    const updates = await all(callWith(), async (listener) => {
      listener(say(1))
      listener(say(2))
      await Promise.resolve()
      listener(say(3))
      return done
    })
    expect(updates).toEqual([progress(1), progress(2), progress(3), done])
  })

  it('keeps what is said while the consumer looks away', async () => {
    let talk: Say = () => {}
    const gate = held<ResultUpdate>()
    const updates = follow(callWith(), (listener) => {
      talk = listener
      listener(say(1))
      return gate.promise
    })
    await updates.next()
    talk(say(2))
    talk(say(3))
    gate.resolve(done)
    await gate.promise
    const rest: unknown[] = []
    for await (const update of updates) rest.push(update)
    expect(rest).toEqual([progress(2), progress(3), done])
  })

  it('drops what is said after the result', async () => {
    let talk: Say = () => {}
    const updates = follow(callWith(), async (listener) => {
      talk = listener
      return done
    })
    expect((await updates.next()).value).toEqual(done)
    talk(say(1))
    expect((await updates.next()).done).toBe(true)
  })

  it('makes an error result of work that throws, at once or later', async () => {
    const broken = () => {
      throw new Error('short circuit')
    }
    for (const work of [broken, async () => broken()]) {
      const [update, ...more] = await all(callWith(), work as never)
      expect(update).toMatchObject({
        type: 'result',
        block: { is_error: true, content: expect.stringMatching('short circuit') },
      })
      expect(more).toEqual([])
    }
  })

  it('answers a call that ignores its abort at once', async () => {
    const abortController = new AbortController()
    const { work, begun } = telling(never)
    const running = all(callWith({ abortController }), work)
    await Promise.race([begun, running])
    abortController.abort()
    expect(await running).toMatchObject([
      { type: 'result', end: { type: 'interrupted' }, block: { tool_use_id: 'toolu_1', is_error: true } },
    ])
  })

  it('answers a call that is aborted before it begins', async () => {
    const abortController = new AbortController()
    abortController.abort()
    const updates = await all(callWith({ abortController }), async () => {
      abortController.signal.throwIfAborted()
      return done
    })
    expect(updates).toMatchObject([{ type: 'result', end: { type: 'interrupted' } }])
  })

  it.for(['a result', 'a rejection'])('ignores %s that comes after the abort', async (what) => {
    const abortController = new AbortController()
    const gate = held<ResultUpdate>()
    let talk: Say = () => {}
    const { work, begun } = telling((listener) => {
      talk = listener
      return gate.promise
    })
    const updates = follow(callWith({ abortController }), work)
    const first = updates.next()
    await Promise.race([begun, first])
    abortController.abort()
    expect((await first).value).toMatchObject({ end: { type: 'interrupted' } })
    talk(say(1))
    if (what === 'a result') gate.resolve(done)
    else gate.reject(new Error('too late'))
    expect((await updates.next()).done).toBe(true)
  })

  it('gives a tool that may wait its own result after the abort', async () => {
    const abortController = new AbortController()
    const call = callWith({ abortController, maxAbortWaitMs: 60_000 })
    call.stage = 'call'
    const gate = held<ResultUpdate>()
    const { work, begun } = telling(() => gate.promise)
    const running = all(call, work)
    await Promise.race([begun, running])
    abortController.abort()
    gate.resolve(done)
    expect(await running).toEqual([done])
  })

  it('waits no longer than it may for a tool that was aborted', async () => {
    const abortController = new AbortController()
    const call = callWith({ abortController, maxAbortWaitMs: 5 })
    call.stage = 'call'
    const { work, begun } = telling(never)
    const running = all(call, work)
    await Promise.race([begun, running])
    abortController.abort()
    expect(await running).toMatchObject([{ end: { type: 'interrupted', stage: 'call' } }])
  })

  it('leaves no listener on the signal, however the call ends', async () => {
    const { signal } = new AbortController()
    const abortController = { signal, abort() {} } as AbortController
    const listeners = () => countWaiting(signal)
    const broken = async () => {
      throw new Error('x')
    }
    await all(callWith({ abortController }), async () => done)
    await all(callWith({ abortController }), broken)
    const updates = follow(callWith({ abortController }), async (listener) => {
      listener(say(1))
      return never()
    })
    await updates.next()
    expect(listeners(), 'while it runs, it listens').toBe(1)
    await updates.return()
    expect(listeners()).toBe(0)
  })

  it('leaves no listener on the signal once the result is there, also when nobody has fetched it', async () => {
    const { signal } = new AbortController()
    const abortController = { signal, abort() {} } as AbortController
    const fetched = follow(callWith({ abortController }), async () => done)
    expect((await fetched.next()).value).toEqual(done)
    expect(countWaiting(signal), 'the result is fetched, and nothing more is').toBe(0)

    const gate = held<ResultUpdate>()
    const unfetched = follow(callWith({ abortController }), (listener) => {
      listener(say(1))
      return gate.promise
    })
    expect((await unfetched.next()).value).toEqual(progress(1))
    gate.resolve(done)
    await new Promise(setImmediate)
    expect(countWaiting(signal), 'the result is there, and nobody fetches it').toBe(0)
    expect((await unfetched.next()).value).toEqual(done)
  })

  it.for(['interrupted', 'failed', 'returned'])(
    'ends the call’s stage, and tells the observer that it is %s',
    async (how) => {
      const abortController = new AbortController()
      const events: string[] = []
      const call = callWith({
        abortController,
        observer: (event) => events.push(event.type === 'end' ? `${event.stage}: ${event.outcome}` : event.stage),
      })
      const updates = await all(call, async () => {
        enter(call, 'validate')
        if (how === 'failed') throw new Error('short circuit')
        if (how === 'returned') return done
        abortController.abort()
        return never()
      })
      expect(updates).toMatchObject([{ type: 'result', end: { type: how } }])
      expect(events).toEqual(['validate', `validate: ${how}`])
    },
  )

  it('gives exactly one result, last and for its call, whatever comes in whatever order', async () => {
    expect(await all(callWith(), async () => done)).toEqual([done])
    const step = fc.constantFrom('say', 'wait', 'abort', 'return', 'throw')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const abortController = new AbortController()
        let said = 0
        const updates = await all(callWith({ abortController }), async (listener) => {
          for (const [n, what] of steps.entries()) {
            if (what === 'say') listener(say(n))
            if (what === 'say' && !abortController.signal.aborted) said++
            if (what === 'wait') await Promise.resolve()
            if (what === 'abort') abortController.abort()
            if (what === 'return') return done
            if (what === 'throw') throw new Error('thrown')
          }
          return done
        })
        expect(updates.filter(({ type }) => type === 'result')).toHaveLength(1)
        expect(updates.at(-1)).toMatchObject({ type: 'result', block: { tool_use_id: 'toolu_1' } })
        expect(updates.length - 1, 'what was said before the end').toBe(said)
        const first = steps.find((what) => what === 'abort' || what === 'return' || what === 'throw')
        const ends = { abort: 'interrupted', throw: 'failed', return: 'returned' }
        const expected = ends[first as keyof typeof ends] ?? 'returned'
        expect(updates.at(-1), 'the first end counts').toMatchObject({ end: { type: expected } })
      }),
      { seed: 11, numRuns: 300 },
    )
  })
})
