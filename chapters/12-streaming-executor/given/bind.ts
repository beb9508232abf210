import { type AnyTool, answerFor, type CanUseTool } from '#05-build-tool/tool.ts'
import { findToolByName } from '#09-registry/find-tool.ts'
import { type PipelineContext, runToolUse } from '#11-pipeline/run-tool-use.ts'
import { abortedBy } from '../../11-pipeline/given/on-abort.ts'
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
      const { abortController, close } = abortedBy(context.abortController.signal, signal)
      try {
        yield* runToolUse(block, message, canUseTool, { ...context, abortController })
      } finally {
        close()
      }
    },
  }
}
