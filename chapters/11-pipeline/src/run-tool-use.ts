import type Anthropic from '@anthropic-ai/sdk'
import type { CanUseTool } from '#05-build-tool/tool.ts'
import { type Call, openCall, stoppedBy } from '../given/call.ts'
import type { PipelineContext, ResultUpdate, ToolUpdate } from '../given/types.ts'
import { authorize } from './authorize.ts'
import { execute, follow, type Say } from './execute.ts'
import { finalize, resultOf } from './finalize.ts'
import { runPostHooks, runPreHooks } from './hooks.ts'
import { prepare } from './prepare.ts'

export type * from '../given/types.ts'

/**
 * Runs one call of the model: yields what the tool says on its way, and then exactly one result, which answers the call.
 * It ends with that, and never throws, whatever any step does. Nothing is begun before the first update is asked for.
 */
export function runToolUse(
  toolUse: Anthropic.ToolUseBlock,
  assistantMessage: Anthropic.Message,
  canUseTool: CanUseTool,
  context: PipelineContext,
): AsyncGenerator<ToolUpdate, void> {
  const call = openCall(toolUse, assistantMessage, canUseTool, context)
  return follow(call, (say) => runStages(call, say))
}

/** The eight steps, in order. The first that does not hand the call on is its end, and so is a step that throws. */
async function runStages(call: Call, say: Say): Promise<ResultUpdate> {
  let notes: string[] = []
  try {
    const prepared = await prepare(call) // find, parse, validate
    if (prepared.type === 'failed') return resultOf(call, prepared)

    const hooked = await runPreHooks(call, prepared)
    if (hooked.type === 'failed') return resultOf(call, hooked)
    notes = hooked.notes

    const authorized = await authorize(call, hooked)
    if (authorized.type === 'failed') return resultOf(call, authorized, notes)

    const end = await execute(call, authorized, say)
    notes = [...notes, ...(await runPostHooks(call, authorized, end))]
    return await finalize(call, authorized, { end, notes })
  } catch (error) {
    return resultOf(call, stoppedBy(call, error), notes)
  }
}
