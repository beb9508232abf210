import type { ToolUseContext } from '#05-build-tool/tool.ts'
import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import type { TimeLimit } from './time-limit.ts'

/**
 * The pipeline's context, which a tool gets when the pipeline runs it. Throws a TypeError where something else did:
 * without it nobody would know which hooks a sub-agent's calls have to pass.
 */
export function pipelineContextOf(context: ToolUseContext): PipelineContext {
  const { hooks, resultsDir } = context as Partial<PipelineContext>
  if (hooks && typeof resultsDir === 'string') return context as PipelineContext
  throw new TypeError("Agent can only be run by chapter 11's pipeline: its context has no hooks and no resultsDir.")
}

/** The same context, in which the clock of `limit` stops while a person is asked. Where nobody can be asked, nobody is. */
export function pauseWhileAsking(context: PipelineContext, limit: TimeLimit): PipelineContext {
  const { askUser } = context
  if (!askUser) return context
  return { ...context, askUser: (question, asking) => limit.pauseWhile(() => askUser(question, asking)) }
}
