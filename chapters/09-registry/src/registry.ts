import type { AnyTool } from '#05-build-tool/tool.ts'
import { GlobTool } from '#06-reading/glob.ts'
import { GrepTool } from '#06-reading/grep.ts'
import { ReadTool } from '#06-reading/read.ts'
import { EditTool } from '#07-editing/edit.ts'
import { NotebookEditTool } from '#07-editing/notebook-edit.ts'
import { WriteTool } from '#07-editing/write.ts'
import { BashOutputTool, KillShellTool } from '#08-bash/background-tools.ts'
import { BashTool } from '#08-bash/bash.ts'
import { ConfigTool } from '../given/config.ts'
import { SleepTool } from '../given/sleep.ts'
import { WebFetchTool } from '../given/web-fetch.ts'
import type { IsDeferred } from './shown-tools.ts'
import { createToolSearch } from './tool-search.ts'

export { ConfigTool } from '../given/config.ts'
export { SleepTool } from '../given/sleep.ts'
export { createWebFetch, WebFetchTool } from '../given/web-fetch.ts'
export { type Assembled, assembleTools, type ToolSources } from './assemble.ts'
export { explainUnknownTool, findToolByName } from './find-tool.ts'
export { type IsDeferred, isMcpTool, toolsToShow } from './shown-tools.ts'
export { createToolSearch, searchTools } from './tool-search.ts'

/** What a build or a user has switched on. Read from a file, often: only `true` opens a gate, no other value. */
export interface Features {
  /** There is a `Sleep`. */
  sleep?: boolean
  /** The shell brings a search of its own, so `Glob` and `Grep` are not needed. */
  embeddedSearch?: boolean
}

export interface BaseToolOptions {
  features?: Features
  /** The environment: `process.env`, unless you say otherwise. */
  env?: Record<string, string | undefined>
  /** Which tools `ToolSearch` is to find: `isMcpTool`, unless you say otherwise. */
  isDeferred?: IsDeferred
}

/**
 * The tools that come with the agent, whatever servers there are, each where its gate is open:
 *
 * - always: Bash, BashOutput, KillShell, Read, Edit, Write, NotebookEdit, WebFetch and ToolSearch;
 * - Glob and Grep, unless the feature `embeddedSearch` is on;
 * - Sleep, if the feature `sleep` is on;
 * - Config, if the environment has WORKSHOP_CONFIG_TOOL as `1` or `true`. Any other text leaves it out, `0` and `false`
 *   too.
 *
 * The gates are looked at in each call, never at import, and each call gives a new array.
 */
export function getAllBaseTools({ features = {}, env = process.env, isDeferred }: BaseToolOptions = {}): AnyTool[] {
  // TODO(task 1): List the tools, each where its gate is open.
  throw new Error('TODO(task 1): getAllBaseTools')
}
