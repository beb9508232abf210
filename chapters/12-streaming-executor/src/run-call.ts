import { failedResult } from '../given/answers.ts'
import type { ProgressUpdate, QueuedCall, ResultUpdate, RunTool, ToolUpdate } from '../given/types.ts'

export interface RunCallOptions {
  run: RunTool
  signal: AbortSignal
  onProgress(update: ProgressUpdate): void
}

/**
 * Runs one call and resolves to its result. Never rejects.
 *
 * - `run` is called once, at once, with the call's block and message and the signal.
 * - Progress is handed on as it comes. Once the signal is aborted it is not, and nothing is read behind it: a `run` that
 *   does not heed the abort can end there, and the result is as if it had ended without one.
 * - The first result is the call's result, as soon as it comes. What comes after it (a second one, an error, progress)
 *   is ignored, and nobody waits for it: a `run` that hangs behind its result holds up nobody.
 * - A result that names another call, in its block or in `toolUseID`, is given this call's id; the rest is kept.
 * - Where `run` throws, now or later, or ends without a result, the result is `failedResult`. So it is where it yields
 *   what is neither progress nor a result with a `tool_result` block: that is not handed on, and what comes behind it is
 *   ignored. Where it never ends, neither does this.
 */
export function runToResult(call: QueuedCall, options: RunCallOptions): Promise<ResultUpdate> {
  // TODO(task 3): Run the call. The first thing that can be its result is its result.
  throw new Error('TODO(task 3): runToResult')
}

/** The result, with the id of the call that it answers. Throws when it is no result. */
function withOwnId({ block: { id } }: QueuedCall, update: Exclude<ToolUpdate, ProgressUpdate>): ResultUpdate {
  // TODO(task 3): Let the result name the call that it answers.
  throw new Error('TODO(task 3): withOwnId')
}
