import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import Anthropic from '@anthropic-ai/sdk'
import { type MessagesServer, type ServerOptions, startMessagesServer } from '#support/messages-server.ts'
import type { Scenario, Turn } from '#support/scenario.ts'
import { it as base, describe, errorOf, expect } from '#support/test.ts'

interface Api {
  /** Starts a server with these turns. It is closed after the test. */
  serve(turns: Turn[], options?: ServerOptions): Promise<{ server: MessagesServer; client: Anthropic }>
}

const it = base.extend<Api>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures it needs from this pattern
  serve: async ({}, use) => {
    const servers: MessagesServer[] = []
    await use(async (turns, options) => {
      const server = await startMessagesServer(scenarioOf(turns), options)
      servers.push(server)
      return { server, client: new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 }) }
    })
    await Promise.all(servers.map((server) => server.close()))
  },
})

function scenarioOf(turns: Turn[]): Scenario {
  return { name: 'test', about: 'a test', task: 'Hi', sample: 'price-list', turns }
}

const request = { model: 'scripted-large', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] }
const text = (value: string): Anthropic.TextBlockParam => ({ type: 'text', text: value })
const marked = <T extends object>(block: T) => ({ ...block, cache_control: { type: 'ephemeral' as const } })
const hello: Turn = { text: 'Grüße 👋🏽, 你好!' }
const twoCalls: Turn = {
  text: 'Ich öffne zwei Dateien — 好.',
  calls: [
    {
      name: 'Edit',
      input: { file_path: 'a.txt', old_string: 'naïve "x"\n\\', new_string: '👋🏽', deep: [{ n: 1.5 }, null] },
    },
    { name: 'List' },
  ],
}

/** The error of a request, as the client throws it. */
async function apiError(action: () => PromiseLike<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> {
  try {
    await action()
  } catch (error) {
    if (error instanceof Anthropic.AnthropicError) return error as InstanceType<typeof Anthropic.APIError>
    throw error
  }
  return expect.fail('expected an error of the API')
}

async function eventsOf(client: Anthropic): Promise<Anthropic.RawMessageStreamEvent[]> {
  const events: Anthropic.RawMessageStreamEvent[] = []
  for await (const event of await client.messages.create({ ...request, stream: true })) events.push(event)
  return events
}

describe('a message', () => {
  it.for([true, false])('arrives whole, streamed: %s', async (stream, { serve }) => {
    const { client } = await serve([twoCalls])
    const message = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request)
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'scripted-large',
      stop_reason: 'tool_use',
    })
    expect(message.content).toMatchObject([
      { type: 'text', text: twoCalls.text },
      { type: 'tool_use', id: 'toolu_1', name: 'Edit', input: twoCalls.calls![0].input },
      { type: 'tool_use', id: 'toolu_2', name: 'List', input: {} },
    ])
    expect(message.usage.output_tokens).toBeGreaterThan(1)
  })

  it('is streamed as the events of the API, in their order', async ({ serve }) => {
    const { client } = await serve([twoCalls])
    const types = (await eventsOf(client)).map(({ type }) => type)
    expect(types.filter((type, i) => type !== types[i - 1])).toEqual([
      'message_start',
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      'message_delta',
      'message_stop',
    ])
  })

  it('has a ping on its way, which the client does not show', async ({ serve }) => {
    const { server } = await serve([hello])
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'any', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: JSON.stringify({ ...request, stream: true }),
    })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const names = [...(await response.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
    expect(names.slice(0, 4)).toEqual(['message_start', 'content_block_start', 'ping', 'content_block_delta'])
  })

  it('has inputs in pieces that begin with an empty one and end anywhere', async ({ serve }) => {
    const { client } = await serve([twoCalls])
    const pieces = (index: number, events: Anthropic.RawMessageStreamEvent[]) =>
      events.flatMap((event) =>
        event.type === 'content_block_delta' && event.index === index && event.delta.type === 'input_json_delta'
          ? event.delta.partial_json
          : [],
      )
    const events = await eventsOf(client)
    const [first, ...rest] = pieces(1, events)
    expect(first).toBe('')
    expect(new Set(rest.map(({ length }) => length)).size).toBeGreaterThan(2)
    expect(JSON.parse(rest.join(''))).toEqual(twoCalls.calls![0].input)
    expect(pieces(2, events)).toEqual([''])
  })

  it('has an input as broken as the scenario writes it', async ({ serve }) => {
    const turn: Turn = { calls: [{ name: 'Write', json: '{"file_path":"{{cwd}}/a' }], stop: 'max_tokens' }
    const { client } = await serve([turn, turn], { cwd: 'C:\\work' })
    const deltas = (await eventsOf(client)).flatMap((event) =>
      event.type === 'content_block_delta' ? event.delta : [],
    )
    const json = deltas.map((delta) => (delta.type === 'input_json_delta' ? delta.partial_json : '')).join('')
    expect(json).toBe('{"file_path":"C:\\\\work/a')
    const whole = await client.messages.create(request)
    expect(whole).toMatchObject({ stop_reason: 'max_tokens', content: [{ type: 'tool_use', input: {} }] })
  })

  it('has the folder filled in, in texts and everywhere in inputs', async ({ serve }) => {
    const call = { name: 'A', input: { path: '{{cwd}}/$&', list: ['{{cwd}}', { at: 'in {{cwd}}' }], n: 1 } }
    const { client } = await serve([{ text: 'In {{cwd}}.', calls: [call] }], { cwd: '/p' })
    expect((await client.messages.create(request)).content).toMatchObject([
      { text: 'In /p.' },
      { input: { path: '/p/$&', list: ['/p', { at: 'in /p' }], n: 1 } },
    ])
  })

  it('may be empty', async ({ serve }) => {
    const { client } = await serve([{ stop: 'refusal' }])
    expect(await client.messages.stream(request).finalMessage()).toMatchObject({ content: [], stop_reason: 'refusal' })
  })
})

describe('an error', () => {
  it.for([
    [400, 'invalid_request_error', Anthropic.BadRequestError],
    [401, 'authentication_error', Anthropic.AuthenticationError],
    [404, 'not_found_error', Anthropic.NotFoundError],
    [429, 'rate_limit_error', Anthropic.RateLimitError],
    [500, 'api_error', Anthropic.InternalServerError],
    [529, 'overloaded_error', Anthropic.InternalServerError],
  ] as const)('of status %i has the type %s', async ([status, type, Kind], { serve }) => {
    const { client } = await serve([{ error: { status, retry_after: 7 } }])
    const error = await apiError(() => client.messages.create({ ...request, stream: true }))
    expect(error).toBeInstanceOf(Kind)
    expect(error).toMatchObject({ status, type, requestID: 'req_1', error: { type: 'error', request_id: 'req_1' } })
    expect(error.headers?.get('retry-after')).toBe('7')
  })

  it('has the type and the words that the scenario gives it', async ({ serve }) => {
    const { client } = await serve([{ error: { status: 400, type: 'billing_error', message: 'No credit.' } }])
    const error = await apiError(() => client.messages.create(request))
    expect(error).toMatchObject({ status: 400, type: 'billing_error', apiMessage: 'No credit.' })
  })

  it('is got over by the client, which sends the request again and gets the next turn', async ({ serve }) => {
    const { client, server } = await serve([{ error: { status: 529, retry_after: 0.001 } }, hello])
    const message = await client.messages.stream(request, { maxRetries: 1 }).finalMessage()
    expect(message.content).toMatchObject([{ text: hello.text }])
    expect(server.requests).toHaveLength(2)
  })

  it('comes in the middle of a stream', async ({ serve }) => {
    const { client } = await serve([{ ...twoCalls, error: { status: 529, after: 6 } }])
    const stream = await client.messages.create({ ...request, stream: true })
    const seen: string[] = []
    const error = await apiError(async () => {
      for await (const event of stream) seen.push(event.type)
    })
    expect(error).toMatchObject({ status: undefined, type: 'overloaded_error' })
    // The sixth was the ping.
    expect(seen).toHaveLength(5)
  })

  it('comes at once where nothing is streamed', async ({ serve }) => {
    const { client } = await serve([{ ...twoCalls, error: { status: 529, after: 6 } }])
    expect(await apiError(() => client.messages.create(request))).toMatchObject({ status: 529 })
  })
})

describe('what stands between client and API', () => {
  it('cuts a stream after so many events', async ({ serve }) => {
    const { client } = await serve([{ ...twoCalls, cut_after: 8 }])
    const stream = await client.messages.create({ ...request, stream: true })
    const seen: string[] = []
    const message = await errorOf(async () => {
      for await (const event of stream) seen.push(event.type)
    })
    expect(message).toMatch(/terminated|closed|reset/i)
    expect(seen).toHaveLength(7)
  })

  it('cuts an answer that is not streamed', async ({ serve }) => {
    const { client } = await serve([{ ...twoCalls, cut_after: 0 }])
    expect(await apiError(() => client.messages.create(request))).toBeInstanceOf(Anthropic.APIConnectionError)
  })

  it.for([502, 403])('answers with a page of its own, status %i', async (status, { serve }) => {
    const { client } = await serve([{ html: { status, body: '<h1>Proxy</h1>' } }])
    const error = await apiError(() => client.messages.create({ ...request, stream: true }))
    expect(error).toMatchObject({ status })
    expect(error.headers?.get('content-type')).toMatch(/^text\/html/)
    expect(error.message).toContain('Proxy')
  })

  it('answers with a page as if all were well, which is no message', async ({ serve }) => {
    const { client } = await serve([{ html: { status: 200, body: '<h1>Sign in</h1>' } }])
    expect(await errorOf(() => client.messages.stream(request).finalMessage())).toMatch(/./)
  })
})

describe('what is refused', () => {
  const fifth = Array.from({ length: 5 }, (_, i) => marked(text(`${i}`)))
  const tool = { name: 'A', input_schema: { type: 'object' } }
  it.for([
    ['no max_tokens', { max_tokens: undefined }, 400, 'max_tokens: Field required'],
    ['no model', { model: undefined }, 400, 'model: Field required'],
    ['an unknown model', { model: 'gone' }, 404, 'model: gone'],
    ['no messages', { messages: [] }, 400, 'at least one message'],
    ['a wrong role', { messages: [{ role: 'tool', content: 'a' }] }, 400, 'messages.0.role'],
    ['an unknown field', { tool: [] }, 400, 'tool: Extra inputs are not permitted'],
    ['an unknown field of a tool', { tools: [{ ...tool, isReadOnly: true }] }, 400, 'tools.0.isReadOnly: Extra inputs'],
    [
      'an unknown field of a block',
      { messages: [{ role: 'user', content: [{ ...text('a'), x: 1 }] }] },
      400,
      'messages.0.content.0.x: Extra inputs',
    ],
    ['a parameter that was taken away', { temperature: 1 }, 400, 'temperature: Extra inputs are not permitted'],
    ['two tools of one name', { tools: [tool, tool] }, 400, 'Tool names must be unique'],
    [
      'a call without a result',
      {
        messages: [
          ...request.messages,
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'A', input: {} }] },
        ],
      },
      400,
      'without `tool_result` blocks',
    ],
    [
      'an answer begun for the model',
      { messages: [...request.messages, { role: 'assistant', content: 'The' }] },
      400,
      'prefill',
    ],
    [
      'five marks',
      { messages: [{ role: 'user', content: fifth }] },
      400,
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
    [
      'a mark on an empty text',
      { messages: [{ role: 'user', content: [text('a'), marked(text(''))] }] },
      400,
      'cache_control cannot be set for empty text blocks',
    ],
    [
      'a mark of a kind that there isn’t',
      { messages: [{ role: 'user', content: [{ ...text('a'), cache_control: { type: 'forever' } }] }] },
      400,
      'cache_control',
    ],
  ] as const)('%s', async ([, change, status, words], { serve }) => {
    const { client, server } = await serve([hello])
    const error = await apiError(() => client.messages.create({ ...request, ...change } as any))
    expect(error.status).toBe(status)
    expect(error.apiMessage).toContain(words)
    expect(server.requests, 'it takes no turn').toEqual([])
    expect(await client.messages.create(request)).toMatchObject({ content: [{ text: hello.text }] })
  })

  it('a key that is not the right one', async ({ serve }) => {
    const { client } = await serve([hello], { apiKey: 'right' })
    expect(await apiError(() => client.messages.create(request))).toMatchObject({
      status: 401,
      type: 'authentication_error',
    })
    expect(await apiError(() => client.models.list())).toMatchObject({ status: 401 })
    expect(await client.withOptions({ apiKey: 'right' }).messages.create(request)).toMatchObject({ role: 'assistant' })
  })

  it.for([
    ['no key', { 'anthropic-version': '2023-06-01' }, 401, 'header is required'],
    ['no version', { 'x-api-key': 'any' }, 400, 'anthropic-version: header is required'],
    ['an unknown version', { 'x-api-key': 'any', 'anthropic-version': '1999-01-01' }, 400, '2026-10-21'],
    ['no JSON', { 'x-api-key': 'any', 'anthropic-version': '2023-06-01' }, 400, 'not valid JSON'],
  ] as const)('a request with %s', async ([, headers, status, words], { serve }) => {
    const { server } = await serve([hello])
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body: '{' })
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(words)
  })

  it('an address that there isn’t', async ({ serve }) => {
    const { server } = await serve([hello])
    const headers = { 'x-api-key': 'any', 'anthropic-version': '2023-06-01' }
    expect((await fetch(`${server.url}/v1/complete`, { headers })).status).toBe(404)
  })
})

describe('models', () => {
  it('are listed page by page', async ({ serve }) => {
    const models = ['a-large', 'b-middle', 'c-small']
    const { client } = await serve([], { models })
    const listed: string[] = []
    for await (const { id } of client.models.list({ limit: 2 })) listed.push(id)
    expect(listed).toEqual(models)
    expect((await client.models.list({ limit: 2 })).has_more).toBe(true)
    expect((await client.models.list({ before_id: 'c-small' })).data.map(({ id }) => id)).toEqual([
      'a-large',
      'b-middle',
    ])
    expect(await apiError(() => client.models.list({ limit: 0 }))).toMatchObject({ status: 400 })
  })

  it('are known one by one', async ({ serve }) => {
    const { client } = await serve([], { models: ['a-large'] })
    expect(await client.models.retrieve('a-large')).toMatchObject({
      id: 'a-large',
      display_name: 'A Large',
      type: 'model',
    })
    expect(await apiError(() => client.models.retrieve('b'))).toMatchObject({ status: 404, type: 'not_found_error' })
  })
})

describe('the script', () => {
  const child = (prompt: string) => ({ ...request, messages: [{ role: 'user' as const, content: prompt }] })
  const said = async (client: Anthropic, body: Anthropic.MessageCreateParamsNonStreaming = request) =>
    ((await client.messages.create(body)).content[0] as Anthropic.TextBlock).text

  it('says that it is at its end, and whose it is', async ({ serve }) => {
    const { client } = await serve([hello])
    await said(client)
    const error = await apiError(() => said(client))
    expect(error).toMatchObject({ status: 400, apiMessage: expect.stringMatching(/"test" has no more turns/) })
  })

  it('has turns for each sub-agent, whoever asks first', async ({ serve }) => {
    const { client } = await serve([
      { text: 'main 1' },
      { for: 'find a', text: 'a 1' },
      { for: 'find b', text: 'b 1' },
      { for: 'find a', text: 'a 2' },
      { text: 'main 2' },
    ])
    const asked = [child('find b'), child('Please find a.'), request, child('find a'), request]
    const answers: string[] = []
    for (const body of asked) answers.push(await said(client, body))
    expect(answers).toEqual(['b 1', 'a 1', 'main 1', 'a 2', 'main 2'])
    expect((await apiError(() => said(client, child('find b')))).apiMessage).toMatch(/no more turns for "find b"/)
  })

  it('takes the longest text that fits for the sub-agent’s', async ({ serve }) => {
    const { client } = await serve([
      { for: 'find', text: 'short' },
      { for: 'find all', text: 'long' },
    ])
    expect(await said(client, child('find all'))).toBe('long')
    expect(await said(client, child('find one'))).toBe('short')
  })

  it('tells which turn expects what, and what came, and waits for better', async ({ serve }) => {
    const { client } = await serve([{ text: 'one' }, { text: 'two', expect: ['^edited', 'a.js$'] }])
    await said(client)
    const { apiMessage } = await apiError(() => said(client, child('Edited b.js')))
    expect(apiMessage).toMatch(/Turn 2 of the scenario "test".*\/a\.js\$\/.*Edited b\.js/)
    expect(await said(client, child('Done.\nEdited a.js'))).toBe('two')
  })

  it('looks at results of every form', async ({ serve }) => {
    const { client } = await serve([{ text: 'one', expect: ['first', 'second', 'and more'] }])
    const call = (id: string) => ({ type: 'tool_use' as const, id, name: 'A', input: {} })
    const results: Anthropic.ContentBlockParam[] = [
      { type: 'tool_result', tool_use_id: 'a', content: 'first' },
      { type: 'tool_result', tool_use_id: 'b', content: [text('second')] },
      { type: 'tool_result', tool_use_id: 'c' },
      text('and more'),
    ]
    const messages: Anthropic.MessageParam[] = [
      ...request.messages,
      { role: 'assistant', content: ['a', 'b', 'c'].map(call) },
      { role: 'user', content: results },
    ]
    expect(await said(client, { ...request, messages })).toBe('one')
  })

  it('leaves turns out that what was said stands against', async ({ serve }) => {
    const turns = [{ text: 'yes', when: '^ok' }, { text: 'no', unless: '^ok' }, { text: 'end' }]
    for (const [word, answer] of [
      ['ok', 'yes'],
      ['not ok', 'no'],
    ]) {
      const { client } = await serve(turns)
      expect(await said(client, child(word))).toBe(answer)
    }
    const { client } = await serve(turns)
    expect([await said(client, child('not ok')), await said(client, child('ok'))]).toEqual(['no', 'end'])
  })

  it('says that no turn fits', async ({ serve }) => {
    const { client } = await serve([{ text: 'yes', when: '^ok' }])
    expect((await apiError(() => said(client, child('no way')))).apiMessage).toMatch(/None of the turns.*no way/)
  })
})

describe('tokens', () => {
  const tools: Anthropic.Tool[] = [
    { name: 'A', description: 'a'.repeat(400), input_schema: { type: 'object' } },
    marked({ name: 'B', description: 'b'.repeat(400), input_schema: { type: 'object' as const } }),
  ]
  const system = [marked(text('s'.repeat(400)))]
  /** What was counted as plain, written and read, each as a part of the whole. */
  const usageOf = async (client: Anthropic, body: Partial<Anthropic.MessageCreateParamsNonStreaming>) => {
    const { usage } = await client.messages.create({ ...request, ...body })
    return {
      plain: usage.input_tokens,
      written: usage.cache_creation_input_tokens,
      read: usage.cache_read_input_tokens,
    }
  }
  const turns = (count: number) => Array.from({ length: count }, () => hello)

  it('are counted before they are sent, as they are when they are', async ({ serve }) => {
    const { client } = await serve(turns(1))
    const { input_tokens } = await client.messages.countTokens({
      model: request.model,
      messages: request.messages,
      tools,
    })
    expect(input_tokens).toBeGreaterThan(200)
    const { plain, written } = await usageOf(client, { tools })
    expect(plain! + written!).toBe(input_tokens)
  })

  it('are plain where nothing is marked, however often it is sent', async ({ serve }) => {
    const { client } = await serve(turns(2))
    for (const _ of [1, 2]) expect(await usageOf(client, {})).toMatchObject({ written: 0, read: 0 })
  })

  it('of tools, system and history are read again by the turn that follows', async ({ serve }) => {
    const { client, server } = await serve(turns(2))
    const history = (...texts: string[]): Anthropic.MessageParam[] =>
      texts.map((value, i) => ({
        role: i % 2 ? 'assistant' : 'user',
        content: [i === texts.length - 1 ? marked(text(value)) : text(value)],
      }))
    const first = await usageOf(client, { tools, system, messages: history('x'.repeat(400)) })
    expect(first).toMatchObject({ plain: 0, read: 0 })
    const second = await usageOf(client, { tools, system, messages: history('x'.repeat(400), 'Yes.', 'And then?') })
    expect(second.read).toBe(first.written)
    expect(second).toMatchObject({ plain: 0, written: expect.any(Number) })
    expect(second.written).toBeLessThan(40)
    expect(server.requests[1].usage?.cache_read_input_tokens).toBe(second.read)
  })

  it.for([
    ['a tool changes', { tools: [{ ...tools[0], description: 'other' }, tools[1]] }],
    ['tools change places', { tools: [tools[1], tools[0]] }],
    ['the model is another', { model: 'scripted-small' }],
  ] as const)('are not read when %s', async ([, change], { serve }) => {
    const { client } = await serve(turns(2))
    await usageOf(client, { tools, system })
    expect(await usageOf(client, { tools, system, ...change } as object)).toMatchObject({ read: 0 })
  })

  it('of the tools are read though the system text has changed', async ({ serve }) => {
    const { client } = await serve(turns(2))
    const first = await usageOf(client, { tools })
    const second = await usageOf(client, { tools, system })
    expect(second.read).toBe(first.written)
  })

  it('are the same for a string and its one text block, and for a mark that has moved on', async ({ serve }) => {
    const { client } = await serve(turns(2))
    const first = await usageOf(client, { messages: [{ role: 'user', content: [marked(text('Hello there'))] }] })
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: 'Hello there' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: [marked(text('Nothing.'))] },
    ]
    expect((await usageOf(client, { messages })).read).toBe(first.written)
  })

  it('are looked for twenty blocks before a mark, and no farther', async ({ serve }) => {
    for (const [added, isRead] of [
      [20, true],
      [21, false],
    ] as const) {
      const { client } = await serve(turns(2))
      const first = await usageOf(client, { messages: [{ role: 'user', content: [marked(text('Hello there'))] }] })
      const more = Array.from({ length: added }, (_, i) => text(`block ${i}`))
      const content = [text('Hello there'), ...more.slice(0, -1), marked(more[added - 1])]
      expect((await usageOf(client, { messages: [{ role: 'user', content }] })).read).toBe(isRead ? first.written : 0)
    }
  })

  it('are counted for a mark on the request as for one on its last block', async ({ serve }) => {
    const { client } = await serve(turns(2))
    const first = await usageOf(client, { cache_control: { type: 'ephemeral' } })
    expect(first).toMatchObject({ plain: 0, read: 0 })
    expect((await usageOf(client, { cache_control: { type: 'ephemeral' } })).read).toBe(first.written)
  })
})

describe('the end', () => {
  it('of a request comes when the client goes away', async ({ serve }) => {
    const { client } = await serve([{ ...twoCalls, pace: 3_600_000 }, hello])
    const stream = client.messages.stream(request)
    await new Promise<void>((resolve) => stream.once('connect', resolve))
    stream.abort()
    expect(await apiError(() => stream.finalMessage())).toBeInstanceOf(Anthropic.APIUserAbortError)
    expect(await client.messages.create(request)).toMatchObject({ content: [{ text: hello.text }] })
  })

  it('of the server ends a stream that would take hours', async ({ serve }) => {
    const { client, server } = await serve([{ ...twoCalls, pace: 3_600_000 }])
    const stream = await client.messages.create({ ...request, stream: true })
    await server.close()
    const drained = async () => {
      for await (const _ of stream);
    }
    expect(await errorOf(drained)).toMatch(/terminated|closed|reset/i)
  })

  it('leaves nothing behind that keeps a process alive', () => {
    const script = fileURLToPath(new URL('./close-in-stream.ts', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'closed\n', stderr: '' })
  })
})
