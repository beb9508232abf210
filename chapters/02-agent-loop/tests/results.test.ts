import { runCall, runCalls, toResult } from '#02-agent-loop/results.ts'
import { describe, expect, it } from '#support/test.ts'
import type { Schedule, ToolCall, ToolOutput } from '../given/types.ts'
import { asSent, held, interruptedResult, soon, textOf } from './messages.ts'

const call = (id: string, rest: Partial<ToolCall> = {}): ToolCall => ({
  id,
  name: 'read',
  input: { path: id },
  ...rest,
})
const image = {
  type: 'image' as const,
  source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw==' },
}
const never = () => new Promise<never>(() => {})

describe('task 1: toResult', () => {
  it('answers the call with the output as it is', () => {
    const result = asSent(toResult('toolu_1', '  one\n'))
    expect(result).toEqual({ type: 'tool_result', tool_use_id: 'toolu_1', content: '  one\n' })
  })

  it('has no is_error unless the output has one', () => {
    expect(asSent(toResult('toolu_1', { content: 'one' }))).not.toHaveProperty('is_error')
    expect(toResult('toolu_1', { content: 'one', is_error: false })).toMatchObject({ is_error: false })
  })

  it.for<[string, ToolOutput]>([
    ['an empty string', ''],
    ['white space', ' \n\t'],
    ['an empty text block', { content: [{ type: 'text', text: '' }] }],
    [
      'blank text blocks',
      {
        content: [
          { type: 'text', text: ' ' },
          { type: 'text', text: '\n' },
        ],
      },
    ],
    ['no blocks', { content: [] }],
    ['no content', {}],
    ['content that is undefined', { content: undefined }],
  ])('says (no output) for %s', ([, output]) => {
    expect(toResult('toolu_1', output).content).toBe('(no output)')
  })

  it('keeps images and text, and leaves blank text blocks out', () => {
    const content = [{ type: 'text' as const, text: '' }, image, { type: 'text' as const, text: 'a cat' }]
    expect(toResult('toolu_1', { content }).content).toEqual([image, { type: 'text', text: 'a cat' }])
  })

  it('says that the output is an error when it is one', () => {
    const result = toResult('toolu_1', { content: 'no such file', is_error: true })
    expect(result).toMatchObject({ content: 'no such file', is_error: true })
  })

  it('says (no output) for an error without a text, and that it is an error', () => {
    expect(toResult('toolu_1', { content: '', is_error: true })).toMatchObject({
      content: '(no output)',
      is_error: true,
    })
  })
})

describe('task 1: runCall', () => {
  it('hands name, input, id and signal to dispatch, and answers with its output', async () => {
    const { signal } = new AbortController()
    const seen: unknown[] = []
    const dispatch = async (...args: unknown[]) => {
      seen.push(...args)
      return 'the text'
    }
    const result = await runCall(call('toolu_1'), { dispatch, signal })
    expect(seen).toEqual(['read', { path: 'toolu_1' }, { id: 'toolu_1', signal }])
    expect(result).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'the text' })
  })

  it('says (no output) for a tool that prints nothing', async () => {
    expect(await runCall(call('toolu_1'), { dispatch: () => '' })).toMatchObject({ content: '(no output)' })
  })

  it.for<[string, () => Promise<string>]>([
    ['rejects', () => Promise.reject(new Error('disk full'))],
    [
      'throws before it returns a promise',
      () => {
        throw new Error('disk full')
      },
    ],
    ['rejects with a string', () => Promise.reject('disk full')],
    ['rejects with an object', () => Promise.reject({ code: 'disk full' })],
  ])('makes an error result of a tool that %s', async ([, dispatch]) => {
    const result = await runCall(call('toolu_1'), { dispatch })
    expect(result).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true })
    expect(textOf(result), 'the model must read what went wrong').toContain('disk full')
  })

  it.for<[string, unknown]>([
    ['nothing', undefined],
    ['an object that has no text', Object.create(null)],
    ['an Error without a message', new Error('')],
  ])('makes an error result with something to read of a tool that rejects with %s', async ([, thrown]) => {
    const result = await runCall(call('toolu_1'), { dispatch: () => Promise.reject(thrown) })
    expect(result).toMatchObject({ tool_use_id: 'toolu_1', is_error: true })
    expect(textOf(result), 'a failure is more than no output').not.toMatch(/^\s*$|no output/)
  })

  it('does not run a call with a problem, and answers with the problem', async () => {
    let runs = 0
    const dispatch = async () => `run ${++runs}`
    for (const signal of [undefined, AbortSignal.abort()]) {
      const result = await runCall(call('toolu_1', { problem: 'cut off' }), { dispatch, signal })
      expect(result).toMatchObject({ tool_use_id: 'toolu_1', is_error: true })
      expect(textOf(result), signal ? 'also after an abort' : undefined).toContain('cut off')
    }
    expect(runs).toBe(0)
  })

  it('does not run a call after the abort', async () => {
    let runs = 0
    const dispatch = async () => `run ${++runs}`
    expect(await runCall(call('toolu_1'), { dispatch, signal: AbortSignal.abort() })).toMatchObject(
      interruptedResult('toolu_1'),
    )
    expect(runs).toBe(0)
  })

  it('does not wait for a tool that pays no heed to the abort', async () => {
    const controller = new AbortController()
    const running = runCall(call('toolu_1'), { dispatch: never, signal: controller.signal })
    controller.abort()
    expect(await soon(running)).toMatchObject(interruptedResult('toolu_1'))
  })

  it('says that a tool which ended with an error because of the abort was interrupted', async () => {
    const controller = new AbortController()
    const dispatch = (_name: string, _input: unknown, { signal }: { signal?: AbortSignal }) =>
      new Promise<string>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('The operation was aborted')), { once: true })
      })
    const running = runCall(call('toolu_1'), { dispatch, signal: controller.signal })
    controller.abort()
    expect(await soon(running)).toMatchObject(interruptedResult('toolu_1'))
  })
})

describe('task 1: runCalls', () => {
  it('returns one result for each call, in call order', async () => {
    const results = await runCalls([call('a'), call('b'), call('c')], { dispatch: (_name, _input, { id }) => `${id}!` })
    expect(results).toMatchObject([
      { tool_use_id: 'a', content: 'a!' },
      { tool_use_id: 'b', content: 'b!' },
      { tool_use_id: 'c', content: 'c!' },
    ])
  })

  it('returns no results for no calls', async () => {
    expect(await runCalls([], { dispatch: never })).toEqual([])
  })

  it('runs a call when the one before it is done, and not before', async () => {
    const gate = held<string>()
    const first = held()
    const started: string[] = []
    const dispatch = (_name: string, _input: unknown, { id }: { id: string }) => {
      started.push(id)
      first.release()
      return id === 'a' ? gate.promise : 'done'
    }
    const running = runCalls([call('a'), call('b')], { dispatch })
    await Promise.race([first.promise, running])
    await new Promise(setImmediate)
    expect(started).toEqual(['a'])
    gate.release('done')
    await running
    expect(started).toEqual(['a', 'b'])
  })

  it('lets a call that fails cost its own result only', async () => {
    const dispatch = async (_name: string, _input: unknown, { id }: { id: string }) => {
      if (id === 'b') throw new Error('disk full')
      return 'fine'
    }
    const results = await runCalls([call('a'), call('b'), call('c')], { dispatch })
    expect(results).toMatchObject([
      { tool_use_id: 'a', content: 'fine' },
      { tool_use_id: 'b', is_error: true },
      { tool_use_id: 'c', content: 'fine' },
    ])
  })

  it('keeps the results that are there when it is aborted half-way, and interrupts the rest', async () => {
    const controller = new AbortController()
    const second = held()
    const started: string[] = []
    const dispatch = (_name: string, _input: unknown, { id }: { id: string }) => {
      started.push(id)
      if (id === 'a') return 'fine'
      second.release()
      return never()
    }
    const running = runCalls([call('a'), call('b'), call('c')], { dispatch, signal: controller.signal })
    await Promise.race([second.promise, running])
    controller.abort()
    const results = await soon(running)
    expect(results).toMatchObject([
      { tool_use_id: 'a', content: 'fine' },
      interruptedResult('b'),
      interruptedResult('c'),
    ])
    expect(started, 'nothing is run after the abort').toEqual(['a', 'b'])
  })

  it('leaves it to the schedule when each call is run', async () => {
    const gate = held<string>()
    const dispatch = (_name: string, _input: unknown, { id }: { id: string }) => {
      if (id === 'a') return gate.promise
      gate.release('a, after b')
      return Promise.reject(new Error('disk full'))
    }
    const results = await soon(
      runCalls([call('a'), call('b')], { dispatch, schedule: (calls, run) => Promise.all(calls.map(run)) }),
    )
    expect(results).toMatchObject([
      { tool_use_id: 'a', content: 'a, after b' },
      { tool_use_id: 'b', is_error: true },
    ])
  })
  it.for<[string, Schedule]>([
    ['rejects', (calls, run) => run(calls[0]).then(() => Promise.reject(new Error('no plan')))],
    [
      'throws at once',
      () => {
        throw new Error('no plan')
      },
    ],
    ['leaves calls out', async (calls, run) => [await run(calls[0])]],
    ['resolves to nothing', async (calls, run) => void (await Promise.all(calls.map(run)))],
  ])('has a result for every call also when the schedule %s', async ([, schedule]) => {
    const ran: string[] = []
    const dispatch = (_name: string, _input: unknown, { id }: { id: string }) => `run ${ran.push(id)}`
    const results = await runCalls([call('a'), call('b')], { dispatch, schedule })
    const expected = ['a', 'b'].map((id) =>
      ran.includes(id) ? { tool_use_id: id, content: `run ${ran.indexOf(id) + 1}` } : interruptedResult(id),
    )
    expect(results).toMatchObject(expected)
  })
})
