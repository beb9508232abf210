import type Anthropic from '@anthropic-ai/sdk'

/** A request as prompt caching sees it: one list, tools first, then system, then the messages' blocks. */
export interface PromptBlock {
  /** What the block says, without its mark: two blocks that are alike have the same text. */
  text: string
  isMarked: boolean
}

type Marked = { type?: string | null; text?: string; cache_control?: Anthropic.CacheControlEphemeral | null }

/** All blocks in the order in which they are cached. A string as content is one text block. */
export function promptBlocks(request: Anthropic.MessageCreateParams): PromptBlock[] {
  const { tools = [], system = [], messages } = request
  const blocks = [
    ...tools.map((tool) => toBlock('tool', tool)),
    ...asBlocks(system).map((block) => toBlock('system', block)),
    ...messages.flatMap(({ role, content }) => asBlocks(content).map((block) => toBlock(role, block))),
  ]
  // A mark on the request itself is one on its last block.
  if (request.cache_control && blocks.length > 0) blocks[blocks.length - 1].isMarked = true
  return blocks
}

/** Every block with a mark, also those inside of tool results. */
export function markedBlocks(request: Anthropic.MessageCreateParams): Marked[] {
  const { tools = [], system = [], messages } = request
  const inMessages = messages.flatMap(({ content }) => asBlocks(content).flatMap((block) => [block, ...inside(block)]))
  const all: Marked[] = [...tools, ...asBlocks(system), ...inMessages, { cache_control: request.cache_control }]
  return all.filter((block) => block.cache_control)
}

function toBlock(place: string, block: object): PromptBlock {
  const text = JSON.stringify(block, (key, value) => (key === 'cache_control' ? undefined : value))
  const isMarked = [block, ...inside(block)].some((part: Marked) => part.cache_control)
  return { text: `${place} ${text}`, isMarked }
}

function asBlocks(content: string | Anthropic.ContentBlockParam[]): Anthropic.ContentBlockParam[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** The blocks of a tool result. */
function inside(block: { type?: string | null; content?: unknown }): Marked[] {
  return block.type === 'tool_result' && Array.isArray(block.content) ? block.content : []
}
