import type Anthropic from '@anthropic-ai/sdk'
import { callIdsOf, isBlankText } from '../given/transcript.ts'
import type { ToolCall } from '../given/types.ts'
import { freeId, legalName, readInput } from './calls.ts'

/** What the transcript keeps of an answer, and the calls in it. The n-th `tool_use` of the content is the n-th call. */
export interface Answer {
  content: Anthropic.ContentBlockParam[]
  calls: ToolCall[]
}

/**
 * Reads the model's answer: what the transcript keeps of it, such that the API takes it, and the calls to run.
 *
 * - Blank text blocks are dropped. In a paused turn (`pause_turn`), what is then the last block loses its trailing
 *   white space if it is a text, because the answer is sent back to be continued. Else every block stays as it is, with
 *   all of its fields; of a call, what the lines below say is replaced.
 * - A call's id is unique in the whole conversation: one that is taken, or that the API would not take, is replaced.
 * - The transcript's name of a tool has only characters that the API takes. The call keeps the name as it came.
 * - The input is an object, see `readInput`. When it can't be read, the call has a `problem`, and the transcript `{}`.
 * - A call that was cut off has a `problem` that says so: the one that an answer ends with which stopped for want of
 *   tokens (`max_tokens`, `model_context_window_exceeded`), blank text left aside. Every other call is whole.
 * - In an answer that stopped with `refusal`, every call has a `problem`.
 * - A call with two problems has the one that comes of how the answer stopped: it explains the other.
 */
export function readAnswer(message: Anthropic.Message, earlier: Anthropic.MessageParam[]): Answer {
  // TODO(task 3): Keep what the API takes back, and find the calls in it.
  throw new Error('TODO(task 3): readAnswer')
}

/** Why a call must not run, judged by how the answer that it stands in stopped. */
function stopProblem(stop: Anthropic.StopReason | null, isLast: boolean): string | undefined {
  // TODO(task 3): Say which calls of an answer are not to be trusted.
  throw new Error('TODO(task 3): stopProblem')
}
