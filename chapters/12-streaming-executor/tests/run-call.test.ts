import { runToResult } from '#12-streaming-executor/run-call.ts'
import { describe, expect, it } from '#support/test.ts'
import type { RunTool, ToolUpdate } from '../given/types.ts'
import { createStage, entry, message, progress, result, settle, soon, use } from './stage.ts'

const { signal } = new AbortController()

/** Starts the call `a`, and keeps its progress. */
function start(run: RunTool, abort: AbortSignal = signal) {
  const told: ToolUpdate[] = []
  const call = entry(use('a', 'Read', { n: 1 }))
  const answer = runToResult(call, { run, signal: abort, onProgress: (update) => void told.push(update) })
  answer.catch(() => {})
  return { call, told, answer }
}

/** A run that yields this. */
function yielding(...updates: unknown[]): RunTool {
  return async function* () {
    yield* updates as ToolUpdate[]
  }
}

const failure = (id = 'a') => ({
  type: 'result',
  toolUseID: id,
  block: { type: 'tool_result', tool_use_id: id, is_error: true },
})

describe('task 3: runToResult', () => {
  it('resolves to the result that the tool gives', async () => {
    expect(await soon(start(yielding(result('a'))).answer)).toEqual(result('a'))
  })

  it('runs the call once, with its block, its message and the signal', async () => {
    const stage = createStage()
    const { call, answer } = start(stage.run)
    await settle()
    expect(stage.runs).toHaveLength(1)
    expect(stage.runs[0].block).toBe(call.block)
    expect(stage.runs[0].message).toBe(message)
    expect(stage.runs[0].signal).toBe(signal)
    stage.of('a').finish()
    await soon(answer)
  })

  it('hands on progress while the call still runs', async () => {
    const stage = createStage()
    const { told, answer } = start(stage.run)
    await settle()
    stage.of('a').give(progress('a', 'one'))
    await settle()
    expect(told).toEqual([progress('a', 'one')])
    stage.of('a').give(progress('a', 'two'))
    stage.of('a').finish()
    await soon(answer)
    expect(told).toHaveLength(2)
  })

  it('makes an error result of a run that throws at once', async () => {
    const run = () => {
      throw new Error('no such device')
    }
    const { answer } = start(run)
    expect(await soon(answer)).toMatchObject(failure())
    expect((await answer).block.content).toMatch(/no such device/)
  })

  it.for([
    ['an Error', new Error('disk full')],
    ['a text', 'disk full'],
    ['some object', { toString: (): string => 'disk full' }],
  ] as const)('makes an error result of a run that throws %s half-way', async ([, error]) => {
    const stage = createStage()
    const { answer } = start(stage.run)
    await settle()
    stage.of('a').give(progress('a'))
    stage.of('a').throw(error)
    expect(await soon(answer)).toMatchObject(failure())
    expect((await answer).block.content).toMatch(/disk full/)
  })

  it('makes an error result of a run that ends without one', async () => {
    expect(await soon(start(yielding(progress('a'))).answer)).toMatchObject(failure())
  })

  it.for([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'done'],
    ['an unknown type', { type: 'answer' }],
    ['a result without a block', { type: 'result' }],
    ['a result whose block is null', { type: 'result', block: null }],
    ['a result whose block is a text', { type: 'result', block: 'ok' }],
    ['a result whose block is a list', { type: 'result', block: [] }],
    ['a result whose block is of another kind', { type: 'result', block: { type: 'text', text: 'ok' } }],
  ] as const)('makes an error result of a run that yields %s, which is no update', async ([, nonsense]) => {
    const { answer, told } = start(yielding(nonsense))
    expect(await soon(answer)).toMatchObject(failure())
    expect(told, 'it is no progress either').toEqual([])
  })

  it('fails a run that yields no update, whatever it yields behind it', async () => {
    for (const nonsense of [undefined, { type: 'answer' }, { type: 'result', block: 'ok' }]) {
      const { answer, told } = start(yielding(progress('a'), nonsense, progress('a', 'late'), result('a')))
      expect(await soon(answer)).toMatchObject(failure())
      await settle()
      expect(told, 'what came before it').toEqual([progress('a')])
    }
  })

  it('makes an error result of a run that gives nothing to iterate over', async () => {
    expect(await soon(start((() => undefined) as unknown as RunTool).answer)).toMatchObject(failure())
  })

  it('takes the first of two results', async () => {
    const { answer } = start(yielding(result('a', 'first'), result('a', 'second')))
    expect((await soon(answer)).block.content).toBe('first')
  })

  it('keeps the result when the run throws behind it', async () => {
    const stage = createStage()
    const { answer } = start(stage.run)
    await settle()
    stage.of('a').give(result('a', 'saved'))
    stage.of('a').throw(new Error('too late'))
    expect((await soon(answer)).block.content).toBe('saved')
    await settle()
  })

  it('waits for nobody who hangs behind a result', async () => {
    const stage = createStage()
    const { answer } = start(stage.run)
    await settle()
    stage.of('a').give(result('a', 'there'))
    expect((await soon(answer)).block.content).toBe('there')
  })

  it('waits for nobody whose clean-up hangs behind two results', async () => {
    const { answer } = start(async function* () {
      try {
        yield result('a', 'there')
        yield result('a', 'again')
      } finally {
        await new Promise(() => {})
      }
    })
    expect((await soon(answer)).block.content).toBe('there')
  })

  it('hands on no progress that comes behind the result', async () => {
    const { told, answer } = start(yielding(result('a'), progress('a')))
    await soon(answer)
    await settle()
    expect(told).toEqual([])
  })

  it('hands on no progress after the abort, and lets a run end there that does not heed it', async () => {
    const controller = new AbortController()
    const stage = createStage()
    const { told } = start(stage.run, controller.signal)
    await settle()
    controller.abort()
    stage.of('a').give(progress('a'), progress('a'))
    await settle()
    expect(told).toEqual([])
    expect(stage.of('a').isOver, 'it goes on for nobody').toBe(true)
  })

  it('makes an error result of a run that it ended after the abort', async () => {
    const controller = new AbortController()
    const stage = createStage()
    const { answer } = start(stage.run, controller.signal)
    await settle()
    controller.abort()
    stage.of('a').give(progress('a'), result('a'))
    expect(await soon(answer)).toMatchObject(failure())
  })

  it('takes a result that comes after the abort, without progress before it', async () => {
    const controller = new AbortController()
    const stage = createStage()
    const { answer } = start(stage.run, controller.signal)
    await settle()
    controller.abort()
    stage.of('a').finish('in time')
    expect((await soon(answer)).block.content).toBe('in time')
  })

  it("gives a result that names another call this call's id, and keeps the rest", async () => {
    const other = { ...result('b', 'mine'), extra: 1 }
    expect(await soon(start(yielding(other)).answer)).toEqual({ ...result('a', 'mine'), extra: 1 })
    expect(other.block.tool_use_id, "the tool's own object is left alone").toBe('b')
  })
})
