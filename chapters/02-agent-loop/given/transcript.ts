import type Anthropic from '@anthropic-ai/sdk'

/** A text block with nothing in it but white space, if anything: the API refuses it. */
export function isBlankText(block: { type: string; text?: unknown }): boolean {
  return block.type === 'text' && String(block.text ?? '').trim() === ''
}

/** A message's content as blocks, whichever way it was written. */
export function blocksOf(message: Anthropic.MessageParam | undefined): Anthropic.ContentBlockParam[] {
  const content = message?.content ?? []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** The ids of the calls in a message, in order. */
export function callIdsOf(message: Anthropic.MessageParam | undefined): string[] {
  return blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
}

/**
 * `messages` with one more at the end, as the API would read it: without blank text blocks; not at all when nothing is
 * left of it; and as a part of the last message when both have the same role. Changes neither the array nor a message.
 */
export function append(messages: Anthropic.MessageParam[], message: Anthropic.MessageParam): Anthropic.MessageParam[] {
  const blocks = blocksOf(message)
  const kept = blocks.filter((block) => !isBlankText(block))
  const last = messages.at(-1)
  if (kept.length === 0) return messages
  if (last?.role === message.role) {
    const merged = { ...last, content: [...blocksOf(last), ...kept] } as Anthropic.MessageParam
    return [...messages.slice(0, -1), merged]
  }
  return [
    ...messages,
    kept.length === blocks.length ? message : ({ ...message, content: kept } as Anthropic.MessageParam),
  ]
}
