import type Anthropic from '@anthropic-ai/sdk'
import type { Answer } from './answer.ts'

export type StreamEvent = Anthropic.RawMessageStreamEvent | { type: 'ping' }

/**
 * The events of a message in the order in which the API sends them. Texts and inputs come in pieces of uneven length,
 * which end anywhere: in the middle of a word, of a key, of an escape.
 */
export function* eventsOf({ message, json }: Answer): Generator<StreamEvent> {
  const { content, stop_reason, stop_sequence, usage } = message
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  yield { type: 'message_start', message: start }
  for (const [index, block] of content.entries()) {
    yield { type: 'content_block_start', index, content_block: emptied(block) }
    if (index === 0) yield { type: 'ping' }
    for (const delta of deltasOf(block, json)) yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
  }
  // The type of `delta` names more fields than the API sends.
  const delta = { stop_reason, stop_sequence } as Anthropic.RawMessageDeltaEvent['delta']
  yield { type: 'message_delta', delta, usage: usage as Anthropic.MessageDeltaUsage }
  yield { type: 'message_stop' }
}

/** A block as it starts: its content comes in deltas. */
function emptied(block: Anthropic.ContentBlock): Anthropic.ContentBlock {
  if (block.type === 'text') return { ...block, text: '' }
  return block.type === 'tool_use' ? { ...block, input: {} } : block
}

function* deltasOf(
  block: Anthropic.ContentBlock,
  json: Map<string, string>,
): Generator<Anthropic.RawContentBlockDelta> {
  if (block.type === 'text') {
    for (const text of piecesOf(block.text)) yield { type: 'text_delta', text }
  }
  if (block.type !== 'tool_use') return
  // The first piece of an input is empty, and the only one where there is no input.
  yield { type: 'input_json_delta', partial_json: '' }
  const whole = json.get(block.id)!
  if (whole === '{}') return
  for (const partial_json of piecesOf(whole)) yield { type: 'input_json_delta', partial_json }
}

const LENGTHS = [3, 11, 1, 7, 23, 2, 16]

/** Cuts a text between characters, never inside one. */
function* piecesOf(text: string): Generator<string> {
  const characters = [...text]
  for (let at = 0, turn = 0; at < characters.length; turn++) {
    const length = LENGTHS[turn % LENGTHS.length]
    yield characters.slice(at, at + length).join('')
    at += length
  }
}
