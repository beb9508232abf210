import type Anthropic from '@anthropic-ai/sdk'

export { append, blocksOf, callIdsOf, isBlankText } from '../../02-agent-loop/given/transcript.ts'

/**
 * Puts a piece of a block where it belongs. `input_json_delta` is not for here: it is no JSON before the last piece.
 */
export function applyDelta(block: Anthropic.ContentBlock, delta: Anthropic.RawContentBlockDelta): void {
  if (delta.type === 'text_delta' && block.type === 'text') block.text += delta.text
  if (delta.type === 'citations_delta' && block.type === 'text') {
    block.citations = [...(block.citations ?? []), delta.citation]
  }
  if (delta.type === 'thinking_delta' && block.type === 'thinking') block.thinking += delta.thinking
  if (delta.type === 'signature_delta' && block.type === 'thinking') block.signature = delta.signature
}

/** A block without its mark for the cache, if it has one. */
export function unmarked<Block extends object>(block: Block): Block {
  if (!('cache_control' in block)) return block
  const { cache_control: _mark, ...rest } = block
  return rest as Block
}

/** Whether the API takes a mark for the cache on a block: not on what the model thought. */
export function takesMark(block: Anthropic.ContentBlockParam): boolean {
  return block.type !== 'thinking' && block.type !== 'redacted_thinking'
}
