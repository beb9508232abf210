import type Anthropic from '@anthropic-ai/sdk'
import { toResult } from '#02-agent-loop/results.ts'
import { StreamingToolExecutor } from '#12-streaming-executor/executor.ts'
import { bindPipeline } from '../../12-streaming-executor/given/bind.ts'
import { eventsOf } from '../given/broken-answer.ts'
import type { AgentEvent, AgentOptions, ToolCall, Usage } from '../given/types.ts'
import { AnswerReader } from './answer-reader.ts'
import type { AgentRequest } from './request.ts'
import { usageOf } from './usage.ts'

export interface TurnOptions extends Pick<AgentOptions, 'client' | 'context' | 'canUseTool' | 'maxParallel'> {
  /** The ids of the calls that are in the conversation already. */
  taken: Set<string>
  emit(event: AgentEvent): void
}

/** One answer of the model, and what became of the calls in it. */
export interface Turn {
  /** What the transcript keeps of the answer. */
  content: Anthropic.ContentBlock[]
  /** One result for each call in `content`, in call order. */
  results: Anthropic.ToolResultBlockParam[]
  stop: Anthropic.StopReason | null
  usage: Usage
  /** Why the answer is not whole, or is not there at all. Undefined where it is. */
  error?: unknown
}

/**
 * Asks the model once, and runs its calls while it still speaks. Never rejects.
 *
 * - Where the stream fails, or ends too early (`reader.end`), the turn has the `error`.
 * - The calls without a result are discarded when there is an error, and when the answer was refused (`refusal`):
 *   nobody wants them any more, and the model may soon ask for others. When it is the context's abort that ended the
 *   stream, they are interrupted by the executor, so that no call begins that waits.
 * - It ends when every call has its result. The results of the executor end when it has been told that no more calls
 *   come (`end`), however the stream has ended.
 */
export async function runTurn(request: AgentRequest, options: TurnOptions): Promise<Turn> {
  const { context, canUseTool, maxParallel, emit } = options
  const reader = new AnswerReader(options.taken)
  const executor = new StreamingToolExecutor({ ...bindPipeline(context, canUseTool), maxParallel, onEvent: emit })
  const collected = collectResults(executor)
  // TODO(task 4): Follow the stream, stop the calls if it came to no good end, and wait for their results.
  throw new Error('TODO(task 4): runTurn')
}

interface StreamOptions extends Pick<TurnOptions, 'client' | 'context' | 'emit'> {
  reader: AnswerReader
  executor: StreamingToolExecutor
}

/**
 * Reads the stream to its end, and does at once what the reader says of each event (`eventsOf`). Throws whatever goes
 * wrong with it.
 *
 * - The request is sent once, by `client.messages.create`: the SDK does not try again by itself (`maxRetries: 0`). The
 *   context's signal ends the request and its stream.
 * - Its events are read as they come. `client.messages.stream` is not for here: it makes an answer of its own of them,
 *   and what it throws when a line breaks is none of `eventsOf`'s errors.
 * - Text is emitted. A call goes to the executor, with the reader's message.
 */
async function followStream(request: AgentRequest, options: StreamOptions): Promise<void> {
  const { client, context, emit, reader, executor } = options
  // TODO(task 4): Open the stream, show its text and add its calls, each when it comes.
  throw new Error('TODO(task 4): followStream')
}

/**
 * The result of a call that the executor never got, an error: the call's `problem`, or, where it has none, that the
 * answer broke off. It is emitted as `not_run`, with this text as its `problem`, and the model reads the same.
 */
function notRun(call: ToolCall, emit: (event: AgentEvent) => void): Anthropic.ToolResultBlockParam {
  // TODO(task 4): Say why it was not run, to the model and to whoever watches.
  throw new Error('TODO(task 4): notRun')
}

async function collectResults(executor: StreamingToolExecutor): Promise<Map<string, Anthropic.ToolResultBlockParam>> {
  const results = new Map<string, Anthropic.ToolResultBlockParam>()
  for await (const update of executor.results()) {
    if (update.type === 'result') results.set(update.toolUseID, update.block)
  }
  return results
}
