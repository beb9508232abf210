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
  // TODO(task 4): Give every call its one result, and drop what answers no call.
  throw new Error('TODO(task 4): repairTranscript')
}

/** The user message `message`, with one result for each of the calls `ids` at its start, and no other results. */
function withResults(message: Anthropic.UserMessageParam, ids: string[]): Anthropic.UserMessageParam {
  // TODO(task 4): Put the results first, in call order.
  throw new Error('TODO(task 4): withResults')
}
