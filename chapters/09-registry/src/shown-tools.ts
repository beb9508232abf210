import type { AnyTool, AppState } from '#05-build-tool/tool.ts'

/** Says which tools the model is not shown until `ToolSearch` has found them. */
export type IsDeferred = (tool: AnyTool) => boolean

/** Servers bring dozens of tools, and a session needs few of them. */
export const isMcpTool: IsDeferred = (tool) => tool.name.startsWith('mcp__')

/** `ToolSearch`'s own name: it is the one tool that cannot be found by searching. */
export const TOOL_SEARCH = 'ToolSearch'

/** The key of AppState under which the names of the tools that were found stand, in the order in which they were. */
export const FOUND_TOOLS = 'foundTools'

/** The names of the tools that were found so far. Empty where the state has none, or something that is no list. */
export function foundTools(state: AppState): readonly string[] {
  const names = state[FOUND_TOOLS]
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

/**
 * Remembers that these tools were found: their names stand behind those that were there, each once. The rest of the
 * state stays.
 *
 * Calls run side by side, and an update may be applied later than it was asked for: the new state is made of the state
 * that `update` gets, whatever it was before. A state is never changed.
 */
export function rememberFound(
  setAppState: (update: (state: AppState) => AppState) => void,
  names: readonly string[],
): void {
  // TODO(task 5): Add the names to the state that there is when the update is applied.
  throw new Error('TODO(task 5): rememberFound')
}

export interface ShowOptions {
  state: AppState
  /** `isMcpTool`, unless you say otherwise. */
  isDeferred?: IsDeferred
}

/**
 * The tools that go into the next request, out of all tools of the session.
 *
 * - First those that are not deferred, in the order of `tools`; then those that were found, in the order in which they
 *   were. So a tool that is found moves none that was shown before.
 * - Each tool once. A tool that was found and is gone is left out.
 * - `ToolSearch` itself is never deferred. It is shown only where there is a tool that is deferred, found or not.
 * - Without a `ToolSearch` in `tools` nothing could be found: all tools are shown then.
 */
export function toolsToShow(tools: readonly AnyTool[], { state, isDeferred = isMcpTool }: ShowOptions): AnyTool[] {
  // TODO(task 5): Show what is not deferred, and behind it what was found.
  throw new Error('TODO(task 5): toolsToShow')
}
