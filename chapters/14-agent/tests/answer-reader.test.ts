import type Anthropic from '@anthropic-ai/sdk'
import { AnswerReader } from '#14-agent/answer-reader.ts'
import { addUsage, NO_USAGE, usageOf } from '#14-agent/usage.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { answer, beginCall, call, delta, type StreamEvent, start, stop, text } from './api.ts'

/** Feeds a reader with events. What came of each event is in `steps`. */
function read(events: StreamEvent[], taken: string[] = []) {
  const reader = new AnswerReader(new Set(taken))
  const steps = events.map((event) => reader.take(event as Anthropic.RawMessageStreamEvent))
  const parts = steps.flat()
  return {
    reader,
    steps,
    parts,
    content: reader.message?.content ?? [],
    texts: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    /** The calls that were handed out, as `name input`. */
    run: parts.flatMap((part) =>
      part.type === 'call' ? [`${part.block.name} ${JSON.stringify(part.block.input)}`] : [],
    ),
  }
}

const CUT = /cut off|limit|token/i

describe('task 2: reading text', () => {
  it('hands out each piece of text when it comes, and keeps the whole', () => {
    const { steps, texts, content } = read([start(), ...text(0, 'Hel', '', 'lo')])
    expect(texts).toEqual(['Hel', 'lo'])
    expect(steps[2], 'the first piece is the third event').toHaveLength(1)
    expect(content).toMatchObject([{ type: 'text', text: 'Hello' }])
  })

  it('keeps what the model thought, with its signature, and drops blank texts', () => {
    const thinking = { type: 'thinking' as const, thinking: '', signature: '' }
    const { content, texts } = read([
      start(),
      { type: 'content_block_start', index: 0, content_block: thinking },
      delta(0, { type: 'thinking_delta', thinking: 'hm, ' }),
      delta(0, { type: 'thinking_delta', thinking: 'yes' }),
      delta(0, { type: 'signature_delta', signature: 'sig' }),
      { type: 'content_block_stop', index: 0 },
      ...text(1, ' ', '\n'),
      ...text(2),
    ])
    expect(content).toEqual([{ type: 'thinking', thinking: 'hm, yes', signature: 'sig' }])
    expect(texts.join('').trim()).toBe('')
  })

  it('takes no heed of pings and of events that it does not know', () => {
    const odd = { type: 'something_new' } as unknown as StreamEvent
    expect(read([start(), { type: 'ping' }, odd, ...text(0, 'Hi')]).texts).toEqual(['Hi'])
  })
})

describe('task 2: reading calls', () => {
  it('hands out a call as soon as its block is whole, while the answer goes on', () => {
    const { steps, run } = read([start(), ...call(0, 't1', 'Read', '{"file_', 'path":"a', '.txt"}')])
    expect(run).toEqual(['Read {"file_path":"a.txt"}'])
    expect(steps.at(-1), 'at the end of the block').toHaveLength(1)
  })

  it('puts the input together wherever its JSON was cut', () => {
    const input = { command: 'printf "ä\\n😀" | sort', list: [1, { a: null }], 'ke"y': '}' }
    const json = JSON.stringify(input)
    const cuts = Array.from({ length: json.length + 1 }, (_, at) => [json.slice(0, at), json.slice(at)])
    for (const pieces of [
      ...cuts,
      [...json],
      ['', ...json.split('"').flatMap((part, i) => (i === 0 ? [part] : ['"', part]))],
    ]) {
      expect(read([start(), ...call(0, 't1', 'Bash', ...pieces)]).parts).toMatchObject([{ block: { input } }])
    }
  })

  it.for<[string, StreamEvent[]]>([
    ['no piece of input', [beginCall(0, 't1', 'List'), { type: 'content_block_stop', index: 0 }]],
    ['an empty piece of input', call(0, 't1', 'List', '')],
    ['blank pieces of input', call(0, 't1', 'List', ' ', '\n')],
  ])('runs a call with %s on {}', ([, events]) => {
    const { parts, content, reader } = read([start(), ...events, ...stop('tool_use')])
    expect(parts).toMatchObject([{ type: 'call', block: { id: 't1', name: 'List', input: {} } }])
    expect(content).toMatchObject([{ type: 'tool_use', input: {} }])
    expect(reader.calls[0].problem).toBeUndefined()
  })

  it('hands out a call without input when the next block begins, before that one', () => {
    const { steps, run } = read([start(), ...call(0, 't1', 'List'), ...call(1, 't2', 'Read', { a: 1 })])
    expect(run).toEqual(['List {}', 'Read {"a":1}'])
    expect(steps[4], 'the second block begins with the fifth event').toHaveLength(1)
  })

  it('hands out a call without input also when a text begins behind it', () => {
    const { steps, run } = read([start(), ...call(0, 't1', 'List'), ...text(1, 'Meanwhile.')])
    expect(run).toEqual(['List {}'])
    expect(steps[4], 'the text begins with the fifth event').toHaveLength(1)
  })

  it('loses no call without input where two blocks are open at the same time', () => {
    const [begin, , end] = call(0, 't1', 'List')
    const [next, , last] = call(1, 't2', 'Glob')
    const { run, reader } = read([start(), begin, next, end, last, ...stop('tool_use')])
    expect(run.toSorted()).toEqual(['Glob {}', 'List {}'])
    expect(reader.calls).toHaveLength(2)
  })

  it('takes the input that a block begins with, where no piece comes', () => {
    const begin = beginCall(0, 't1', 'Read', { file_path: 'a' })
    const { run } = read([start(), begin, { type: 'content_block_stop', index: 0 }, ...stop('tool_use')])
    expect(run).toEqual(['Read {"file_path":"a"}'])
  })

  it('hands out a call with the input that its block began with when the next block begins, not before', () => {
    const begin = beginCall(0, 't1', 'Read', { file_path: 'a' })
    const { steps, run } = read([start(), begin, { type: 'content_block_stop', index: 0 }, ...text(1, 'Hm.')])
    expect(run).toEqual(['Read {"file_path":"a"}'])
    expect(steps[2], 'not a letter of JSON has come: was it cut off?').toEqual([])
    expect(steps[3], 'the text begins').toHaveLength(1)
  })

  it.for(['{"a":', '[1]', '"text"', '7', '{"a":1}}'])(
    'hands out no call whose input is %s, and runs the others',
    (json) => {
      const { run, content, reader } = read([
        start(),
        ...call(0, 't1', 'Read', { n: 1 }),
        ...call(1, 't2', 'Edit', json),
        ...call(2, 't3', 'Read', { n: 3 }),
        ...stop('tool_use'),
      ])
      expect(run).toEqual(['Read {"n":1}', 'Read {"n":3}'])
      expect(reader.calls.map(({ problem }) => problem === undefined)).toEqual([true, false, true])
      expect(reader.calls[1].problem, 'the model should see what it sent').toContain(
        json.slice(0, 4).replaceAll('"', '\\"'),
      )
      expect(content[1]).toMatchObject({ type: 'tool_use', id: 't2', input: {} })
    },
  )

  it('gives a call an id that nobody has, in the content and to whoever runs it', () => {
    const { content, parts, reader } = read(
      [
        start(),
        ...call(0, 'old', 'Read', { n: 1 }),
        ...call(1, 'new', 'Read', { n: 2 }),
        ...call(2, 'new', 'Read', { n: 3 }),
      ],
      ['old'],
    )
    const ids = content.map((block) => (block.type === 'tool_use' ? block.id : ''))
    expect(new Set(['old', ...ids]).size, 'the ids must all differ').toBe(4)
    expect(ids[1]).toBe('new')
    expect(parts.map((part) => (part.type === 'call' ? part.block.id : ''))).toEqual(ids)
    expect(reader.calls.map(({ id }) => id)).toEqual(ids)
  })

  it('keeps a legal name in the content, and the name as it came for the call', () => {
    const { content, run, reader } = read([start(), ...call(0, 't 1', 'web search!', { q: 1 })])
    expect(content).toMatchObject([{ id: expect.stringMatching(/^[\w-]+$/), name: expect.stringMatching(/^[\w-]+$/) }])
    expect(run).toEqual(['web search! {"q":1}'])
    expect(reader.calls[0].name).toBe('web search!')
  })

  it('reads blocks by their index, also where they come at the same time', () => {
    const [begin, ...rest] = call(1, 't2', 'Read', '{"n":', '2}')
    const other = call(0, 't1', 'Read', '{"n":', '1}')
    const { run } = read([start(), other[0], begin, other[1], rest[0], rest[1], other[2], other[3], rest[2]])
    expect(run).toEqual(['Read {"n":1}', 'Read {"n":2}'])
  })
})

describe('task 2: how an answer stops', () => {
  it.for<[Anthropic.StopReason, string]>([
    ['max_tokens', '{"command":"rm -rf /tmp/b'],
    ['max_tokens', ''],
    ['model_context_window_exceeded', '{"command"'],
    ['model_context_window_exceeded', ''],
  ])('runs no call that %s has cut off at %j, and says why', ([reason, json]) => {
    const { run, reader, content } = read([
      start(),
      ...call(0, 't1', 'Read', { n: 1 }),
      ...call(1, 't2', 'Bash', json),
      ...stop(reason),
    ])
    expect(run).toEqual(['Read {"n":1}'])
    expect(reader.calls[1].problem).toMatch(CUT)
    expect(content[1]).toMatchObject({ type: 'tool_use', id: 't2', input: {} })
  })

  it('closes a call that is still open when the answer stops, and does not run it when it was cut off', () => {
    const [begin, piece] = call(0, 't1', 'Bash', '{"command":"ls')
    const { run, reader, content } = read([start(), begin, piece, ...stop('max_tokens')])
    expect(run).toEqual([])
    expect(reader.calls[0].problem).toMatch(CUT)
    expect(content).toHaveLength(1)
  })

  it('runs a call whose input is whole, though the limit came behind it', () => {
    const { run, reader } = read([start(), ...call(0, 't1', 'Read', { n: 1 }), ...stop('max_tokens')])
    expect(run).toEqual(['Read {"n":1}'])
    expect(reader.calls[0].problem).toBeUndefined()
  })

  it('does not call it cut off when it was a text that the limit cut', () => {
    const { run, reader } = read([
      start(),
      ...call(0, 't1', 'Edit', '{"a'),
      ...text(1, 'and th'),
      ...stop('max_tokens'),
    ])
    expect(run).toEqual([])
    expect(reader.calls[0].problem).not.toMatch(CUT)
  })

  it.for<Anthropic.StopReason>(['max_tokens', 'model_context_window_exceeded', 'refusal'])(
    'does not run a call on the input that its block began with when the answer stops with %s',
    (reason) => {
      const begin = beginCall(0, 't1', 'Delete', { path: '/' })
      const { run, reader } = read([start(), begin, { type: 'content_block_stop', index: 0 }, ...stop(reason)])
      expect(run).toEqual([])
      expect(reader.calls[0].problem).toMatch(reason === 'refusal' ? /refus/i : CUT)
    },
  )

  it('runs no call that it still holds when the answer is refused', () => {
    const { run, reader } = read([start(), ...call(0, 't1', 'List'), ...stop('refusal')])
    expect(run).toEqual([])
    expect(reader.calls[0].problem).toMatch(/refus/i)
  })

  it('knows why it stopped and what it took, and keeps a count that is not said again', () => {
    const { reader } = read([start(), ...text(0, 'Hi'), ...stop('end_turn', { output_tokens: 42, input_tokens: null })])
    expect(reader.isComplete).toBe(true)
    expect(reader.message?.stop_reason).toBe('end_turn')
    expect(usageOf(reader.message!.usage)).toEqual({ input: 10, cacheRead: 3, cacheWrite: 2, output: 42 })
  })
})

describe('task 2: an answer that breaks off', () => {
  it('keeps whole blocks and the text that is open, without white space at the end', () => {
    const [begin, piece] = text(1, 'I will now \n')
    const { reader } = read([start(), ...call(0, 't1', 'Read', { n: 1 }), begin, piece])
    expect(reader.end()?.name).toBe('BrokenAnswer')
    expect(reader.message?.content).toMatchObject([{ type: 'tool_use' }, { type: 'text', text: 'I will now' }])
  })

  it('keeps nothing of a call that is not whole, nor of a text that is blank', () => {
    const [begin, piece] = call(1, 't1', 'Bash', '{"command":"ls')
    const [blank, space] = text(0, ' ')
    const { reader, run } = read([start(), blank, space, begin, piece])
    expect(reader.end()?.name).toBe('BrokenAnswer')
    expect(reader.message?.content).toEqual([])
    expect(reader.calls).toEqual([])
    expect(run).toEqual([])
  })

  it('says nothing against an answer that is whole, and trims what is to be continued', () => {
    const { reader } = read(answer('pause_turn', text(0, 'I go on. ')))
    expect(reader.end()).toBeUndefined()
    expect(reader.message?.content).toMatchObject([{ text: 'I go on.' }])
  })

  it('is not whole before message_stop has come, whatever it says of its stop', () => {
    const { reader } = read(answer('end_turn', text(0, 'All is')).slice(0, -1))
    expect(reader.isComplete).toBe(false)
    expect(reader.message?.stop_reason).toBe('end_turn')
    expect(reader.end()?.name, 'the line broke before the last event').toBe('BrokenAnswer')
  })

  const end: StreamEvent = { type: 'content_block_stop', index: 3 }
  const piece = delta(3, { type: 'text_delta', text: 'x' })
  const json = delta(3, { type: 'input_json_delta', partial_json: '{}' })
  it.for<[string, StreamEvent[], StreamEvent]>([
    ['a piece of a block that never began', [], piece],
    ['a piece of the input of a call that never began', [], json],
    ['the end of a block that never began', text(0, 'Hi'), end],
    ['a piece of a block that is whole', text(3, 'Hi'), piece],
    ['a piece of the input of a call that is whole', call(3, 't1', 'Read', { n: 1 }), json],
    ['the end of a block that is whole', call(3, 't1', 'Read', { n: 1 }), end],
  ])('refuses %s', async ([, before, event]) => {
    const { reader } = read([start(), ...before])
    expect(await errorOf(() => reader.take(event as Anthropic.RawMessageStreamEvent))).toContain('3')
  })
})

describe('given: usage and the end', () => {
  it('counts what is missing or null as nothing', () => {
    expect(usageOf({})).toEqual(NO_USAGE)
    expect(usageOf({ input_tokens: 1, cache_read_input_tokens: null })).toEqual({ ...NO_USAGE, input: 1 })
  })

  it('adds each of the four counts', () => {
    const one = { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 }
    expect(addUsage(one, addUsage(one, NO_USAGE))).toEqual({ input: 2, cacheRead: 4, cacheWrite: 6, output: 8 })
  })

  it('knows an answer that never began', () => {
    expect(new AnswerReader(new Set()).end()?.message).toMatch(/Messages API/)
  })
})
