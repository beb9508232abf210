import type Anthropic from '@anthropic-ai/sdk'
import { type CheckedRequest, checkRequest, InvalidRequestError } from '#support/api-rules.ts'
import { describe, expect, it } from '#support/test.ts'

const user = (content: Anthropic.UserMessageParam['content'] = 'Hi') => ({ role: 'user' as const, content })
const assistant = (content: Anthropic.AssistantMessageParam['content']) => ({ role: 'assistant' as const, content })
const use = (id: string, rest: object = {}) => ({ type: 'tool_use' as const, id, name: 'read', input: {}, ...rest })
const result = (id: string, rest: object = {}) => ({
  type: 'tool_result' as const,
  tool_use_id: id,
  content: 'ok',
  ...rest,
})
const text = (text: string) => ({ type: 'text' as const, text })
const tool = (name: string, schema: object = {}) => ({ name, input_schema: { type: 'object' as const, ...schema } })

describe('the rules of the API', () => {
  it.for<[string, CheckedRequest]>([
    ['one question', { messages: [user()] }],
    ['two user messages in a row', { messages: [user(), user()] }],
    ['a prefilled answer', { messages: [user(), assistant('The answer is')] }],
    [
      'calls and their results, in any order, with text behind them',
      { messages: [user(), assistant([use('a'), use('b')]), user([result('b'), result('a'), text('go on')])] },
    ],
    ['an empty result of a call', { messages: [user(), assistant([use('a')]), user([result('a', { content: '' })])] }],
    ['two tools', { messages: [user()], tools: [tool('read'), tool('mcp__a__b', { properties: { 'a.b-c_1': {} } })] }],
    ['anyOf below the root', { messages: [user()], tools: [tool('read', { properties: { a: { anyOf: [] } } })] }],
  ])('take %s', ([, request]) => {
    expect(() => checkRequest(request)).not.toThrow()
  })

  it.for<[string, string, Anthropic.MessageParam[]]>([
    ['no message', 'at least one message', []],
    ['an assistant message first', 'first message must use the "user" role', [assistant('Hi')]],
    ['two assistant messages in a row', 'messages.2: roles', [user(), assistant('a'), assistant('b')]],
    ['a message without content', 'messages.0: all messages must have non-empty content', [user([])]],
    ['an empty text block', 'text content blocks must be non-empty', [user([text('')])]],
    ['a blank text block', 'must contain non-whitespace text', [user(), assistant([text('a'), text(' \n')]), user()]],
    ['a blank message', 'must contain non-whitespace text', [user(' ')]],
    [
      'a blank text block in a result',
      'text content blocks must be non-empty',
      [user(), assistant([use('a')]), user([result('a', { content: [text('')] })])],
    ],
    ['white space at the end of a prefilled answer', 'trailing whitespace', [user(), assistant('The answer is ')]],
    ['a call without a result', 'messages.1: `tool_use` ids were found without', [user(), assistant([use('a')])]],
    [
      'a call of two without a result',
      'immediately after: b. Each',
      [user(), assistant([use('a'), use('b')]), user([result('a')])],
    ],
    [
      'a result behind a text',
      'immediately after: a. Each',
      [user(), assistant([use('a')]), user([text('Here:'), result('a')])],
    ],
    [
      'a result one message too late',
      'messages.1: `tool_use` ids were found without',
      [user(), assistant([use('a')]), user(), user([result('a')])],
    ],
    ['a result without a call', 'messages.0.content.0: unexpected `tool_use_id`', [user([result('a')])]],
    [
      'two results of one call',
      'messages.2.content.1: each tool_use must have a single result',
      [user(), assistant([use('a')]), user([result('a'), result('a')])],
    ],
    [
      'an id twice in one message',
      'messages.1.content.1: `tool_use` ids must be unique',
      [user(), assistant([use('a'), use('a')]), user([result('a')])],
    ],
    [
      'an id twice in the conversation',
      'messages.3.content.0: `tool_use` ids must be unique',
      [user(), assistant([use('a')]), user([result('a')]), assistant([use('a')]), user([result('a')])],
    ],
    ['an id with a colon', 'messages.1.content.0.tool_use.id', [user(), assistant([use('a:1')]), user()]],
    [
      'a call by a name with a dot',
      'messages.1.content.0.tool_use.name',
      [user(), assistant([use('a', { name: 'functions.read' })]), user([result('a')])],
    ],
    [
      'an input that is text',
      'tool_use.input: Input should be a valid dictionary',
      [user(), assistant([use('a', { input: '{}' })]), user([result('a')])],
    ],
    [
      'an error that says nothing',
      'content cannot be empty if `is_error` is true',
      [user(), assistant([use('a')]), user([result('a', { content: '', is_error: true })])],
    ],
  ])('refuse %s', ([, complaint, messages]) => {
    expect(refusalOf({ messages })).toContain(complaint)
  })

  it.for<[string, string, object]>([
    ['a name with a dot', 'tools.0.custom.name: String should match pattern', tool('a.b')],
    ['a name that is too long', 'tools.0.custom.name: String should match pattern', tool('a'.repeat(129))],
    ['a root that is no object', 'tools.0.custom.input_schema.type', { name: 'a', input_schema: { type: 'string' } }],
    ['a root without a type', 'tools.0.custom.input_schema.type', { name: 'a', input_schema: {} }],
    ['anyOf at the root', 'does not support oneOf, allOf, or anyOf at the top level', tool('a', { anyOf: [] })],
    ['a property with a $', 'Property keys should match pattern', tool('a', { properties: { $top: {} } })],
  ])('refuse a tool with %s', ([, complaint, bad]) => {
    expect(refusalOf({ messages: [user()], tools: [bad as Anthropic.Tool] })).toContain(complaint)
  })

  it('refuse two tools of one name', () => {
    expect(refusalOf({ messages: [user()], tools: [tool('a'), tool('a')] })).toContain('Tool names must be unique')
  })

  it('refuse a blank text block of the system prompt', () => {
    expect(refusalOf({ messages: [user()], system: [text(' ')] })).toContain('non-whitespace')
  })
})

function refusalOf(request: CheckedRequest): string {
  try {
    checkRequest(request)
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRequestError)
    expect((error as InvalidRequestError).status).toBe(400)
    return (error as Error).message
  }
  return expect.fail('expected the request to be refused')
}
