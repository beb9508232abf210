import type Anthropic from '@anthropic-ai/sdk'

/** What the model is asked: the conversation so far, and the tools that it may call. */
export interface ModelRequest {
  messages: Anthropic.MessageParam[]
  tools: Anthropic.Tool[]
}

/** Whatever answers a request: the SDK's client, a script, a program of your own. It may reject. */
export type Model = (request: ModelRequest, options: { signal?: AbortSignal }) => Promise<Anthropic.Message>

/** A call that the model asked for. */
export interface ToolCall {
  /** The id that the call has in the transcript, and that its result names. */
  id: string
  name: string
  input: unknown
  /** Why the call must not be run, as a text for the model. Absent when it may run. */
  problem?: string
}

/** What a tool answers: a text, or content with images and the like. `is_error` says that it failed. */
export type ToolOutput = string | { content?: Anthropic.ToolResultBlockParam['content']; is_error?: boolean }

/**
 * Finds the tool and runs it.
 *
 * Contract: it may throw, now or later, and what it throws becomes an error result of this call alone. It should end
 * when `call.signal` is aborted; nobody waits for it then.
 */
export type Dispatch = (
  name: string,
  input: unknown,
  call: { id: string; signal?: AbortSignal },
) => Promise<ToolOutput> | ToolOutput

/**
 * Decides when each call of one answer is run.
 *
 * Contract: it calls `run` once for each call, and resolves when all of them are done. `run` never rejects. It resolves
 * to the call's result, for the schedule to look at: `runCalls` has it as well.
 */
export type Schedule = (
  calls: ToolCall[],
  run: (call: ToolCall) => Promise<Anthropic.ToolResultBlockParam>,
) => Promise<unknown>

/** What it takes to run calls. */
export interface RunOptions {
  dispatch: Dispatch
  /** One after the other, unless you say otherwise. */
  schedule?: Schedule
  signal?: AbortSignal
}

/** How a run ended. */
export type Outcome =
  /** The model has nothing more to call: it said what it had to say. */
  | { type: 'finished' }
  /** The model's last text was cut off by the limit on tokens. */
  | { type: 'cut' }
  /** The model refused to go on. */
  | { type: 'refused' }
  /** The model was asked `maxTurns` times, and was not done. */
  | { type: 'max_turns' }
  /** The signal was aborted; `reason` is the signal's. */
  | { type: 'aborted'; reason: unknown }
  /** The model could not be asked: the network, the API, the account. */
  | { type: 'failed'; error: unknown }
