import type Anthropic from '@anthropic-ai/sdk'
import { toResult } from '#02-agent-loop/results.ts'
import { type Call, enter, failed, isAfterCall } from '../given/call.ts'
import { ignore } from '../given/ignore.ts'
import { cutError, describeError } from '../given/say.ts'
import type { Authorized, ResultUpdate, Returned, Stopped } from '../given/types.ts'
import { shorten, textLength } from './persist.ts'

/**
 * The one result of a call that did not come to its end, as an error.
 *
 * - For a call that failed: the message of the stage.
 * - For an interrupted one: a text that has `Interrupted` in it, and whether the tool had begun. From stage `call` on it
 *   `may have done part of its work`; before that, it `did not run`.
 * - Either ends with the `notes` (`withNotes`).
 */
export function resultOf(call: Call, end: Stopped, notes: string[] = []): ResultUpdate {
  // TODO(task 3): Say what stopped the call, as an error that answers it.
  throw new Error('TODO(task 3): resultOf')
}

/**
 * Stage `map`: the one result of a call that returned. It is run to its end also when the call is aborted meanwhile.
 *
 * - The block is what the tool makes of its data. Whatever id is in it, it answers this call; as in chapter 02's
 *   `toResult`, nothing to read becomes `(no output)`. Other fields of the block stay.
 * - Text that is longer than the tool's `maxResultSizeChars` is shortened (`shorten`), with `resultsDir` for its file.
 * - Where the tool throws, or makes what is no `tool_result` block with text or blocks in it, the result is an error
 *   that says so, and that the tool did run.
 * - A promise is no block: nobody waits for it, and `ignore` hears its rejection.
 * - `notes` stand at the end (`withNotes`), whole: they don't count for the limit, and don't go to the file. An error
 *   has them, too.
 */
export async function finalize(
  call: Call,
  { tool }: Authorized,
  { end, notes }: { end: Returned; notes: string[] },
): Promise<ResultUpdate> {
  enter(call, 'map')
  // TODO(task 5): Let the tool make its block, see that it is one that answers this call, and keep it bearable.
  throw new Error('TODO(task 5): finalize')
}

/** `block` with a paragraph for each note at its end, so that the model can tell them from what the tool said. */
function withNotes(block: Anthropic.ToolResultBlockParam, notes: string[]): Anthropic.ToolResultBlockParam {
  if (notes.length === 0) return block
  const text = notes.map((note) => `[hook] ${cutError(note)}`).join('\n\n')
  const { content = '' } = block
  if (typeof content === 'string') return { ...block, content: `${content}\n\n${text}` }
  return { ...block, content: [...content, { type: 'text', text }] }
}

function isResultBlock(made: unknown): made is Anthropic.ToolResultBlockParam {
  if (typeof made !== 'object' || made === null || !('type' in made) || made.type !== 'tool_result') return false
  const { content } = made as { content?: unknown }
  if (content === undefined || typeof content === 'string') return true
  return Array.isArray(content) && content.every((part) => typeof part?.type === 'string' && !isBadText(part))
}

function isBadText(part: { type: string; text?: unknown }): boolean {
  return part.type === 'text' && typeof part.text !== 'string'
}
