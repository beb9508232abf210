import type Anthropic from '@anthropic-ai/sdk'
import { dispatch as dispatchIn } from '#01-dispatch/dispatch.ts'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { scriptedModel } from '#support/scripted-model.ts'
import { describe, expect, it } from '#support/test.ts'
import type { ModelRequest } from '../given/types.ts'
import { assistant, expectToContinue, held, interruptedResult, result, soon, text, use, user } from './messages.ts'

const read = { name: 'read', input: { path: 'a.txt' } }
const readTool: Anthropic.Tool = { name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }
const never = () => new Promise<never>(() => {})

/** What a test leaves out: a tool that answers `ok`, one question, ten turns. */
const plain = { tools: [readTool], dispatch: () => 'ok', messages: [user('What is in a.txt?')], maxTurns: 10 }

describe('task 5: agentLoop, the round trip', () => {
  it('ends with an answer without calls', async () => {
    const model = scriptedModel([{ text: 'Hello.' }])
    const { messages, outcome } = await agentLoop({ ...plain, model })
    expect(outcome).toEqual({ type: 'finished' })
    expect(messages).toMatchObject([plain.messages[0], { role: 'assistant', content: [{ text: 'Hello.' }] }])
  })

  it('runs the call and sends its result back under the same id', async () => {
    const model = scriptedModel([{ text: 'Let me look.', calls: [read] }, { text: 'It says hi.' }])
    const { messages, outcome } = await agentLoop({
      ...plain,
      model,
      dispatch: (name, input) => `${name} ${JSON.stringify(input)}`,
    })
    expect(outcome).toEqual({ type: 'finished' })
    expect(messages[2]).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'read {"path":"a.txt"}' }],
    })
    expect(model.requests[1].messages, 'the model sees all that came before').toEqual(messages.slice(0, 3))
  })

  it('goes on for as many turns as it takes', async () => {
    const model = scriptedModel([{ calls: [read] }, { calls: [read, read] }, { calls: [read] }, { text: 'Done.' }])
    const { messages, outcome } = await agentLoop({ ...plain, model })
    expect(outcome).toEqual({ type: 'finished' })
    expect(messages).toHaveLength(8)
    expectToContinue(messages)
  })

  it('works the tools of chapter 01, also when a call fails and when a tool is unknown', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\n')
    const model = scriptedModel([
      {
        calls: [
          { name: 'read_file', input: { path: 'gone.txt' } },
          { name: 'constructor', input: {} },
          { name: 'write_file', input: { path: 'b.txt', content: 'two\n' } },
        ],
      },
      { calls: [{ name: 'bash', input: { command: 'cat a.txt b.txt' } }] },
      { text: 'Done.' },
    ])
    const dispatch = (name: string, input: unknown) => dispatchIn(workspace.root, name, input)
    const { messages, outcome } = await agentLoop({ ...plain, model, dispatch })
    expect(outcome).toEqual({ type: 'finished' })
    expect(messages[2]?.content).toMatchObject([
      { tool_use_id: 'toolu_1', content: expect.stringContaining('gone.txt') },
      { tool_use_id: 'toolu_2', content: expect.stringContaining('constructor') },
      { tool_use_id: 'toolu_3' },
    ])
    expect(messages[4]?.content).toMatchObject([{ tool_use_id: 'toolu_4', content: 'one\ntwo\n' }])
  })

  it('goes on after a tool that throws', async () => {
    const model = scriptedModel([{ calls: [read, read] }, { text: 'I see.' }])
    const dispatch = (_name: string, _input: unknown, { id }: { id: string }) => {
      if (id === 'toolu_1') throw new Error('disk full')
      return 'fine'
    }
    const { messages, outcome } = await agentLoop({ ...plain, model, dispatch })
    expect(outcome).toEqual({ type: 'finished' })
    expect(messages[2]?.content).toMatchObject([{ is_error: true }, { content: 'fine' }])
  })

  it('runs the calls whatever reason the model gives for stopping', async () => {
    const model = scriptedModel([
      { calls: [read], stop: 'end_turn' },
      { text: 'Done.', stop: 'stop_sequence' },
    ])
    const { messages, outcome } = await agentLoop({ ...plain, model })
    expect(outcome).toEqual({ type: 'finished' })
    expect(model.remaining, 'the model waits for the result').toBe(0)
    expect(messages[2]?.content).toMatchObject([{ tool_use_id: 'toolu_1', content: 'ok' }])
  })

  it('lets the caller say when the calls are run', async () => {
    const gate = held<string>()
    const dispatch = (_name: string, _input: unknown, { id }: { id: string }) => {
      if (id === 'toolu_1') return gate.promise
      gate.release('one, after two')
      return 'two'
    }
    const model = scriptedModel([{ calls: [read, read] }, { text: 'Done.' }])
    const { messages } = await soon(
      agentLoop({ ...plain, model, dispatch, schedule: (calls, run) => Promise.all(calls.map(run)) }),
    )
    expect(messages[2]?.content).toMatchObject([{ content: 'one, after two' }, { content: 'two' }])
  })

  it("leaves the caller's array and messages as they are", async () => {
    const messages = [user('Hi')]
    const run = await agentLoop({ ...plain, model: scriptedModel([{ calls: [read] }, { text: 'Done.' }]), messages })
    expect(messages).toEqual([user('Hi')])
    expect(run.messages).toHaveLength(4)
  })

  it('tells the model which tools there are, each time anew', async () => {
    const tools = [readTool]
    const dispatch = () => {
      tools.push({ ...readTool, name: 'write' })
      return 'a tool was added'
    }
    const model = scriptedModel([{ calls: [read] }, { text: 'Done.' }])
    await agentLoop({ ...plain, model, tools, dispatch })
    expect(model.requests).toMatchObject([
      { tools: [{ name: 'read' }] },
      { tools: [{ name: 'read' }, { name: 'write' }] },
    ])
  })

  it('can be continued with the next question', async () => {
    const first = await agentLoop({ ...plain, model: scriptedModel([{ calls: [read] }, { text: 'One.' }]) })
    const second = await agentLoop({
      ...plain,
      model: scriptedModel([{ calls: [{ ...read, id: 'toolu_9' }] }, { text: 'Two.' }]),
      messages: [...first.messages, user('And now?')],
    })
    expect(second.outcome).toEqual({ type: 'finished' })
    expect(second.messages).toHaveLength(8)
  })
})

describe('task 5: agentLoop, what models do', () => {
  it('starts with a conversation that was broken off', async () => {
    const model = scriptedModel([{ text: 'Where were we?' }])
    const messages = [user(), assistant(text(' '), use('a'), use('b')), user([result('b'), text('Go on.')])]
    const run = await agentLoop({ ...plain, model, messages })
    expect(run.outcome).toEqual({ type: 'finished' })
    expect(run.messages[2]?.content).toMatchObject([interruptedResult('a'), { tool_use_id: 'b' }, text('Go on.')])
  })

  it('survives ids that repeat, in one answer and from answer to answer', async () => {
    const call = { ...read, id: 'call_0' }
    const model = scriptedModel([{ calls: [call, call] }, { calls: [call] }, { text: 'Done.' }])
    const ids: string[] = []
    const dispatch = (_name: string, _input: unknown, { id }: { id: string }) => `run ${ids.push(id)}`
    const { messages, outcome } = await agentLoop({ ...plain, model, dispatch })
    expect(outcome).toEqual({ type: 'finished' })
    expect(messages[2]?.content).toMatchObject([{ content: 'run 1' }, { content: 'run 2' }])
    expect(new Set(ids).size, 'each call has an id of its own').toBe(3)
  })

  it('survives blank texts, a tool without output, and a name that is none', async () => {
    const model = scriptedModel([
      { text: '\n\n', calls: [read] },
      { calls: [{ name: 'functions.read', input: '' }] },
      { text: 'Done.' },
    ])
    const { messages, outcome } = await agentLoop({ ...plain, model, dispatch: () => '' })
    expect(outcome).toEqual({ type: 'finished' })
    expect(messages[2]?.content).toMatchObject([{ content: '(no output)' }])
  })

  it('keeps no message of an answer in which nothing is said', async () => {
    const { messages, outcome } = await agentLoop({ ...plain, model: scriptedModel([{ text: ' ' }]) })
    expect(outcome).toEqual({ type: 'finished' })
    expect(messages).toEqual(plain.messages)
  })

  it('never runs a call that was cut off, and lets the model call again', async () => {
    const ran: unknown[] = []
    const dispatch = (_name: string, input: unknown) => `run ${ran.push(input)}`
    const model = scriptedModel([
      { calls: [{ name: 'write', input: { path: 'a.txt', content: 'only the first ha' } }], stop: 'max_tokens' },
      { calls: [{ name: 'write', input: { path: 'a.txt', content: 'short' } }] },
      { text: 'Done.' },
    ])
    const { messages, outcome } = await agentLoop({ ...plain, model, dispatch })
    expect(outcome).toEqual({ type: 'finished' })
    expect(ran, 'half a call does damage').toEqual([{ path: 'a.txt', content: 'short' }])
    expect(messages[2]?.content).toMatchObject([{ tool_use_id: 'toolu_1', is_error: true }])
  })

  it.for(['max_tokens', 'model_context_window_exceeded'] as const)(
    'says that an answer was cut by %s',
    async (stop) => {
      const { messages, outcome } = await agentLoop({
        ...plain,
        model: scriptedModel([{ text: 'The answer is', stop }]),
      })
      expect(outcome).toEqual({ type: 'cut' })
      expectToContinue(messages)
    },
  )

  it('lets a paused turn go on, as one message', async () => {
    const model = scriptedModel([{ text: 'I search. ', stop: 'pause_turn' }, { text: 'Found it.' }])
    const { messages, outcome } = await agentLoop({ ...plain, model })
    expect(model.remaining, 'the model is asked again').toBe(0)
    expect(outcome).toEqual({ type: 'finished' })
    expect(model.requests[1].messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ text: 'I search.' }] })
    expect(messages.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ text: 'I search.' }, { text: 'Found it.' }] },
    ])
  })

  it('ends when the model refuses, and runs none of its calls', async () => {
    const ran: string[] = []
    const dispatch = (name: string) => `run ${ran.push(name)}`
    const model = scriptedModel([{ text: 'No.', calls: [read, read], stop: 'refusal' }])
    const { messages, outcome } = await agentLoop({ ...plain, model, dispatch })
    expect(model.requests.length, 'how often the model is asked').toBe(1)
    expect(outcome).toEqual({ type: 'refused' })
    expect(ran).toEqual([])
    expectToContinue(messages)
  })

  it('asks the model maxTurns times, and answers the last calls too', async () => {
    const model = scriptedModel([{ calls: [read] }, { calls: [read, read] }, { text: 'never said' }])
    const { messages, outcome } = await agentLoop({ ...plain, model, maxTurns: 2 })
    expect(outcome).toEqual({ type: 'max_turns' })
    expect(model.remaining).toBe(1)
    expect(messages.at(-1)!.content).toMatchObject([{ content: 'ok' }, { content: 'ok' }])
    expectToContinue(messages)
  })

  it('counts a paused turn, and does not ask at all when maxTurns is 0', async () => {
    const paused = { text: 'I search.', stop: 'pause_turn' as const }
    const once = await agentLoop({ ...plain, model: scriptedModel([paused, paused]), maxTurns: 1 })
    expect(once.outcome).toEqual({ type: 'max_turns' })
    const model = scriptedModel([{ text: 'never said' }])
    expect((await agentLoop({ ...plain, model, maxTurns: 0 })).outcome).toEqual({ type: 'max_turns' })
    expect(model.requests).toEqual([])
  })

  it('keeps the conversation when the model cannot be asked', async () => {
    const overloaded = new Error('529 overloaded')
    const model = scriptedModel([{ calls: [read] }, () => Promise.reject(overloaded)])
    const { messages, outcome } = await agentLoop({ ...plain, model })
    expect(outcome).toEqual({ type: 'failed', error: overloaded })
    expect(messages).toHaveLength(3)
    expectToContinue(messages)
  })

  it('keeps the conversation when the model throws before it returns a promise', async () => {
    const model = () => {
      throw new Error('no key')
    }
    const { messages, outcome } = await agentLoop({ ...plain, model })
    expect(outcome).toMatchObject({ type: 'failed', error: { message: 'no key' } })
    expect(messages).toEqual(plain.messages)
  })
})

describe('task 5: agentLoop, abort', () => {
  const reason = new Error('Ctrl-C')

  it('does not ask the model when it is aborted before it starts', async () => {
    let asked = 0
    const model = () => {
      asked++
      return never()
    }
    const { messages, outcome } = await soon(agentLoop({ ...plain, model, signal: AbortSignal.abort(reason) }))
    expect(outcome).toEqual({ type: 'aborted', reason })
    expect(messages).toEqual(plain.messages)
    expect(asked).toBe(0)
  })

  it('ends at once when it is aborted while the model thinks', async () => {
    const controller = new AbortController()
    const asked = held()
    const model = () => {
      asked.release()
      return never()
    }
    const running = agentLoop({ ...plain, model, signal: controller.signal })
    await Promise.race([asked.promise, running])
    controller.abort(reason)
    const { messages, outcome } = await soon(running)
    expect(outcome).toEqual({ type: 'aborted', reason })
    expect(messages).toEqual(plain.messages)
  })

  it('hands the signal to the model', async () => {
    const controller = new AbortController()
    const model = scriptedModel([never])
    const running = agentLoop({
      ...plain,
      model: (request, options) => {
        expect(options.signal).toBe(controller.signal)
        return model(request, options)
      },
      signal: controller.signal,
    })
    controller.abort(reason)
    expect((await soon(running)).outcome).toEqual({ type: 'aborted', reason })
  })

  it('answers every call when it is aborted half-way, and asks the model no more', async () => {
    const controller = new AbortController()
    const second = held()
    const dispatch = (_name: string, _input: unknown, { id }: { id: string }) => {
      if (id === 'toolu_1') return 'fine'
      second.release()
      return never()
    }
    const model = scriptedModel([{ calls: [read, read, read] }])
    let asked = 0
    const counted = (request: ModelRequest) => {
      asked++
      return model(request)
    }
    const running = agentLoop({ ...plain, model: counted, dispatch, signal: controller.signal })
    await Promise.race([second.promise, running])
    controller.abort(reason)
    const { messages, outcome } = await soon(running)
    expect(outcome).toEqual({ type: 'aborted', reason })
    expect(messages[2]?.content).toMatchObject([
      { tool_use_id: 'toolu_1', content: 'fine' },
      interruptedResult('toolu_2'),
      interruptedResult('toolu_3'),
    ])
    expect(asked).toBe(1)
    expectToContinue(messages)
  })

  it('says that it was aborted also when it happens in the last turn', async () => {
    const controller = new AbortController()
    const dispatch = () => {
      controller.abort(reason)
      return 'ok'
    }
    const model = scriptedModel([{ calls: [read] }])
    const { messages, outcome } = await agentLoop({ ...plain, model, dispatch, maxTurns: 1, signal: controller.signal })
    expect(outcome).toEqual({ type: 'aborted', reason })
    expectToContinue(messages)
  })
})
