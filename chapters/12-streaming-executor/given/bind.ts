import { type AnyTool, answerFor, type CanUseTool } from '#05-build-tool/tool.ts'
import { findToolByName } from '#09-registry/find-tool.ts'
import { type PipelineContext, runToolUse } from '#11-pipeline/run-tool-use.ts'
import type { ExecutorOptions } from './types.ts'

/** What the executor needs to know of tools. A tool that is not there is unsafe, and is not cancelled. */
export function answersOf(tools: readonly AnyTool[]): Pick<ExecutorOptions, 'isSafe' | 'interruptBehavior'> {
  return {
    isSafe({ name, input }) {
      const tool = findToolByName(tools, name)
      return tool !== undefined && answerFor(tool, 'isConcurrencySafe', input)
    },
    interruptBehavior: ({ name }) => findToolByName(tools, name)?.interruptBehavior() ?? 'block',
  }
}

/**
 * The options for an executor over chapter 11's pipeline. Each call gets a controller of its own, which is aborted by the
 * executor and by the context's.
 */
export function bindPipeline(
  context: PipelineContext,
  canUseTool: CanUseTool,
): Pick<ExecutorOptions, 'run' | 'isSafe' | 'interruptBehavior'> {
  return {
    ...answersOf(context.options.tools),
    async *run(block, message, signal) {
      const abortController = new AbortController()
      const links = [context.abortController.signal, signal].map((source) => linkAbort(source, abortController))
      try {
        yield* runToolUse(block, message, canUseTool, { ...context, abortController })
      } finally {
        for (const unlink of links) unlink()
      }
    },
  }
}

/** Aborts the controller when the signal is. Returns what takes the listener off again. */
function linkAbort(signal: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return () => signal.removeEventListener('abort', abort)
}
