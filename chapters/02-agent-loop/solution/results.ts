import type Anthropic from '@anthropic-ai/sdk'
import { errorText } from '../given/error-text.ts'
import { isBlankText } from '../given/transcript.ts'
import type { RunOptions, Schedule, ToolCall, ToolOutput } from '../given/types.ts'
import { untilAborted } from '../given/until-aborted.ts'

/**
 * Makes the `tool_result` block that answers the call `id`.
 *
 * - It names the call, and carries the output's content. It has `is_error` only when the output has it.
 * - Blank text blocks are left out. Output with nothing in it, or only white space, becomes `(no output)`.
 */
export function toResult(id: string, output: ToolOutput): Anthropic.ToolResultBlockParam {
  // #region task 1: Answer the call, with something to read in it, whatever the tool printed.
  const { content, is_error } = typeof output === 'string' ? { content: output, is_error: undefined } : output
  const kept = typeof content === 'string' ? content.trim() && content : content?.filter((block) => !isBlankText(block))
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: kept?.length ? kept : '(no output)',
    ...(is_error !== undefined && { is_error }),
  }
  // #endregion
}

/** The result of a call that was interrupted: an error, which says so. Given to every call that an abort left open. */
export function interrupted(id: string): Anthropic.ToolResultBlockParam {
  return toResult(id, {
    content: 'Interrupted: this call did not finish. It may have done part of its work.',
    is_error: true,
  })
}

/**
 * Runs one call and returns its result. Never rejects.
 *
 * - A call with a `problem` is not run: its result is an error with the problem's text, also after an abort.
 * - What `dispatch` throws, now or later, Error or not, becomes an error result that says what went wrong, as
 *   `errorText` does.
 * - When the signal is aborted before any other call is run, or while it runs, the result is `interrupted`: at once,
 *   also when the tool pays no heed to the signal. A call that comes after the abort is not run.
 */
export async function runCall(call: ToolCall, options: RunOptions): Promise<Anthropic.ToolResultBlockParam> {
  // #region task 1: Run the call, unless it must not run. Whatever happens is its result.
  const { id, name, input, problem } = call
  const { dispatch, signal } = options
  if (problem !== undefined) return toResult(id, { content: problem, is_error: true })
  if (signal?.aborted) return interrupted(id)
  try {
    return toResult(id, await untilAborted(dispatch(name, input, { id, signal }), signal))
  } catch (error) {
    if (signal?.aborted) return interrupted(id)
    return toResult(id, { content: `Error: ${errorText(error)}`, is_error: true })
  }
  // #endregion
}

/**
 * Runs all calls of one answer and returns their results: one for each call, in call order. Never rejects.
 *
 * - `schedule` decides when each call is run; without one, each is run when the one before it has its result.
 * - Whatever the schedule throws or resolves to, a call that was run has the result of its `runCall`. One that has none
 *   when the schedule has ended counts as `interrupted`.
 */
export async function runCalls(calls: ToolCall[], options: RunOptions): Promise<Anthropic.ToolResultBlockParam[]> {
  // #region task 1: Let the schedule run the calls, each by runCall.
  const { schedule = oneAfterTheOther } = options
  const results = new Map<string, Anthropic.ToolResultBlockParam>()
  const run = async (call: ToolCall) => {
    const result = await runCall(call, options)
    results.set(call.id, result)
    return result
  }
  try {
    await schedule(calls, run)
  } catch {
    // What has been run has its result all the same.
  }
  return calls.map(({ id }) => results.get(id) ?? interrupted(id))
  // #endregion
}

/** The schedule that is always safe: each call is run when the one before it has its result. */
const oneAfterTheOther: Schedule = async (calls, run) => {
  // #region task 1: Run the calls in order, no two at the same time.
  for (const call of calls) await run(call)
  // #endregion
}
