import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { buildTool, toApiTool } from '#05-build-tool/tool.ts'
import { buildRequest, composeSystem, type RequestParts } from '#14-agent/request.ts'
import { checkRequest } from '#support/api-rules.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { echo } from './stage.ts'

type Message = Anthropic.MessageParam

const user = (text: string): Message => ({ role: 'user', content: text })
const callOf = (id: string): Message => ({
  role: 'assistant',
  content: [
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id, name: 'Echo', input: {} },
  ],
})
const resultOf = (id: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'found' }],
})

function request(more: Partial<RequestParts> = {}) {
  const tools = more.tools ?? [echo('Echo'), echo('Glob')]
  const parts = { model: 'a-model', maxTokens: 500, system: 'You help.', messages: [user('Hi')] }
  return buildRequest({ ...parts, tools, shown: tools, ...more })
}

/** Where the marks are: `tool 1`, `system 0`, `message 2 block 0`. */
function marksOf({ tools = [], system = [], messages }: Anthropic.MessageCreateParams): string[] {
  const isMarked = (part: object) => 'cache_control' in part && part.cache_control !== undefined
  const at = (name: string, parts: object[]) => parts.flatMap((part, i) => (isMarked(part) ? [`${name} ${i}`] : []))
  const blocks = messages.flatMap(({ content }, i) => at(`message ${i} block`, content as object[]))
  return [...at('tool', tools), ...at('system', system as object[]), ...blocks]
}

const withoutMarks = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)))

describe('task 1: the system prompt', () => {
  it('is the base and a section for each tool, in order', () => {
    const tools = ['Read', 'Bash'].map((name) => ({ name, description: `What ${name} does.` }) as Anthropic.Tool)
    expect(composeSystem('You help.', tools)).toBe('You help.\n\n## Read\nWhat Read does.\n\n## Bash\nWhat Bash does.')
  })

  it('has no part for a base or a tool that says nothing', () => {
    const tools = [{ name: 'Mute', description: ' \n' }, { name: 'Still' }, { name: 'Read', description: ' Reads.\n' }]
    expect(composeSystem('  ', tools as Anthropic.Tool[])).toBe('## Read\nReads.')
    expect(composeSystem(' You help.\n', [])).toBe('You help.')
    expect(composeSystem('', [])).toBe('')
  })
})

describe('task 1: the request', () => {
  it('asks for a streamed answer of this model, with this limit', async () => {
    expect(await request()).toMatchObject({ model: 'a-model', max_tokens: 500, stream: true })
  })

  it('shows the tools in the order in which they are shown, as toApiTool says', async () => {
    const [a, b, c] = ['Zip', 'Add', 'Mix'].map(echo)
    const { tools } = await request({ tools: [a, b, c], shown: [c, a] })
    expect(withoutMarks(tools)).toEqual(await Promise.all([c, a].map((tool) => toApiTool(tool, { tools: [a, b, c] }))))
  })

  it('composes the system prompt of what the tools themselves say', async () => {
    const { system } = await request()
    expect(withoutMarks(system)).toEqual([
      {
        type: 'text',
        text: 'You help.\n\n## Echo\nEcho says what it was called with.\n\n## Glob\nGlob says what it was called with.',
      },
    ])
  })

  it('asks each prompt once, and lets it see all tools of the session', async () => {
    const seen: string[] = []
    const curious = buildTool({
      name: 'Curious',
      inputSchema: z.strictObject({}),
      maxResultSizeChars: 1,
      prompt: async ({ tools }) => void seen.push(tools.map(({ name }) => name).join()) as unknown as string,
      call: async () => ({ data: '' }),
    })
    await request({ tools: [curious, echo('Echo')], shown: [curious] })
    expect(seen).toEqual(['Curious,Echo'])
  })

  it('leaves out tools and system where there are none', async () => {
    const bare = await request({ tools: [], system: ' ' })
    expect(bare).not.toHaveProperty('tools')
    expect(bare).not.toHaveProperty('system')
    expect(marksOf(bare)).toEqual(['message 0 block 0'])
  })

  it('makes blocks of every content, and changes no message', async () => {
    const messages = [user('Hi'), callOf('t1'), resultOf('t1')]
    const before = structuredClone(messages)
    const sent = await request({ messages: deepFreeze(messages) })
    expect(messages).toEqual(before)
    expect(withoutMarks(sent.messages)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      before[1],
      before[2],
    ])
  })

  it('rejects when a tool cannot say what it is', async () => {
    const broken = { ...echo('Broken'), prompt: () => Promise.reject(new Error('no words')) }
    expect(await errorOf(() => request({ tools: [broken] }))).toContain('no words')
  })
})

describe('task 1: marks for the cache', () => {
  it('marks the last tool, the system prompt and the last message of a first request', async () => {
    expect(marksOf(await request())).toEqual(['tool 1', 'system 0', 'message 0 block 0'])
  })

  it('marks the last message and the last user message before it', async () => {
    const messages = [user('Hi'), callOf('t1'), resultOf('t1'), callOf('t2'), resultOf('t2')]
    const marks = marksOf(await request({ messages }))
    expect(marks, 'the request before this one ended with message 2').toEqual([
      'tool 1',
      'system 0',
      'message 2 block 0',
      'message 4 block 0',
    ])
  })

  it('marks the last block of a message, and the end of a turn that is to be continued', async () => {
    const paused: Message = { role: 'assistant', content: 'I go' }
    const two: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    }
    expect(marksOf(await request({ messages: [two, paused] })).slice(2)).toEqual([
      'message 0 block 1',
      'message 1 block 0',
    ])
  })

  it('marks no blank text, and nothing that the model thought', async () => {
    const paused: Message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I go' },
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'redacted_thinking', data: 'd' },
        { type: 'text', text: ' ' },
      ],
    }
    expect(marksOf(await request({ messages: [user('Hi'), paused] })).slice(2)).toEqual([
      'message 0 block 0',
      'message 1 block 0',
    ])
    const onlyThought: Message = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] }
    expect(marksOf(await request({ messages: [user('Hi'), onlyThought] })).slice(2)).toEqual(['message 0 block 0'])
  })

  it('has never more than four marks, also when a message came with some', async () => {
    const marked = { type: 'text' as const, text: 'x', cache_control: { type: 'ephemeral' as const } }
    const messages: Message[] = [
      { role: 'user', content: [marked, marked] },
      callOf('t1'),
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'y' }, marked, marked] },
    ]
    expect(marksOf(await request({ messages }))).toEqual([
      'tool 1',
      'system 0',
      'message 0 block 1',
      'message 2 block 2',
    ])
  })

  it('sends the same, save the marks, as the start of the next request', async () => {
    const first = await request({ messages: [user('Hi')] })
    const next = await request({ messages: [user('Hi'), callOf('t1'), resultOf('t1')] })
    expect(withoutMarks(next.tools)).toEqual(withoutMarks(first.tools))
    expect(next.system).toEqual(first.system)
    expect(withoutMarks(next.messages).slice(0, 1)).toEqual(withoutMarks(first.messages))
    checkRequest(next as Parameters<typeof checkRequest>[0])
  })
})

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
