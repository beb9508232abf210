import type Anthropic from '@anthropic-ai/sdk'
import type { AnyTool, PermissionResult, ToolProgress, ToolUseContext } from '#05-build-tool/tool.ts'
import type { Hooks } from './hook-types.ts'

/** The eight steps of a call, in order. Those up to `permission` may come round again for input that was rewritten. */
export type Stage = 'find' | 'parse' | 'validate' | 'pre-hooks' | 'permission' | 'call' | 'post-hooks' | 'map'

/** A stage that ended the call. `message` is for the model: what went wrong and, where it can be said, what to do. */
export interface Failed {
  type: 'failed'
  stage: Stage
  message: string
}

/** The call was aborted while it was in this stage, or before the stage began. */
export interface Interrupted {
  type: 'interrupted'
  stage: Stage
}

/** How a call ends that has no result of its own. */
export type Stopped = Failed | Interrupted

/** A tool, and input that has been parsed and validated. */
export interface Prepared {
  type: 'prepared'
  tool: AnyTool
  input: Record<string, unknown>
}

/** A call that the hooks have seen. */
export interface Hooked {
  type: 'hooked'
  tool: AnyTool
  /** What would run: parsed and validated, also where a hook rewrote it. */
  input: Record<string, unknown>
  /** What the model asked for. The same object as `input` where no hook rewrote it. */
  original: Record<string, unknown>
  /** What the hooks say on permission: the strictest of them. Absent: nothing. */
  verdict?: { behavior: 'allow' | 'ask'; reason: string }
  /** What hooks want the model to know, in the order of the hooks. */
  notes: string[]
}

/** A call that may run, with exactly this input. */
export interface Authorized {
  type: 'authorized'
  tool: AnyTool
  input: Record<string, unknown>
}

/** A call that came to its end, with what the tool returned. */
export interface Returned {
  type: 'returned'
  data: unknown
}

/** What `runToolUse` yields: progress, any number of times, and then one result. */
export type ToolUpdate = ProgressUpdate | ResultUpdate

export interface ProgressUpdate {
  type: 'progress'
  toolUseID: string
  data: ToolProgress
}

export interface ResultUpdate {
  type: 'result'
  toolUseID: string
  /** What the model gets. Its `tool_use_id` is the call's id. */
  block: Anthropic.ToolResultBlockParam
  /** How the call ended, for those who draw it: `data` is what `renderToolResultMessage` takes. */
  end: Returned | Stopped
}

/** What a call needs beside what tools may reach. */
export interface PipelineContext extends ToolUseContext {
  readonly hooks: Hooks
  /** The session's folder for results that are too long for the model. It is made when it is needed. */
  readonly resultsDir: string
  /** Asks the person, where `canUseTool` answers `ask`. Left out: nobody is there, so what must be asked is refused. */
  readonly askUser?: (question: Question, context: ToolUseContext) => Promise<PermissionResult>
  /** Is told when a stage begins and ends. What it throws is lost, and nobody waits for its promise. */
  readonly observer?: (event: StageEvent) => void
  /** The observer's clock, in milliseconds: `performance.now` unless you hand in another. */
  readonly now?: () => number
  /**
   * How long a tool may take to end by itself after the abort, in milliseconds, before its call is answered without it.
   * 0 unless you say otherwise: it is answered at once.
   */
  readonly maxAbortWaitMs?: number
}

export interface Question {
  toolUseID: string
  tool: AnyTool
  /** What would run. */
  input: Record<string, unknown>
  /** Why there is a question. */
  message: string
  /** The rule that "always" would add, where whoever decides suggests one. */
  suggestion?: string
}

/**
 * What `canUseTool` may say beside `ask`, as chapter 10's `decide` does. `decisionReason.type` tells who asks: `mode`
 * means that no rule and no tool has anything against the call, only the mode wants a person to see it. Any other
 * reason, or none, counts as a rule.
 */
export interface AskReason {
  decisionReason?: { type: string; mode?: string }
  suggestion?: string
}

export type StageEvent =
  | { type: 'begin'; stage: Stage; toolUseID: string; toolName: string; at: number }
  /** `outcome` is the `type` of what the stage gave. */
  | { type: 'end'; stage: Stage; toolUseID: string; toolName: string; at: number; outcome: string }
