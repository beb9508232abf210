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
  // #region task 3: Run the call. The first thing that can be its result is its result.
  return new Promise((resolve) => {
    const readUpdates = async (): Promise<void> => {
      let isOver = false
      for await (const update of options.run(call.block, call.message, options.signal)) {
        if (isOver) break
        if (update.type === 'progress') {
          if (options.signal.aborted) break
          options.onProgress(update)
        } else {
          resolve(withOwnId(call, update))
          isOver = true
        }
      }
      resolve(failedResult(call, new Error('The tool ended without a result.')))
    }
    readUpdates().catch((error) => resolve(failedResult(call, error)))
  })
  // #endregion
}

/** The result, with the id of the call that it answers. Throws when it is no result. */
function withOwnId({ block: { id } }: QueuedCall, update: Exclude<ToolUpdate, ProgressUpdate>): ResultUpdate {
  // #region task 3: Let the result name the call that it answers.
  if (update.type !== 'result' || update.block?.type !== 'tool_result') {
    throw new TypeError(`Expected progress or a result, got ${JSON.stringify(update)}.`)
  }
  return { ...update, toolUseID: id, block: { ...update.block, tool_use_id: id } }
  // #endregion
}
