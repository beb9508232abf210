import type Anthropic from '@anthropic-ai/sdk'
import { formatZodError, parseInput } from '#03-contract/contract.ts'
import type { AnyTool, CanUseTool, ToolUseContext } from '../05-build-tool/given/tool-types.ts'

/** Nobody is asked, and everything may run. */
export const allowEverything: CanUseTool = async (_tool, input) => ({ behavior: 'allow', updatedInput: input })

/** A message that stands where a tool wants to know which answer of the model it was called in. */
export const noMessage = { role: 'assistant', content: [] } as unknown as Anthropic.Message

/** What answers a call, without the call's id: what the loop of chapter 02 takes from `dispatch`. */
export interface ToolAnswer {
  content: Anthropic.ToolResultBlockParam['content']
  is_error?: boolean
}

/**
 * The short way from a call to its answer, for tests and demos of single tools: find by name, parse, validate, call,
 * map. Permissions are not asked about, and hooks not run: that is what chapter 11 is for.
 *
 * What goes wrong is an answer with `is_error`; it rejects only when `call.signal` or the context's own signal was
 * aborted, with the reason.
 */
export function toolDispatch(tools: readonly AnyTool[], context: ToolUseContext) {
  return async (name: string, input: unknown, call: { id: string; signal?: AbortSignal }): Promise<ToolAnswer> => {
    const tool = tools.find((candidate) => candidate.name === name)
    if (!tool) return failure(`Unknown tool "${name}". Available: ${tools.map((known) => known.name).join(', ')}`)

    const abortController = abortedBy(context.abortController.signal, call.signal)
    const callContext = { ...context, abortController }
    try {
      const parsed = parseInput(tool.inputSchema, input)
      if (!parsed.success) return failure(formatZodError(name, parsed.error))
      const valid = await tool.validateInput(parsed.data, callContext)
      if (!valid.result) return failure(valid.message)
      const { data } = await tool.call(parsed.data, callContext, allowEverything, noMessage, () => {})
      const { content, is_error } = tool.mapToolResultToToolResultBlockParam(data, call.id)
      return { content, is_error }
    } catch (error) {
      abortController.signal.throwIfAborted()
      return failure(error instanceof Error ? error.message : String(error))
    }
  }
}

/** The answer of one call as a text; whatever is no text in it is named in brackets. Throws when it is an error. */
export function textOf(answer: ToolAnswer): string {
  const { content = '' } = answer
  const text =
    typeof content === 'string'
      ? content
      : content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
  if (answer.is_error) throw new Error(text)
  return text
}

function failure(message: string): ToolAnswer {
  return { content: message, is_error: true }
}

/** A controller that is aborted as soon as one of the signals is. */
function abortedBy(...signals: Array<AbortSignal | undefined>): AbortController {
  const controller = new AbortController()
  const signal = AbortSignal.any(signals.filter((candidate) => candidate !== undefined))
  if (signal.aborted) controller.abort(signal.reason)
  signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true })
  return controller
}
