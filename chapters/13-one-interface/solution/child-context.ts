import type { AnyTool, AppState, CanUseTool } from '#05-build-tool/tool.ts'
import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import type { AgentType } from '../given/agent-types.ts'
import { pauseWhileAsking } from '../given/pipeline-context.ts'
import type { TimeLimit } from '../given/time-limit.ts'

/** What the tool is called that starts a sub-agent. */
export const AGENT = 'Agent'

/**
 * The tools of a sub-agent, out of those of its parent, in their order.
 *
 * - Where its type has a list (`tools`), only those whose name is in it.
 * - Agent itself is replaced by `nested`, the one for sub-agents of this sub-agent; without one it is left out. It is left
 *   out as well where the type's list does not name it.
 */
export function childTools(tools: readonly AnyTool[], type: AgentType, nested: AnyTool | undefined): AnyTool[] {
  // #region task 1: Keep what the type may have, and no Agent but the nested one.
  return tools
    .filter((tool) => type.tools === undefined || type.tools.includes(tool.name))
    .map((tool) => (tool.name === AGENT ? nested : tool))
    .filter((tool) => tool !== undefined)
  // #endregion
}

/**
 * The context of a sub-agent: what it shares with its parent, and what is its own.
 *
 * - Its own: the abort controller, which is aborted when `limit.signal` is, with its reason; an empty `readFileState`,
 *   since its model has seen no file yet; an app state that is empty at first, so that a `cd` in its shell moves nobody
 *   else's; its `tools`.
 * - Where a person is asked, the clock of `limit` stops (`pauseWhileAsking`).
 * - All else is the parent's: its folder, its hooks, its folder for long results, its observer.
 */
export function childContext(
  parent: PipelineContext,
  { tools, limit }: { tools: AnyTool[]; limit: TimeLimit },
): PipelineContext {
  // #region task 1: Share what belongs to the session, and give the sub-agent what belongs to a conversation.
  const abortController = new AbortController()
  const abort = () => abortController.abort(limit.signal.reason)
  if (limit.signal.aborted) abort()
  else limit.signal.addEventListener('abort', abort, { once: true })

  let state: AppState = {}
  return {
    ...pauseWhileAsking(parent, limit),
    abortController,
    readFileState: new Map(),
    getAppState: () => state,
    setAppState: (update) => {
      state = update(state)
    },
    options: { ...parent.options, tools },
  }
  // #endregion
}

/**
 * Who decides about a sub-agent's calls: whoever decides about the parent's. Where the type is `readOnly`, a call that is
 * not read-only is refused before anybody is asked, with a message that says so, though it may destroy nothing; nothing
 * that would be refused anyway is allowed by that. It is the call that is read-only, with its input, and not the tool.
 */
export function childPermissions(canUseTool: CanUseTool, { name, readOnly }: AgentType): CanUseTool {
  // #region task 1: Ask the parent's judge, and hold a read-only agent to its word.
  if (!readOnly) return canUseTool
  return async (tool, input, context, message) => {
    if (tool.isReadOnly(input)) return canUseTool(tool, input, context, message)
    return { behavior: 'deny', message: `${tool.name} was refused: a sub-agent of type ${name} changes nothing.` }
  }
  // #endregion
}
