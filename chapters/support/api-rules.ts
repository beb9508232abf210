import type Anthropic from '@anthropic-ai/sdk'

/** What `checkRequest` looks at: the part of a Messages API request that a tool system writes. */
export interface CheckedRequest {
  model?: string
  max_tokens?: number
  system?: string | Anthropic.TextBlockParam[]
  messages: Anthropic.MessageParam[]
  tools?: Anthropic.Tool[]
}

/** What the Messages API answers when a request breaks its rules: status 400, and a text that says which rule. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError'
  readonly status = 400
}

/**
 * Throws the InvalidRequestError that the Messages API would answer with, and returns when it would take the request.
 *
 * The texts are the API's own wherever a public report quotes them. Where reports differ, or the API mends a fault
 * itself, this is the stricter: neighbours of one role are not merged (an assistant message right behind another is
 * refused, and so are results spread over two user messages), and no text block may be blank, whatever stands beside it.
 */
export function checkRequest(request: CheckedRequest): void {
  for (const rule of RULES) {
    const complaint = rule(request)
    if (complaint) throw new InvalidRequestError(`400 ${complaint}`)
  }
}

/** Looks at one thing, and returns what is wrong with it. */
type Rule = (request: CheckedRequest) => string | undefined

const RULES: Rule[] = [
  function someMessage({ messages }) {
    if (messages.length === 0) return 'messages: at least one message is required'
  },

  function firstRole({ messages }) {
    if (messages[0].role !== 'user') return 'messages: first message must use the "user" role'
  },

  function roleOrder({ messages }) {
    const at = messages.findIndex((message, i) => message.role === 'assistant' && messages[i - 1]?.role === 'assistant')
    if (at !== -1) return `messages.${at}: roles must alternate, but found two "assistant" messages in a row`
  },

  function messageContent({ messages }) {
    const at = messages.findIndex(({ content }) => content.length === 0)
    if (at !== -1) return `messages.${at}: all messages must have non-empty content`
  },

  function textBlocks({ messages, system }) {
    const texts = messages.flatMap(({ content }) => textsOf(content))
    if (typeof system === 'object') texts.push(...textsOf(system))
    if (texts.includes('')) return 'messages: text content blocks must be non-empty'
    if (texts.some(isBlank)) return 'messages: text content blocks must contain non-whitespace text'
  },

  function lastMessage({ messages }) {
    const last = messages[messages.length - 1]
    if (last.role !== 'assistant') return
    const end = typeof last.content === 'string' ? last.content : last.content[last.content.length - 1]
    const text = typeof end === 'string' ? end : end.type === 'text' ? end.text : ''
    if (text !== text.trimEnd()) return 'messages: final assistant content cannot end with trailing whitespace'
  },

  function toolUseBlocks({ messages }) {
    const taken = new Set<string>()
    for (const [block, at] of blocksWithPlace(messages)) {
      if (block.type !== 'tool_use') continue
      if (!/^[a-zA-Z0-9_-]+$/.test(block.id)) return `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
      if (taken.has(block.id)) return `${at}: \`tool_use\` ids must be unique`
      taken.add(block.id)
      if (!TOOL_NAME.test(block.name)) return `${at}.tool_use.name: String should match pattern '${TOOL_NAME.source}'`
      if (!isObject(block.input)) return `${at}.tool_use.input: Input should be a valid dictionary`
    }
  },

  function everyCallHasAResult({ messages }) {
    for (const [i, message] of messages.entries()) {
      const answered = leadingResultIds(messages[i + 1])
      const open = toolUseIds(message).filter((id) => !answered.includes(id))
      if (open.length === 0) continue
      return (
        `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
        `${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
      )
    }
  },

  function everyResultHasACall({ messages }) {
    const seen = new Set<string>()
    for (const [block, at, i] of blocksWithPlace(messages)) {
      if (block.type !== 'tool_result') continue
      const id = block.tool_use_id
      if (!toolUseIds(messages[i - 1]).includes(id)) {
        return (
          `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
        )
      }
      if (seen.has(id)) {
        return `${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
      }
      seen.add(id)
    }
  },

  function errorsSayWhy({ messages }) {
    for (const [block, at] of blocksWithPlace(messages)) {
      if (block.type !== 'tool_result' || !block.is_error || block.content?.length) continue
      return `${at}.tool_result: content cannot be empty if \`is_error\` is true`
    }
  },

  function toolNames({ tools = [] }) {
    const names = tools.map(({ name }) => name)
    const at = names.findIndex((name) => !TOOL_NAME.test(name))
    if (at !== -1) return `tools.${at}.custom.name: String should match pattern '${TOOL_NAME.source}'`
    if (new Set(names).size < names.length) return 'tools: Tool names must be unique.'
  },

  function inputSchemas({ tools = [] }) {
    for (const [i, tool] of tools.entries()) {
      const at = `tools.${i}.custom.input_schema`
      const schema: Record<string, unknown> = tool.input_schema
      if (schema.type !== 'object') return `${at}.type: Input should be 'object'`
      if (['oneOf', 'allOf', 'anyOf'].some((key) => key in schema)) {
        return `${at}: input_schema does not support oneOf, allOf, or anyOf at the top level`
      }
      if (Object.keys(schema.properties ?? {}).some((key) => !PROPERTY_KEY.test(key))) {
        return `${at}.properties: Property keys should match pattern '${PROPERTY_KEY.source}'`
      }
    }
  },
]

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const PROPERTY_KEY = /^[a-zA-Z0-9_.-]{1,64}$/

type Content = Anthropic.MessageParam['content'] | Anthropic.ToolResultBlockParam['content']

/** Every text that stands in `content`, also inside of tool results. A string as a tool result's content is no block. */
function textsOf(content: Content): string[] {
  if (content === undefined) return []
  if (typeof content === 'string') return [content]
  return content.flatMap((block) => {
    if (block.type === 'text') return [block.text]
    return block.type === 'tool_result' && typeof block.content === 'object' ? textsOf(block.content) : []
  })
}

function blocksOf(message: Anthropic.MessageParam | undefined): Anthropic.ContentBlockParam[] {
  return typeof message?.content === 'object' ? message.content : []
}

/** Every block of every message, with its place as the API writes it, and the position of its message. */
function blocksWithPlace(messages: Anthropic.MessageParam[]): Array<[Anthropic.ContentBlockParam, string, number]> {
  return messages.flatMap((message, i) =>
    blocksOf(message).map((block, k): [Anthropic.ContentBlockParam, string, number] => [
      block,
      `messages.${i}.content.${k}`,
      i,
    ]),
  )
}

function toolUseIds(message: Anthropic.MessageParam | undefined): string[] {
  if (message?.role !== 'assistant') return []
  return blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
}

/** The ids of the tool results that stand before everything else: behind another block, the API doesn't see them. */
function leadingResultIds(message: Anthropic.MessageParam | undefined): string[] {
  const ids: string[] = []
  for (const block of blocksOf(message)) {
    if (message?.role !== 'user' || block.type !== 'tool_result') break
    ids.push(block.tool_use_id)
  }
  return ids
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
