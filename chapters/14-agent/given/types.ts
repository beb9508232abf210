import type Anthropic from '@anthropic-ai/sdk'
import type { CanUseTool } from '#05-build-tool/tool.ts'
import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import type { Outcome, ToolCall } from '../../02-agent-loop/given/types.ts'
import type { ExecutorEvent } from '../../12-streaming-executor/given/types.ts'

export type { ExecutorEvent, Outcome, ToolCall }

/** Tokens, as the API bills them: what was sent counts in one of three places, depending on the cache. */
export interface Usage {
  /** Sent and read anew, without a cache. */
  input: number
  /** Sent, and found in the cache: about a tenth of the price. */
  cacheRead: number
  /** Sent, and put into the cache for the next time: a bit more than the price. */
  cacheWrite: number
  output: number
}

export interface AgentOptions {
  /** The SDK's client. Its own retries are not used. */
  client: Pick<Anthropic, 'messages'>
  /** A name that the API knows. */
  model: string
  /** How long one answer may get, in tokens. */
  maxTokens: number
  /** What the agent is, in a few sentences: the start of the system prompt. */
  system: string
  /** The conversation so far, with the user's message at its end. It is not changed. */
  messages: readonly Anthropic.MessageParam[]
  /**
   * What tools may reach. Its abort controller ends the run. `options.tools` are the session's tools, looked at before
   * every request, so that tools may come and go.
   */
  context: PipelineContext
  canUseTool: CanUseTool
  /** Is awaited before each request: the time to see which tools the servers have now. */
  beforeTurn?(): Promise<void>
  /** How many whole answers the model may give, empty ones too. 100 unless you say otherwise. */
  maxTurns?: number
  /** How often in a row a request may fail and be sent again. 4 unless you say otherwise. */
  maxRetries?: number
  /** Lets the time pass before a request is sent again. In real time unless you say otherwise. */
  wait?(ms: number, signal: AbortSignal): Promise<void>
  /** How many calls may run at the same time. The executor's own limit unless you say otherwise. */
  maxParallel?: number
}

/** What happens in a run, when it happens. What becomes of a call is told by the executor. */
export type AgentEvent =
  /** The model is asked for this answer: 1 is the first. The same again when it is asked once more after a failure. */
  | { type: 'turn'; turn: number }
  /** A piece of the model's text. */
  | { type: 'text'; text: string }
  | ExecutorEvent
  /** A call that is not handed to the executor. Its `problem` is its result. */
  | { type: 'not_run'; call: ToolCall }
  /** An answer is over: what it took, and what the run has taken so far. */
  | { type: 'usage'; usage: Usage; total: Usage }
  /** The model is asked again after `delayMs`. Text that the broken answer brought counts for nothing. */
  | { type: 'retry'; attempt: number; delayMs: number; error: unknown }

export interface AgentResult {
  /** The whole conversation. The API takes it with the user's next message behind it, however the run ended. */
  messages: Anthropic.MessageParam[]
  outcome: Outcome
  /** Of all answers together, those that broke off too. */
  usage: Usage
  /** How many whole answers the model has given, empty ones too. One that broke off is none, also where it is kept. */
  turns: number
}
