import { StreamingToolExecutor } from '#12-streaming-executor/executor.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import type { ExecutorEvent, ExecutorOptions, ToolUpdate } from '../given/types.ts'
import { createStage, message, progress, reading, result, type Stage, settle, soon, staged, use } from './stage.ts'

/** An executor on a stage, with these calls added, such as `a:Read`, and whatever may run running. */
async function perform(calls: string, more: Partial<ExecutorOptions> = {}) {
  const stage = createStage()
  const { options, events, answered } = staged(stage, more)
  const executor = new StreamingToolExecutor(options)
  const reader = reading(executor.results())
  add(executor, calls)
  await settle()
  return { stage, executor, reader, events, answered }
}

function add(executor: StreamingToolExecutor, calls: string): void {
  for (const call of calls.split(' ').filter(Boolean)) {
    const [id, name] = call.split(':')
    executor.addTool(use(id, name), message)
  }
}

async function finish(stage: Stage, ...ids: string[]): Promise<void> {
  for (const id of ids) stage.of(id).finish()
  await settle()
}

/** As `perform`, with somebody who is told of everything and may do something to the executor. */
async function performBefore(calls: string, onEvent: (event: ExecutorEvent, executor: StreamingToolExecutor) => void) {
  const stage = createStage()
  const { options } = staged(stage)
  const executor: StreamingToolExecutor = new StreamingToolExecutor({
    ...options,
    onEvent: (event) => onEvent(event, executor),
  })
  const reader = reading(executor.results())
  add(executor, calls)
  await settle()
  return { stage, executor, reader }
}

/** The results that were read, each as `id: text`. */
function texts(read: ToolUpdate[]): string[] {
  return read.flatMap((update) =>
    update.type === 'result' ? [`${update.block.tool_use_id}: ${update.block.content}`] : [],
  )
}

describe('task 5: the executor, from call to result', () => {
  it('starts a call when it is added, while the model still speaks', async () => {
    const { stage } = await perform('a:Edit')
    expect(stage.started()).toEqual(['a'])
    expect(stage.of('a').message).toBe(message)
  })

  it('runs safe calls together, an unsafe one alone, and lets nobody overtake', async () => {
    const { stage } = await perform('a:Read b:Read c:Edit d:Read')
    expect(stage.started()).toEqual(['a', 'b'])
    await finish(stage, 'a')
    expect(stage.started(), 'b still runs').toEqual(['a', 'b'])
    await finish(stage, 'b')
    expect(stage.started()).toEqual(['a', 'b', 'c'])
    await finish(stage, 'c')
    expect(stage.started()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('starts the next call when one is answered', async () => {
    const { stage } = await perform('a:Edit b:Edit')
    await finish(stage, 'a')
    expect(stage.started()).toEqual(['a', 'b'])
  })

  it('starts all that may start when one is answered', async () => {
    const { stage } = await perform('a:Edit b:Read c:Read d:Read')
    await finish(stage, 'a')
    expect(stage.started(), 'an edit is over, and three reads wait for nothing else').toEqual(['a', 'b', 'c', 'd'])
  })

  it('fills a place as soon as it is free, while others still run', async () => {
    const { stage } = await perform('a:Read b:Read c:Read', { maxParallel: 2 })
    await finish(stage, 'b')
    expect(stage.started(), 'c need not wait for a').toEqual(['a', 'b', 'c'])
  })

  it('runs two edits of one file one after the other', async () => {
    let file = 'one two'
    const replace = (from: string, to: string) => use(from, 'Edit', { from, to })
    const { executor, reader } = await perform('', {
      async *run({ id, input }) {
        const { from, to } = input as { from: string; to: string }
        const text = file
        await settle()
        file = text.replace(from, to)
        yield result(id)
      },
    })
    executor.addTool(replace('one', 'ONE'), message)
    executor.addTool(replace('two', 'TWO'), message)
    executor.end()
    await soon(reader.done)
    expect(file, 'the second edit must see what the first one wrote').toBe('ONE TWO')
  })

  it('runs no more than ten at a time, and no more than maxParallel', async () => {
    const many = Array.from({ length: 12 }, (_, i) => `r${i}:Read`).join(' ')
    expect((await perform(many)).stage.runs).toHaveLength(10)
    const { stage } = await perform(many, { maxParallel: 2 })
    expect(stage.runs).toHaveLength(2)
    await finish(stage, 'r1')
    expect(stage.started()).toEqual(['r0', 'r1', 'r2'])
  })

  it('gives the results in call order, and ends after the last', async () => {
    const { stage, executor, reader } = await perform('a:Read b:Read')
    executor.end()
    await finish(stage, 'b')
    expect(reader.ids()).toEqual([])
    await finish(stage, 'a')
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a', 'b'])
  })

  it('gives a result when its turn has come, while the model still speaks and later calls run', async () => {
    const { stage, reader } = await perform('a:Read b:Read')
    await finish(stage, 'a')
    expect(reader.ids()).toEqual(['a'])
  })

  it('tells a result when it is there, though an earlier call still runs', async () => {
    const { stage, reader, answered } = await perform('stuck:Read b:Read c:Read')
    await finish(stage, 'c', 'b')
    expect(answered().toSorted(), 'one stuck call must not hide all').toEqual(['b', 'c'])
    expect(reader.ids()).toEqual([])
  })

  it('gives and tells progress at once', async () => {
    const { stage, reader, events } = await perform('a:Read b:Read')
    stage.of('b').give(progress('b', 'half'))
    await settle()
    expect(reader.read).toEqual([progress('b', 'half')])
    expect(events.at(-1)).toMatchObject({ type: 'progress', call: { place: 1 }, update: progress('b', 'half') })
  })

  it('tells of each call that it is queued, started and answered', async () => {
    const { stage, events } = await perform('a:Edit b:Edit')
    await finish(stage, 'a')
    await finish(stage, 'b')
    const told = events.map(({ type, call }) => `${call.block.id} ${type}`)
    for (const id of ['a', 'b']) {
      const ofOne = told.filter((event) => event.startsWith(id))
      expect(ofOne).toEqual([`${id} queued`, `${id} started`, `${id} answered`])
    }
    expect(told.indexOf('b started'), 'b waits for a').toBeGreaterThan(told.indexOf('a answered'))
  })

  it('tells that a call starts before it is run', async () => {
    const log: string[] = []
    await perform('a:Edit', {
      async *run({ id }) {
        log.push(`${id} runs`)
        yield result(id)
      },
      onEvent: ({ type, call }) => void log.push(`${call.block.id} ${type}`),
    })
    expect(log).toEqual(['a queued', 'a started', 'a runs', 'a answered'])
  })

  it('tells an answer before it starts those that waited for it', async () => {
    const { stage, events } = await perform('a:Edit b:Read')
    await finish(stage, 'a')
    expect(events.map(({ type, call }) => `${call.block.id} ${type}`)).toEqual([
      'a queued',
      'a started',
      'b queued',
      'a answered',
      'b started',
    ])
  })

  it('tells of each call in the state that it is in, whether it ran or not', async () => {
    const states: string[] = []
    const onEvent = ({ type, call }: ExecutorEvent) => void states.push(`${call.block.id} ${type}: ${call.state}`)
    const { executor } = await perform('a:Sleep b:Edit', { onEvent })
    executor.interrupt()
    expect(states.toSorted()).toEqual([
      'a answered: answered',
      'a queued: queued',
      'a started: running',
      'b answered: answered',
      'b queued: queued',
    ])
  })

  it('gives each call a signal of its own', async () => {
    const { stage } = await perform('a:Read b:Read')
    expect(new Set(stage.runs.map(({ signal }) => signal)).size).toBe(2)
  })

  it('gives each of two calls with one id its own result', async () => {
    const { stage, executor, reader } = await perform('x:Read x:Read')
    executor.end()
    stage.runs[1].finish('second')
    stage.runs[0].finish('first')
    await soon(reader.done)
    expect(texts(reader.read)).toEqual(['x: first', 'x: second'])
  })

  it('gives a call its own result when the tool names another call in it', async () => {
    const { stage, executor, reader } = await perform('a:Read b:Read')
    executor.end()
    stage.of('a').give(result('b', 'from a'))
    stage.of('b').finish('from b')
    await soon(reader.done)
    expect(texts(reader.read)).toEqual(['a: from a', 'b: from b'])
  })

  it('runs a call alone when its predicate throws', async () => {
    const { stage } = await perform('a:Read b:Read', {
      isSafe: () => {
        throw new Error('what input is this?')
      },
    })
    expect(stage.started()).toEqual(['a'])
  })

  it('lets a run that throws cost its own result only', async () => {
    const { stage, executor, reader } = await perform('a:Read b:Read c:Edit')
    executor.end()
    stage.of('a').throw(new Error('disk full'))
    await finish(stage, 'b')
    await finish(stage, 'c')
    await soon(reader.done)
    expect(texts(reader.read)).toEqual([expect.stringMatching(/^a: .*disk full/), 'b: b is done', 'c: c is done'])
  })

  it('goes on after an unsafe run that throws before it gives anything', async () => {
    const { executor, reader } = await perform('a:Edit b:Edit', {
      run: ({ id }) => {
        throw new Error(`${id} cannot start`)
      },
    })
    executor.end()
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a', 'b'])
  })

  it('keeps going when the observer throws', async () => {
    const { stage, executor, reader } = await perform('a:Edit b:Edit', {
      onEvent: () => {
        throw new Error('the screen is gone')
      },
    })
    executor.end()
    await finish(stage, 'a')
    await finish(stage, 'b')
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a', 'b'])
  })

  it('keeps going when the observer is async, and fails later', async () => {
    const { stage, executor, reader } = await perform('a:Edit', {
      onEvent: async () => {
        throw new Error('the screen is gone')
      },
    })
    executor.end()
    await finish(stage, 'a') // an unhandled rejection would fail the run here
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a'])
  })

  it('takes a call that whoever is told of an answer adds, and runs it', async () => {
    const { stage, executor, reader } = await performBefore('a:Edit b:Read', ({ type, call }, executor) => {
      if (type === 'answered' && call.block.id === 'a') add(executor, 'c:Edit')
    })
    await finish(stage, 'a')
    expect(stage.started(), 'c comes behind b').toEqual(['a', 'b'])
    executor.end()
    await finish(stage, 'b')
    await finish(stage, 'c')
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a', 'b', 'c'])
  })

  it('refuses a call after the end, and names it', async () => {
    const { executor, reader } = await perform('')
    executor.end()
    expect(await errorOf(() => add(executor, 'late:Read'))).toContain('late')
    await soon(reader.done)
    const other = await perform('a:Read')
    await finish(other.stage, 'a')
    expect(other.reader.ids(), 'before the end all is well').toEqual(['a'])
  })

  it('takes calls while others run, and after all have been answered', async () => {
    const { stage, executor, reader } = await perform('a:Read')
    await finish(stage, 'a')
    add(executor, 'b:Edit')
    await settle()
    add(executor, 'c:Read')
    executor.end()
    await finish(stage, 'b')
    await finish(stage, 'c')
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a', 'b', 'c'])
  })

  it('answers 10,000 calls that fail at once without running out of stack', async () => {
    let asked = 0
    const error = new Error('no')
    const { executor, reader } = await perform('', {
      run: () => {
        throw error
      },
      isSafe: () => asked++ % 3 > 0,
    })
    for (let i = 0; i < 10_000; i++) executor.addTool(use(`c${i}`), message)
    executor.end()
    await reader.done
    expect(reader.ids()).toEqual(Array.from({ length: 10_000 }, (_, i) => `c${i}`))
    expect(asked, 'each call is asked about once').toBe(10_000)
  })
})

describe('task 5: interrupt', () => {
  it('answers a running cancel call at once, though the tool does not heed its abort', async () => {
    const { stage, executor, reader } = await perform('a:Sleep')
    executor.interrupt()
    executor.end()
    await soon(reader.done)
    expect(texts(reader.read)).toEqual([expect.stringMatching(/^a: .*interrupt/i)])
    expect(stage.of('a').signal.aborted).toBe(true)
  })

  it('lets a block call finish, unaborted, with its own result', async () => {
    const { stage, executor, reader } = await perform('a:Edit')
    executor.interrupt()
    executor.end()
    await settle()
    expect(reader.ids()).toEqual([])
    expect(stage.of('a').signal.aborted).toBe(false)
    await finish(stage, 'a')
    await soon(reader.done)
    expect(texts(reader.read)).toEqual(['a: a is done'])
  })

  it('tells cancel from block among calls that run side by side', async () => {
    const { stage, executor, answered } = await perform('a:Read b:Sleep c:Read d:Sleep')
    executor.interrupt()
    await settle()
    expect(answered().toSorted()).toEqual(['b', 'd'])
    expect(stage.runs.map(({ signal }) => signal.aborted)).toEqual([false, true, false, true])
  })

  it('answers what waits as interrupted, and never runs it', async () => {
    const { stage, executor, reader } = await perform('a:Edit b:Read c:Edit')
    executor.interrupt()
    executor.end()
    await finish(stage, 'a')
    await soon(reader.done)
    expect(stage.started()).toEqual(['a'])
    expect(texts(reader.read).slice(1)).toEqual([
      expect.stringMatching(/^b: .*interrupt/i),
      expect.stringMatching(/^c: .*interrupt/i),
    ])
  })

  it('starts nothing in the room that a cancelled call leaves', async () => {
    const { stage, executor, answered } = await perform('a:Fetch b:Edit c:Read')
    executor.interrupt()
    await settle()
    expect(stage.started()).toEqual(['a'])
    expect(answered().toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('answers a call that is added after it, and does not run it', async () => {
    const { stage, executor, reader } = await perform('')
    executor.interrupt()
    add(executor, 'a:Read b:Edit')
    executor.end()
    await soon(reader.done)
    expect(stage.started()).toEqual([])
    expect(texts(reader.read)).toEqual([
      expect.stringMatching(/^a: .*interrupt/i),
      expect.stringMatching(/^b: .*interrupt/i),
    ])
  })

  it('ignores what a cancelled call gives later', async () => {
    const { stage, executor, reader, events } = await perform('a:Sleep b:Sleep c:Sleep')
    executor.interrupt()
    executor.end()
    await soon(reader.done)
    const told = events.length
    stage.of('a').give(progress('a'))
    stage.of('b').throw(new Error('aborted, too late'))
    stage.of('c').finish()
    await settle()
    expect(events.length, 'nothing is told any more').toBe(told)
    expect(reader.ids()).toEqual(['a', 'b', 'c'])
  })

  it('keeps the results that are there', async () => {
    const { stage, executor, reader } = await perform('a:Sleep b:Sleep')
    await finish(stage, 'b')
    executor.interrupt()
    executor.end()
    await soon(reader.done)
    expect(texts(reader.read)).toEqual([expect.stringMatching(/^a: .*interrupt/i), 'b: b is done'])
  })

  it('waits for a call whose interruptBehavior throws', async () => {
    const { stage, executor, answered } = await perform('a:Sleep', {
      interruptBehavior: () => {
        throw new Error('who knows')
      },
    })
    executor.interrupt()
    await settle()
    expect(answered()).toEqual([])
    expect(stage.of('a').signal.aborted).toBe(false)
  })

  it('waits for a call whose interruptBehavior answers with a promise', async () => {
    const { stage, executor, answered } = await perform('a:Sleep b:Sleep', {
      interruptBehavior: ({ id }) =>
        (id === 'a' ? Promise.resolve('cancel') : Promise.reject(new Error('who knows'))) as unknown as 'cancel',
    })
    executor.interrupt()
    await settle() // an unhandled rejection would fail the run here
    expect(answered()).toEqual([])
    expect(stage.runs.map(({ signal }) => signal.aborted)).toEqual([false, false])
  })

  it('asks interruptBehavior when it comes, and only of the calls that run', async () => {
    const asked: string[] = []
    let behavior: 'block' | 'cancel' = 'block'
    const { stage, executor, answered } = await perform('a:Sleep b:Sleep c:Edit', {
      interruptBehavior: ({ id }) => {
        asked.push(id)
        return behavior
      },
    })
    expect(asked, 'nobody has interrupted').toEqual([])
    await finish(stage, 'a')
    behavior = 'cancel'
    executor.interrupt()
    expect(asked, 'a is over, c never ran').toEqual(['b'])
    expect(answered().toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('runs a block call, and no cancel call, when whoever is told of its start interrupts', async () => {
    for (const [name, started, text] of [
      ['Edit', ['a'], 'a: a is done'],
      ['Fetch', [], expect.stringMatching(/^a: .*interrupt/i)],
    ] as const) {
      const { stage, executor, reader } = await performBefore(`a:${name} b:Read`, ({ type }, executor) => {
        if (type === 'started') executor.interrupt()
      })
      executor.end()
      expect(stage.started(), name).toEqual(started)
      if (started.length > 0) await finish(stage, 'a')
      await soon(reader.done)
      expect(texts(reader.read)).toEqual([text, expect.stringMatching(/^b: .*interrupt/i)])
    }
  })

  it('answers a call that is added in the middle of it, and does not run it', async () => {
    const { stage, executor, reader } = await performBefore('a:Fetch b:Edit', ({ type, call }, executor) => {
      if (type === 'answered' && call.block.id !== 'late') add(executor, 'late:Read')
    })
    executor.interrupt()
    executor.end()
    await soon(reader.done)
    expect(stage.started()).toEqual(['a'])
    expect(texts(reader.read)).toEqual(
      ['a', 'b', 'late', 'late'].map((id) => expect.stringMatching(`^${id}: Interrupted`)),
    )
  })

  it('changes nothing when it comes twice, or after all is done', async () => {
    const { stage, executor, reader } = await perform('a:Edit b:Read')
    executor.interrupt()
    executor.interrupt()
    await finish(stage, 'a')
    executor.interrupt()
    executor.end()
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a', 'b'])
  })
})

describe('task 5: discard', () => {
  it('answers every call that has no result, and says that it was discarded', async () => {
    const { stage, executor, reader } = await perform('a:Read b:Read c:Edit d:Read')
    await finish(stage, 'b')
    executor.discard()
    executor.end()
    await soon(reader.done)
    expect(texts(reader.read)).toEqual([
      expect.stringMatching(/^a: .*discard/i),
      'b: b is done',
      expect.stringMatching(/^c: .*discard/i),
      expect.stringMatching(/^d: .*discard/i),
    ])
  })

  it('aborts what runs, block calls too', async () => {
    const { stage, executor } = await perform('a:Read b:Sleep')
    executor.discard()
    expect(stage.runs.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })

  it('runs nothing any more, when those that ran come to their end', async () => {
    const { stage, executor } = await perform('a:Edit b:Read c:Edit')
    executor.discard()
    await finish(stage, 'a')
    expect(stage.started()).toEqual(['a'])
  })

  it('answers a call that is added after it as discarded, and does not run it', async () => {
    const { stage, executor, reader } = await perform('a:Edit')
    executor.discard()
    add(executor, 'b:Read')
    executor.end()
    await soon(reader.done)
    expect(stage.started()).toEqual(['a'])
    expect(texts(reader.read)).toHaveLength(2)
    expect(texts(reader.read)[1]).toMatch(/^b: .*discard/i)
  })

  it('ends the block calls that an interrupt has waited for', async () => {
    const { executor, reader } = await perform('a:Edit b:Read')
    executor.interrupt()
    executor.discard()
    executor.end()
    await soon(reader.done)
    expect(texts(reader.read)).toEqual([
      expect.stringMatching(/^a: .*discard/i),
      expect.stringMatching(/^b: .*interrupt/i),
    ])
  })

  it('has the last word on calls that are added when an interrupt came before it', async () => {
    const { executor, reader } = await perform('a:Edit')
    executor.interrupt()
    executor.discard()
    add(executor, 'b:Read')
    executor.end()
    await soon(reader.done)
    expect(texts(reader.read)[1]).toMatch(/^b: .*discard/i)
  })

  it('has the last word when whoever is told of an interrupt discards, or of a discard interrupts', async () => {
    for (const [first, second] of [
      ['interrupt', 'discard'],
      ['discard', 'interrupt'],
    ] as const) {
      const { executor, reader } = await performBefore('a:Sleep b:Sleep c:Edit d:Edit', ({ type }, executor) => {
        if (type === 'answered') executor[second]()
      })
      executor[first]()
      executor.end()
      await soon(reader.done)
      const others = texts(reader.read).filter((text) => !/discard/i.test(text))
      expect(others.length, `${second} in the middle of ${first}`).toBeLessThanOrEqual(first === 'interrupt' ? 1 : 0)
      expect(reader.ids()).toEqual(['a', 'b', 'c', 'd'])
    }
  })

  it('tells each answer once, when whoever is told discards again', async () => {
    const told: string[] = []
    const { executor, reader } = await performBefore('a:Read b:Read c:Edit', ({ type, call }, executor) => {
      if (type !== 'answered') return
      told.push(call.block.id)
      if (told.length < 100) executor.discard()
    })
    executor.discard()
    executor.end()
    await soon(reader.done)
    expect(told.toSorted()).toEqual(['a', 'b', 'c'])
    expect(reader.ids()).toEqual(['a', 'b', 'c'])
  })

  it('answers a call that is added in the middle of a discard, and does not run it', async () => {
    const { stage, executor, reader } = await performBefore('a:Read b:Edit', ({ type, call }, executor) => {
      if (type === 'answered' && call.block.id !== 'late') add(executor, 'late:Read')
    })
    executor.discard()
    executor.end()
    await soon(reader.done)
    expect(stage.started()).toEqual(['a'])
    expect(texts(reader.read)).toEqual(
      ['a', 'b', 'late', 'late'].map((id) => expect.stringMatching(`^${id}: Discarded`)),
    )
  })

  it('leaves alone the signal of a call that has its result', async () => {
    const { stage, executor } = await perform('a:Sleep b:Read')
    await finish(stage, 'a')
    executor.interrupt()
    executor.discard()
    expect(stage.runs.map(({ signal }) => signal.aborted)).toEqual([false, true])
  })

  it('stays discarded when an interrupt follows', async () => {
    const { executor, reader } = await perform('a:Edit')
    executor.discard()
    executor.interrupt()
    add(executor, 'b:Read')
    executor.end()
    await soon(reader.done)
    expect(texts(reader.read)[1]).toMatch(/^b: .*discard/i)
  })

  it('does not run a call when whoever is told of its start discards', async () => {
    const { stage } = await performBefore('a:Read b:Read', ({ type }, executor) => {
      if (type === 'started') executor.discard()
    })
    expect(stage.started()).toEqual([])
  })

  it('answers a call that is discarded by whoever is told of its start', async () => {
    const { executor, reader } = await performBefore('a:Read b:Read', ({ type }, executor) => {
      if (type === 'started') executor.discard()
    })
    executor.end()
    await soon(reader.done)
    expect(reader.ids()).toEqual(['a', 'b'])
  })
})
