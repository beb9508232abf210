import type Anthropic from '@anthropic-ai/sdk'
import { append, blocksOf, callIdsOf } from '../given/transcript.ts'
import { interrupted, toResult } from './results.ts'

/**
 * Makes a conversation that broke off somewhere (the process was killed, the disk was full) one that the API takes, with
 * as little change as can be: one that is in order comes back equal. Changes neither the array nor a message.
 *
 * - The calls themselves stay as they are: that ids are unique, and names and inputs legal, is for `readAnswer`.
 * - Every call has exactly one result, in the next user message, before everything else, in call order. A result that
 *   is there is kept with all of its fields, the first one if there are several. For one that is missing, the call counts as `interrupted`.
 *   If no user message follows, there is one now.
 * - A result whose call is not in the message before is dropped.
 * - A result with nothing to read in it becomes `(no output)`, as in `toResult`.
 * - As `append` does it: blank text blocks and messages without content are gone, neighbours of one role are one.
 */
export function repairTranscript(messages: Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  // #region task 4: Give every call its one result, and drop what answers no call.
  const tidy = messages.reduce<Anthropic.MessageParam[]>((before, message) => append(before, message), [])
  let repaired: Anthropic.MessageParam[] = []
  for (const [i, message] of tidy.entries()) {
    repaired = append(repaired, message.role === 'user' ? withResults(message, callIdsOf(tidy[i - 1])) : message)
    if (message.role === 'assistant' && tidy[i + 1]?.role !== 'user') {
      repaired = append(repaired, { role: 'user', content: callIdsOf(message).map(interrupted) })
    }
  }
  return repaired
  // #endregion
}

/** The user message `message`, with one result for each of the calls `ids` at its start, and no other results. */
function withResults(message: Anthropic.UserMessageParam, ids: string[]): Anthropic.UserMessageParam {
  // #region task 4: Put the results first, in call order.
  if (typeof message.content === 'string' && ids.length === 0) return message
  const blocks = blocksOf(message)
  const results = blocks.filter((block) => block.type === 'tool_result')
  const answers = ids.map((id) => {
    const result = results.find(({ tool_use_id }) => tool_use_id === id)
    return result ? { ...result, content: toResult(id, { content: result.content }).content } : interrupted(id)
  })
  return { ...message, content: [...answers, ...blocks.filter((block) => block.type !== 'tool_result')] }
  // #endregion
}
