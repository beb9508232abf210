import type Anthropic from '@anthropic-ai/sdk'
import type { CanUseTool } from '#05-build-tool/tool.ts'
import { runToolUse } from '#11-pipeline/run-tool-use.ts'
import type { Dispatch } from '../../02-agent-loop/given/types.ts'
import { abortedBy } from './on-abort.ts'
import type { PipelineContext, ToolUpdate } from './types.ts'

/**
 * The pipeline in the place of chapter 02's `dispatch`: the loop hands it a name and an input, and gets what the model
 * reads. Whoever wants to watch gets every update through `onUpdate`; what that throws is an error of the call.
 */
export function pipelineDispatch(
  context: PipelineContext,
  { canUseTool, onUpdate }: { canUseTool: CanUseTool; onUpdate?: (update: ToolUpdate) => void },
): Dispatch {
  return async (name, input, { id, signal }) => {
    const toolUse: Anthropic.ToolUseBlock = { type: 'tool_use', id, name, input, caller: { type: 'direct' } }
    const { abortController, close } = abortedBy(context.abortController.signal, signal)
    try {
      for await (const update of runToolUse(toolUse, messageWith(toolUse), canUseTool, {
        ...context,
        abortController,
      })) {
        onUpdate?.(update)
        if (update.type === 'result') return { content: update.block.content, is_error: update.block.is_error }
      }
      throw new Error('The pipeline gave no result.')
    } finally {
      close()
    }
  }
}

/** The loop does not say in which answer a call stood: a message with this call alone stands in for it. */
function messageWith(toolUse: Anthropic.ToolUseBlock): Anthropic.Message {
  return {
    type: 'message',
    role: 'assistant',
    content: [toolUse],
    stop_reason: 'tool_use',
  } as unknown as Anthropic.Message
}
