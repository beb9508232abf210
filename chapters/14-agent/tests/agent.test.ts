import type Anthropic from '@anthropic-ai/sdk'
import type { AnyTool } from '#05-build-tool/tool.ts'
import { createToolSearch } from '#09-registry/registry.ts'
import { runAgent } from '#14-agent/agent.ts'
import { describe, expect } from '#support/test.ts'
import type { AgentOptions } from '../given/types.ts'
import { answer, busy, call, errorBody, it, type Reply, say, start, type TestApi, text, thenCut } from './api.ts'
import { allow, checkConversation, contextWith, echo, ended, held, play, textOf, until } from './stage.ts'

const hello: Anthropic.MessageParam = { role: 'user', content: 'Hi' }

function options({ client }: TestApi, tools: readonly AnyTool[] = [echo()], more: Partial<AgentOptions> = {}) {
  return {
    client,
    model: 'a-model',
    maxTokens: 100,
    system: 'You help.',
    messages: [hello],
    context: contextWith('/', tools),
    canUseTool: allow,
    wait: async () => {}, // no test waits for the time to pass
    ...more,
  } satisfies AgentOptions
}

/** Runs an agent to its end, and checks that the API takes what it leaves. */
async function run(api: TestApi, tools?: readonly AnyTool[], more: Partial<AgentOptions> = {}) {
  const result = await play(runAgent(options(api, tools, more)))
  checkConversation(result.messages)
  return result
}

const rolesOf = (messages: Anthropic.MessageParam[]) => messages.map(({ role }) => role[0]).join('')

describe('task 5: the conversation', () => {
  it('goes on as long as there are calls, and sends their results', async ({ api }) => {
    api.replies(answer('tool_use', call(0, 't1', 'Echo', { n: 1 })), say('Done.'))
    const { messages, outcome, turns } = await run(api)
    expect([outcome.type, turns, rolesOf(messages)]).toEqual(['finished', 2, 'uaua'])
    expect(messages[2].content).toMatchObject([{ type: 'tool_result', tool_use_id: 't1', content: 'Echo {"n":1}' }])
    expect(api.requests[1].messages.at(-1)).toMatchObject({ role: 'user', content: [{ tool_use_id: 't1' }] })
  })

  it('tells of each turn, its text, its calls and its usage, in order', async ({ api }) => {
    api.replies(answer('tool_use', text(0, 'I look.'), call(1, 't1', 'Echo', { n: 1 })), say('Done.'))
    const { events, usage } = await run(api)
    const types = events.map(({ type }) => type)
    expect(types.slice(0, 4)).toEqual(['turn', 'text', 'queued', 'started'])
    expect(types.slice(4)).toEqual(['answered', 'usage', 'turn', 'text', 'usage'])
    expect(usage).toEqual({ input: 20, cacheRead: 6, cacheWrite: 4, output: 14 })
    expect(events.filter(({ type }) => type === 'usage').at(-1)).toMatchObject({ total: usage })
  })

  it('does not change the messages that it gets, and mends what broke off', async ({ api }) => {
    const broken: Anthropic.MessageParam[] = [
      hello,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Echo', input: {} }] },
    ]
    const before = structuredClone(broken)
    api.replies(say('Done.'))
    const { messages } = await run(api, undefined, { messages: broken })
    expect(broken).toEqual(before)
    expect(messages[2].content).toMatchObject([{ tool_use_id: 't1', is_error: true }])
  })

  it('gives no call an id that stands in the conversation already', async ({ api }) => {
    const twice = answer('tool_use', call(0, 't1', 'Echo', { n: 1 }))
    api.replies(twice, twice, say('Done.'))
    expect((await run(api)).turns).toBe(3)
  })

  it('goes on after a pause, and makes one message of both answers', async ({ api }) => {
    api.replies(answer('pause_turn', text(0, 'One. ')), answer('end_turn', text(0, 'Two.')))
    const { messages, outcome } = await run(api)
    expect([outcome.type, rolesOf(messages)]).toEqual(['finished', 'ua'])
    expect(messages[1].content).toMatchObject([{ text: 'One.' }, { text: 'Two.' }])
  })

  it('counts whole answers, also those in which nothing is said, so that pauses have an end', async ({ api }) => {
    const nothing = answer('pause_turn', text(0, ' '))
    api.replies(nothing, nothing, nothing, nothing)
    const { outcome, turns, messages } = await run(api, undefined, { maxTurns: 2 })
    expect([outcome.type, turns, messages]).toEqual(['max_turns', 2, [hello]])
    expect(api.requests).toHaveLength(2)
  })

  it.for<[Anthropic.StopReason, string]>([
    ['end_turn', 'finished'],
    ['max_tokens', 'cut'],
    ['refusal', 'refused'],
  ])('ends with an answer that stopped with %s: %s', async ([reason, type], { api }) => {
    api.replies(answer(reason, text(0, 'Well ')))
    expect((await run(api)).outcome.type).toBe(type)
  })

  it('ends without a word where the model says nothing', async ({ api }) => {
    api.replies(answer('end_turn', text(0, ' ')))
    const { messages, outcome } = await run(api)
    expect([outcome.type, messages]).toEqual(['finished', [hello]])
  })

  it('goes on after a call that was cut off, so that the model can do better', async ({ api }) => {
    api.replies(answer('max_tokens', call(0, 't1', 'Echo', '{"text":"very lo')), say('Shorter, then.'))
    const { messages, outcome } = await run(api)
    expect(outcome.type).toBe('finished')
    expect(messages[2].content).toMatchObject([{ tool_use_id: 't1', is_error: true }])
  })

  it('ends after maxTurns answers, whose calls are still run', async ({ api }) => {
    api.replies(answer('tool_use', call(0, 'a', 'Echo', {})), answer('tool_use', call(0, 'b', 'Echo', {})))
    const { outcome, turns, messages } = await run(api, undefined, { maxTurns: 2 })
    expect([outcome.type, turns, rolesOf(messages)]).toEqual(['max_turns', 2, 'uauau'])
  })

  it('looks at the tools anew before each request', async ({ api }) => {
    const copy = echo('mcp__files__copy')
    const tools: AnyTool[] = [echo(), createToolSearch(), copy]
    const context = contextWith('/', tools)
    api.replies(answer('tool_use', call(0, 'a', 'ToolSearch', { query: 'copy' })), () => {}, say('Done.'))
    const asked = play(runAgent(options(api, tools, { context })))
    asked.catch(() => {})
    expect(await until(() => api.requests.length === 2), 'the model should be asked twice').toBe(true)
    context.abortController.abort()
    await ended(asked, 'the server says nothing: who ends the request?')
    const names = api.requests.map((request) => request.tools?.map((tool) => 'name' in tool && tool.name))
    expect(names).toEqual([
      ['Echo', 'ToolSearch'],
      ['Echo', 'ToolSearch', 'mcp__files__copy'],
    ])
  })

  it('fails without a request where a tool cannot say what it is', async ({ api }) => {
    const broken = { ...echo('Broken'), prompt: () => Promise.reject(new Error('no words')) }
    const { outcome } = await run(api, [broken])
    expect(outcome).toMatchObject({ type: 'failed', error: { message: 'no words' } })
    expect(api.requests).toEqual([])
  })
})

describe('task 5: asking again', () => {
  it('asks again when the server is busy, and says so', async ({ api }) => {
    api.replies(busy, busy, say('Here I am.'))
    const { outcome, events, turns } = await run(api)
    expect([outcome.type, turns]).toEqual(['finished', 1])
    const retries = events.filter((event) => event.type === 'retry')
    expect(retries).toMatchObject([
      { attempt: 1, delayMs: 0, error: { status: 529 } },
      { attempt: 2, delayMs: 0 },
    ])
    expect(api.requests[2]).toEqual(api.requests[0])
  })

  it('tells of a request that failed what it tells of others, and asks for the same answer again', async ({ api }) => {
    const broken = thenCut(start(), ...text(0, 'I th').slice(0, 2))
    api.replies(busy, broken, answer('tool_use', call(0, 'a', 'Echo', {})), say('Done.'))
    const { events } = await run(api)
    const told = events.flatMap((event) => {
      if (event.type === 'turn') return [`turn ${event.turn}`]
      if (event.type === 'usage') return [`usage ${event.usage.output}, in all ${event.total.output}`]
      return event.type === 'retry' ? [`retry ${event.attempt}`] : []
    })
    expect(told).toEqual([
      ...['turn 1', 'usage 0, in all 0', 'retry 1'],
      ...['turn 1', 'usage 1, in all 1', 'retry 2'],
      ...['turn 1', 'usage 7, in all 8'],
      ...['turn 2', 'usage 7, in all 15'],
    ])
  })

  it('waits longer with each failure in a row, where the server does not say how long', async ({ api }) => {
    const failed: Reply = ({ fail }) => fail(500, errorBody('api_error', 'Oh'))
    const waits: number[] = []
    api.replies(failed, failed, failed, answer('tool_use', call(0, 'a', 'Echo', {})), failed, say('Done.'))
    await run(api, undefined, { wait: async (ms) => void waits.push(ms) })
    expect(waits).toHaveLength(4)
    // Up to a quarter less is chance.
    for (const [i, longest] of [500, 1000, 2000, 500].entries()) {
      const told = `${waits} ms${i < 3 ? '' : ': an answer has ended the row'}`
      expect(waits[i], told).toBeGreaterThanOrEqual(0.75 * longest)
      expect(waits[i], told).toBeLessThanOrEqual(longest)
    }
  })

  it('waits as long as it says', async ({ api }) => {
    const waits: number[] = []
    api.replies(({ fail }) => fail(429, errorBody('rate_limit_error', 'slow'), { 'retry-after': '7' }), say('Done.'))
    const { events } = await run(api, undefined, { wait: async (ms) => void waits.push(ms) })
    expect(waits).toEqual([7000])
    expect(events).toContainEqual(expect.objectContaining({ type: 'retry', delayMs: 7000 }))
  })

  it('says that it will ask again before it waits', async ({ api }) => {
    let go = () => {}
    let isTold = false
    const time = new Promise<void>((resolve) => {
      go = resolve
    })
    const wait = () => time
    api.replies(busy, say('Done.'))
    const asked = play(runAgent(options(api, undefined, { wait })), ({ type }) => {
      isTold ||= type === 'retry'
    })
    asked.catch(() => {})
    const isEarly = await until(() => isTold)
    go()
    expect(isEarly, 'it should be told while it waits').toBe(true)
    expect((await asked).outcome.type).toBe('finished')
  })

  it('gives up after maxRetries, with the error', async ({ api }) => {
    api.replies(busy, busy, busy, busy)
    const { outcome, messages } = await run(api, undefined, { maxRetries: 2 })
    expect(outcome).toMatchObject({ type: 'failed', error: { status: 529 } })
    expect([api.requests.length, messages]).toEqual([3, [hello]])
  })

  it('counts failures in a row: a whole answer ends the row', async ({ api }) => {
    const one = (id: string) => answer('tool_use', call(0, id, 'Echo', {}))
    api.replies(busy, one('a'), busy, one('b'), busy, say('Done.'))
    expect((await run(api, undefined, { maxRetries: 1 })).outcome.type).toBe('finished')
  })

  it('does not ask again what is wrong', async ({ api }) => {
    api.replies(({ fail }) => fail(401, errorBody('authentication_error', 'invalid x-api-key')))
    expect((await run(api)).outcome).toMatchObject({ type: 'failed', error: { status: 401 } })
    expect(api.requests).toHaveLength(1)
  })

  it('asks the same again after an answer that broke off before a call, and keeps nothing of it', async ({ api }) => {
    api.replies(thenCut(start(), ...text(0, 'I th').slice(0, 2)), say('I think.'))
    const { messages, events, turns, usage } = await run(api)
    expect(messages).toMatchObject([hello, { content: [{ text: 'I think.' }] }])
    expect(turns).toBe(1)
    expect(usage.output, 'what broke off has been paid for as well').toBe(1 + 7)
    expect(textOf(events), 'the broken text was shown').toContain('I th')
    expect(api.requests[1]).toEqual(api.requests[0])
  })

  it('runs nothing twice after an answer that broke off behind a call', async ({ api }) => {
    const wait = held()
    api.replies(async ({ send, cut }) => {
      await send(start(), ...call(0, 'a', 'Wait', { n: 1 }))
      await wait.called()
      wait.finish(0, 'written')
      await send(...text(1, 'Written.')) // the result is there before the line breaks
      await until(() => answered)
      cut()
    }, say('Done.'))
    let answered = false
    const result = await play(runAgent(options(api, [wait.tool])), ({ type }) => {
      answered ||= type === 'answered'
    })
    checkConversation(result.messages)
    expect(wait.calls).toHaveLength(1)
    expect(api.requests[1].messages.at(-1)).toMatchObject({ content: [{ tool_use_id: 'a', content: 'written' }] })
    expect([result.outcome.type, result.turns]).toEqual(['finished', 1])
  })

  it('keeps what a broken answer brought when it gives up', async ({ api }) => {
    api.replies(thenCut(start(), ...text(0, 'So far ').slice(0, 2)))
    const { messages, outcome } = await run(api, undefined, { maxRetries: 0 })
    expect(outcome).toMatchObject({ type: 'failed', error: { name: 'BrokenAnswer' } })
    expect(messages[1]).toMatchObject({ role: 'assistant', content: [{ text: 'So far' }] })
  })

  it('gives up on a server that breaks each answer behind a call', async ({ api }) => {
    const broken = (id: string) => thenCut(start(), ...call(0, id, 'Echo', { n: 1 }))
    api.replies(broken('a'), broken('b'), broken('c'), broken('d'))
    const { outcome, turns, messages } = await run(api, undefined, { maxRetries: 2 })
    expect([outcome.type, turns]).toEqual(['failed', 0])
    expect(api.requests).toHaveLength(3)
    expect(JSON.stringify(messages).match(/"tool_use_id":"."/g), 'what was done is kept').toHaveLength(3)
  })
})

describe('task 5: the user stops it', () => {
  it('does not ask the model when it is stopped before it begins', async ({ api }) => {
    const context = contextWith('/', [])
    context.abortController.abort('no')
    const { outcome, messages } = await run(api, [], { context })
    expect(outcome).toEqual({ type: 'aborted', reason: 'no' })
    expect([api.requests, messages]).toEqual([[], [hello]])
  })

  it('answers every call and asks no more when it is stopped while tools run', async ({ api }) => {
    const wait = held()
    const context = contextWith('/', [wait.tool])
    api.replies(
      answer(
        'tool_use',
        call(0, 'a', 'Wait', { n: 1 }),
        call(1, 'b', 'Wait', { n: 2 }),
        call(2, 'c', 'Wait', { n: 3 }),
      ),
    )
    const stopped = run(api, [wait.tool], { context })
    stopped.catch(() => {})
    expect(await wait.called(3), 'all three should run').toBe(true)
    wait.finish(0, 'first')
    await new Promise(setImmediate)
    context.abortController.abort()
    const { messages, outcome } = await ended(stopped, 'the run should end with its abort')
    expect(outcome.type).toBe('aborted')
    expect(messages[2].content).toMatchObject([
      { tool_use_id: 'a', content: 'first' },
      { tool_use_id: 'b', is_error: true },
      { tool_use_id: 'c', is_error: true },
    ])
    expect(api.requests).toHaveLength(1)
  })

  it('keeps what the model has said when it is stopped in the middle of it', async ({ api }) => {
    const context = contextWith('/', [])
    api.replies(({ send }) => send(start(), ...text(0, 'I am ').slice(0, 2)))
    const stopped = play(runAgent(options(api, [], { context })), ({ type }) => {
      if (type === 'text') context.abortController.abort()
    })
    const { messages, outcome } = await ended(stopped, 'the server says no more: who ends its stream?')
    checkConversation(messages)
    expect(outcome.type).toBe('aborted')
    expect(messages[1]).toMatchObject({ content: [{ text: 'I am' }] })
  })

  it('keeps the result of a call when it is stopped while the model still speaks', async ({ api }) => {
    const context = contextWith('/', [echo()])
    api.replies(({ send }) => send(start(), ...text(0, 'I look. '), ...call(1, 'a', 'Echo', { n: 1 })))
    const stopped = play(runAgent(options(api, [echo()], { context })), ({ type }) => {
      if (type === 'answered') context.abortController.abort()
    })
    const { messages, outcome, events } = await ended(stopped, 'the server says no more: who ends its stream?')
    checkConversation(messages)
    expect(outcome.type).toBe('aborted')
    expect(messages[2]?.content).toMatchObject([{ tool_use_id: 'a', content: 'Echo {"n":1}' }])
    expect(events.at(-1), 'it has been paid for').toMatchObject({ type: 'usage', usage: { output: 1 } })
  })

  it('says that it was stopped, also after the last answer that was allowed', async ({ api }) => {
    const wait = held()
    const context = contextWith('/', [wait.tool])
    api.replies(answer('tool_use', call(0, 'a', 'Wait', { n: 1 })))
    const stopped = run(api, [wait.tool], { context, maxTurns: 1 })
    stopped.catch(() => {})
    expect(await wait.called(), 'the call should run').toBe(true)
    await until(() => false) // by then, the whole answer is read, and only the call is missing
    context.abortController.abort('enough')
    const { outcome, turns } = await ended(stopped, 'the run should end with its abort')
    expect([outcome, turns]).toEqual([{ type: 'aborted', reason: 'enough' }, 1])
  })

  it('does not wait to ask again', async ({ api }) => {
    const context = contextWith('/', [])
    api.replies(({ fail }) => fail(529, errorBody('overloaded_error', 'Overloaded'), { 'retry-after': '50' }))
    const stopped = play(runAgent(options(api, [], { context, wait: undefined })), ({ type }) => {
      if (type === 'retry') context.abortController.abort()
    })
    const why = 'the server asks for 50 s: is retry told before the wait, and does an abort end it?'
    expect((await ended(stopped, why)).outcome.type).toBe('aborted')
    expect(api.requests).toHaveLength(1)
  })

  it('ends the run when nobody reads any more', async ({ api }) => {
    const wait = held()
    api.replies(async ({ send, end }) => {
      await send(start(), ...call(0, 'a', 'Wait', { n: 1 }))
      await until(() => wait.calls[0]?.signal.aborted)
      end()
    })
    for await (const event of runAgent(options(api, [wait.tool]))) if (event.type === 'started') break
    expect(await until(() => wait.calls.every(({ signal }) => signal.aborted)), 'the call must not go on').toBe(true)
    expect(api.requests).toHaveLength(1)
  })

  it('leaves the context of the next run alone', async ({ api }) => {
    const context = contextWith('/', [])
    api.replies(say('One.'), say('Two.'))
    const first = await run(api, [], { context })
    expect(context.abortController.signal.aborted).toBe(false)
    const messages = [...first.messages, hello]
    expect((await run(api, [], { context, messages })).messages).toHaveLength(4)
  })
})
