import Anthropic, { APIConnectionError, APIError } from '@anthropic-ai/sdk'
import type { AnyTool } from '#05-build-tool/tool.ts'
import type { AgentRequest } from '#14-agent/request.ts'
import { runTurn, type TurnOptions } from '#14-agent/turn.ts'
import { describe, expect } from '#support/test.ts'
import type { AgentEvent } from '../given/types.ts'
import { answer, call, delta, errorBody, errorText, it, say, start, stop, type TestApi, text, thenCut } from './api.ts'
import { allow, checkConversation, contextWith, echo, ended, held, textOf, until } from './stage.ts'

const request: AgentRequest = {
  model: 'a-model',
  max_tokens: 100,
  stream: true,
  messages: [{ role: 'user', content: 'Hi' }],
}

/** One turn with these tools. `events` and `abort` can be used while it runs. */
function turnWith({ client }: Pick<TestApi, 'client'>, tools: AnyTool[] = [echo()], more: Partial<TurnOptions> = {}) {
  const events: AgentEvent[] = []
  const context = contextWith('/', tools)
  const options: TurnOptions = {
    client,
    context,
    canUseTool: allow,
    taken: new Set(),
    emit: (event) => void events.push(event),
    ...more,
  }
  const turn = runTurn(request, options).then((ended) => {
    const { content, results } = ended
    checkConversation([...request.messages, ...messagesOf(content, results)])
    return ended
  })
  turn.catch(() => {}) // a test that waits for something else first sees it later
  return { turn, events, abort: () => context.abortController.abort() }
}

function messagesOf(content: Anthropic.ContentBlockParam[], results: Anthropic.ToolResultBlockParam[]) {
  const assistant = content.length > 0 ? [{ role: 'assistant' as const, content }] : []
  return results.length > 0 ? [...assistant, { role: 'user' as const, content: results }] : assistant
}

describe('task 4: one turn', () => {
  it('emits the text as it comes, and gives what the transcript keeps', async ({ api }) => {
    api.replies(say('Hel', 'lo.'))
    const { turn, events } = turnWith(api)
    const { error, ...rest } = await ended(turn, 'the turn should end: the executor has results until it hears the end')
    expect(error).toBeUndefined()
    expect(rest).toMatchObject({ content: [{ text: 'Hello.' }], results: [], stop: 'end_turn' })
    expect(events).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo.' },
    ])
  })

  it('counts what the answer took', async ({ api }) => {
    api.replies(say('Hello.'))
    expect((await turnWith(api).turn).usage).toEqual({ input: 10, cacheRead: 3, cacheWrite: 2, output: 7 })
  })

  it('shows text before the answer is over', async ({ api }) => {
    let seen: boolean | undefined
    api.replies(async ({ send, end }) => {
      await send(start(), ...text(0, 'First.'))
      seen = await until(() => textOf(events) === 'First.')
      await send(...text(1, ' Second.'), ...stop('end_turn'))
      end()
    })
    const { turn, events } = turnWith(api)
    expect((await turn).content).toHaveLength(2)
    expect(seen, 'the first text should be shown before the second is sent').toBe(true)
  })

  it('starts a call while the message still comes', async ({ api }) => {
    const wait = held()
    let begun: boolean | undefined
    api.replies(async ({ send, end }) => {
      await send(start(), ...call(0, 't1', 'Wait', { n: 1 }))
      begun = await wait.called()
      await send(...text(1, 'Meanwhile.'), ...stop('tool_use'))
      end()
    })
    const { turn, events } = turnWith(api, [wait.tool])
    expect(await until(() => begun !== undefined && wait.calls.length > 0), 'the call should run').toBe(true)
    wait.finish(0)
    expect(begun, 'it should begin before the model has said all').toBe(true)
    expect((await turn).results).toMatchObject([{ tool_use_id: 't1', content: 'Wait 0 is done' }])
    expect(events.map(({ type }) => type)).toContain('answered')
  })

  it('tells a tool in which message its call stands', async ({ api }) => {
    const wait = held()
    api.replies(answer('tool_use', text(0, 'I wait.'), call(1, 't1', 'Wait', { n: 1 })))
    const { turn } = turnWith(api, [wait.tool])
    expect(await wait.called(), 'the call should run').toBe(true)
    wait.finish(0)
    await turn
    expect(wait.calls[0].message).toMatchObject({
      role: 'assistant',
      model: 'a-model',
      content: [{ text: 'I wait.' }, { type: 'tool_use', id: 't1', name: 'Wait' }],
    })
  })

  it('gives one result for each call, in call order, whichever is done first', async ({ api }) => {
    const wait = held()
    api.replies(
      answer('tool_use', call(0, 'a', 'Wait', { n: 1 }), call(1, 'b', 'Wait', { n: 2 }), call(2, 'c', 'No', {})),
    )
    const { turn } = turnWith(api, [wait.tool])
    expect(await wait.called(2), 'both calls should run').toBe(true)
    wait.finish(1, 'second')
    wait.finish(0, 'first')
    const { results } = await turn
    expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(['a', 'b', 'c'])
    expect(results.slice(0, 2).map(({ content }) => content)).toEqual(['first', 'second'])
    expect(errorText(results[2])).toContain('No')
  })

  it('answers a call with unreadable input itself, and runs the others', async ({ api }) => {
    api.replies(answer('tool_use', call(0, 'a', 'Echo', '{"n":'), call(1, 'b', 'Echo', { n: 2 })))
    const { turn, events } = turnWith(api)
    const { results } = await turn
    expect(errorText(results[0])).toMatch(/input/)
    expect(results[1]).toMatchObject({ tool_use_id: 'b', content: 'Echo {"n":2}' })
    expect(events).toContainEqual({ type: 'not_run', call: expect.objectContaining({ id: 'a', name: 'Echo' }) })
  })

  it('never runs a call that the limit on tokens has cut off', async ({ api }) => {
    const wait = held()
    api.replies(answer('max_tokens', call(0, 'a', 'Echo', { n: 1 }), call(1, 'b', 'Wait', '')))
    const { results, stop: why } = await turnWith(api, [wait.tool, echo()]).turn
    expect(why).toBe('max_tokens')
    expect(results[0]).toMatchObject({ tool_use_id: 'a', content: 'Echo {"n":1}' })
    expect(errorText(results[1])).toMatch(/limit|token|cut/i)
    expect(wait.calls).toEqual([])
  })

  it('runs a refused call as the pipeline says, and tells the model why not', async ({ api }) => {
    api.replies(answer('tool_use', call(0, 'a', 'Echo', { n: 1 })))
    const canUseTool: TurnOptions['canUseTool'] = async () => ({ behavior: 'deny', message: 'Not on a Sunday.' })
    const { results, error } = await turnWith(api, [echo()], { canUseTool }).turn
    expect(error).toBeUndefined()
    expect(errorText(results[0])).toContain('Sunday')
  })
})

describe('task 4: a stream that comes to no good end', () => {
  it('keeps what was done when the connection breaks, and discards the rest', async ({ api }) => {
    const wait = held()
    api.replies(async ({ send, cut }) => {
      await send(start(), ...text(0, 'I look. '), ...call(1, 'a', 'Echo', { n: 1 }), ...call(2, 'b', 'Wait', { n: 2 }))
      await wait.called()
      await send(...call(3, 'c', 'Wait', '{"n":').slice(0, 2))
      cut()
    })
    const { turn, events } = turnWith(api, [wait.tool, echo()])
    const { content, results, error } = await turn
    expect(error).toMatchObject({ name: 'BrokenAnswer' })
    expect(content.map((block) => (block.type === 'tool_use' ? block.id : block.type))).toEqual(['text', 'a', 'b'])
    expect(results[0]).toMatchObject({ tool_use_id: 'a', content: 'Echo {"n":1}' })
    expect(errorText(results[1])).toMatch(/discard/i)
    expect(wait.calls[0].signal.aborted, 'the tool should know that nobody waits for it').toBe(true)
    expect(events.filter(({ type }) => type === 'answered')).toHaveLength(2)
  })

  it('notices an answer that ends before its end', async ({ api }) => {
    api.replies([start(), ...text(0, 'And so '), ...text(1, 'on ')])
    const { content, error } = await turnWith(api).turn
    expect(error).toMatchObject({ name: 'BrokenAnswer' })
    expect(content).toMatchObject([{ text: 'And so ' }, { text: 'on' }])
  })

  it('does not run a call of which it cannot know that it was whole', async ({ api }) => {
    const wait = held()
    api.replies(thenCut(start(), ...call(0, 'a', 'Wait', '')))
    const { turn, events } = turnWith(api, [wait.tool])
    expect(errorText((await turn).results[0])).toMatch(/not run/i)
    expect(wait.calls).toEqual([])
    expect(events).toMatchObject([{ type: 'not_run', call: { id: 'a' } }])
  })

  it('says of each call that was never run why, to the model and to whoever watches', async ({ api }) => {
    api.replies(thenCut(start(), ...call(0, 'a', 'Echo', '{"n":'), ...call(1, 'b', 'Echo', '')))
    const { turn, events } = turnWith(api)
    const texts = (await turn).results.map(errorText)
    const problems = events.flatMap((event) => (event.type === 'not_run' ? [event.call.problem] : []))
    expect(problems, 'one has input that cannot be read, the other answer broke off').toEqual(texts)
    expect(problems).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)])
  })

  it('has the error of the event that ends a stream', async ({ api }) => {
    const busy = { type: 'error' as const, error: { type: 'overloaded_error', message: 'Overloaded' } }
    api.replies([start(), ...text(0, 'Hi'), busy])
    const { error, content } = await turnWith(api).turn
    expect(error).toBeInstanceOf(APIError)
    expect((error as APIError).type).toBe('overloaded_error')
    expect(content).toMatchObject([{ text: 'Hi' }])
  })

  it('does not take the page of a proxy for an answer', async ({ api }) => {
    api.replies(({ fail }) => fail(200, '<!doctype html><h1>Please log in</h1>'))
    const { error, content, results } = await turnWith(api).turn
    expect(error).toMatchObject({ name: 'BrokenAnswer', message: expect.stringMatching(/Messages API/) })
    expect([content, results]).toEqual([[], []])
  })

  it('sends the request once, whatever comes of it', async ({ api }) => {
    api.replies(({ fail }) => fail(529, errorBody('overloaded_error', 'Overloaded'), { 'retry-after-ms': '1' }))
    const { error } = await turnWith(api).turn
    expect(error).toMatchObject({ status: 529 })
    expect(api.requests).toHaveLength(1)
  })

  it('has the error of a server that is not there', async () => {
    const client = new Anthropic({ apiKey: 'test', baseURL: 'http://127.0.0.1:1' })
    expect((await turnWith({ client }).turn).error).toBeInstanceOf(APIConnectionError)
  })

  it('discards the calls of an answer that is refused', async ({ api }) => {
    const wait = held()
    api.replies(async ({ send, end }) => {
      await send(start(), ...call(0, 'a', 'Wait', { n: 1 }))
      await wait.called()
      await send(...call(1, 'b', 'Wait', ''), ...stop('refusal'))
      end()
    })
    const { turn } = turnWith(api, [wait.tool])
    const { results, error, stop: why } = await ended(turn, 'nobody ends the call that runs: is it still wanted?')
    expect([why, error]).toEqual(['refusal', undefined])
    expect(results.map(errorText)).toHaveLength(2)
    expect(wait.calls, 'the second call stood in an answer that was taken back').toHaveLength(1)
    expect(wait.calls[0].signal.aborted).toBe(true)
  })
})

describe('task 4: the user stops it', () => {
  it('ends while the model speaks, keeps what was said, and interrupts the calls', async ({ api }) => {
    const wait = held('Wait', false)
    api.replies(async ({ send }) => {
      await send(start(), ...text(0, 'I wait. '), ...call(1, 'a', 'Wait', { n: 1 }), ...call(2, 'b', 'Wait', { n: 2 }))
      await send({ type: 'content_block_start', index: 3, content_block: { type: 'text', text: '', citations: null } })
      await send(delta(3, { type: 'text_delta', text: 'And now ' }))
    })
    const { turn, events, abort } = turnWith(api, [wait.tool])
    expect(
      await until(() => wait.calls.length > 0 && textOf(events) === 'I wait. And now '),
      'all should be seen',
    ).toBe(true)
    abort() // the tool pays no heed to it, and the server says no more
    const { content, results } = await ended(turn, 'the server says no more: who ends its stream?')
    expect(content).toMatchObject([{ text: 'I wait. ' }, { id: 'a' }, { id: 'b' }, { text: 'And now' }])
    expect(results.map(errorText)).toEqual([
      expect.stringMatching(/interrupted/i),
      expect.stringMatching(/interrupted/i),
    ])
    expect(wait.calls, 'the second call must never start').toHaveLength(1)
  })

  it('interrupts a call that waits at once, and lets it never begin', async ({ api }) => {
    const wait = held('Wait', false)
    api.replies(({ send }) => send(start(), ...call(0, 'a', 'Wait', { n: 1 }), ...call(1, 'b', 'Wait', { n: 2 })))
    const context = { ...contextWith('/', [wait.tool]), maxAbortWaitMs: 60_000 } // the first call may end in peace
    const { turn, events } = turnWith(api, [wait.tool], { context })
    const idsOf = (type: 'queued' | 'started' | 'answered') =>
      events.flatMap((event) => (event.type === type ? [event.call.block.id] : []))
    expect((await wait.called()) && (await until(() => idsOf('queued').length === 2)), 'one should wait').toBe(true)
    context.abortController.abort()
    await until(() => idsOf('answered').length > 0)
    expect(idsOf('answered'), 'the one that waits has its answer, though the other one still runs').toEqual(['b'])
    wait.finish(0)
    await ended(turn, 'the turn should end when every call has its result')
    expect(idsOf('started'), 'nobody wants the second call any more').toEqual(['a'])
  })

  it('ends while the tools run', async ({ api }) => {
    const wait = held()
    api.replies(answer('tool_use', call(0, 'a', 'Wait', { n: 1 })))
    const { turn, abort } = turnWith(api, [wait.tool])
    expect(await wait.called(), 'the call should run').toBe(true)
    abort()
    const { results } = await ended(turn, 'the turn should end with its abort')
    expect(errorText(results[0])).toMatch(/interrupted/i)
  })

  it('ends before the server has said a word', async ({ api }) => {
    api.replies(() => {})
    const { turn, abort } = turnWith(api)
    expect(await until(() => api.requests.length > 0), 'the model should be asked').toBe(true)
    abort()
    const over = ended(turn, 'the server says nothing: who ends the request?')
    expect(await over).toMatchObject({ content: [], results: [] })
  })
})
