import type Anthropic from '@anthropic-ai/sdk'
import type { ProgressUpdate, ResultUpdate, ToolUpdate } from '#11-pipeline/run-tool-use.ts'

export type { ProgressUpdate, ResultUpdate, ToolUpdate }

/** A call that was handed to the executor. Two calls with one id are two of these. */
export interface QueuedCall {
  /** 0 for the call that was added first, 1 for the next: its place among the results. */
  readonly place: number
  readonly block: Anthropic.ToolUseBlock
  /** The answer of the model in which it stands. */
  readonly message: Anthropic.Message
  /** May it run at the same time as other safe calls? Asked once, when it is added. */
  readonly isSafe: boolean
  /** Only ever goes on: from `queued` to `running`, and from either to `answered`. */
  state: 'queued' | 'running' | 'answered'
}

/**
 * Runs one call: yields progress, any number of times, and then its result. Chapter 11's `runToolUse`, bound to a context.
 *
 * Contract: it should end when the signal is aborted. Nobody waits for it then, and nobody relies on the contract.
 */
export type RunTool = (
  block: Anthropic.ToolUseBlock,
  message: Anthropic.Message,
  signal: AbortSignal,
) => AsyncIterable<ToolUpdate>

export interface ExecutorOptions {
  run: RunTool
  /** May this call run beside others? Anything but `true` counts as no. */
  isSafe(block: Anthropic.ToolUseBlock): boolean
  /** What an interrupt does to the call while it runs. Asked when it comes. Anything but `cancel` counts as `block`. */
  interruptBehavior(block: Anthropic.ToolUseBlock): 'cancel' | 'block'
  /** How many calls may run at the same time: 1 or more. 10 unless you say otherwise. */
  maxParallel?: number
  /** Is told what happens, when it happens. It may add and stop calls. What it throws is lost, and nobody waits for it. */
  onEvent?(event: ExecutorEvent): void
}

/** What happened to a call. A result is told here at once, also while earlier calls still run. */
export type ExecutorEvent =
  | { type: 'queued'; call: QueuedCall }
  | { type: 'started'; call: QueuedCall }
  | { type: 'progress'; call: QueuedCall; update: ProgressUpdate }
  | { type: 'answered'; call: QueuedCall; result: ResultUpdate }
