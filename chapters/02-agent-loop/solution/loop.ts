import type Anthropic from '@anthropic-ai/sdk'
import { append } from '../given/transcript.ts'
import type { Model, Outcome, RunOptions, ToolCall } from '../given/types.ts'
import { untilAborted } from '../given/until-aborted.ts'
import { readAnswer } from './answer.ts'
import { repairTranscript } from './repair.ts'
import { runCalls } from './results.ts'

export interface LoopOptions extends RunOptions {
  model: Model
  /** What the model may call. Read anew for every request, so that tools may come and go. */
  tools: Anthropic.Tool[]
  /** The conversation so far. It is not changed. */
  messages: Anthropic.MessageParam[]
  /** How often the model is asked, at most. */
  maxTurns: number
}

export interface LoopResult {
  /** The whole conversation, the caller's messages included. The API takes it with the user's next message behind it. */
  messages: Anthropic.MessageParam[]
  outcome: Outcome
}

/**
 * Asks the model, runs the calls of its answer, sends the results, and so on, until there is nothing more to run.
 * What tools there are, how they are run and who is asked makes no difference to it.
 *
 * - It starts with `repairTranscript` of the caller's messages, and never changes these.
 * - An answer is kept as `readAnswer` says, its calls are run by `runCalls`, and the next user message is their results.
 * - It goes on as long as there are calls, whatever the answer's `stop_reason`, and after `pause_turn`, when the next
 *   answer becomes a part of the same assistant message.
 * - It ends as `outcomeOf` says, or after `maxTurns` answers, whose calls are still run.
 * - Once the signal is aborted, the model is not asked again. An abort while it thinks ends the run at once.
 * - It never rejects because of a model or a tool: what the model throws is the outcome `failed`.
 */
export async function agentLoop(options: LoopOptions): Promise<LoopResult> {
  // #region task 5: Ask, run, send the results, until there is an outcome.
  let messages = repairTranscript(options.messages)
  for (let turn = 0; turn < options.maxTurns; turn++) {
    const asked = await askModel(messages, options)
    if (asked.type !== 'answered') return { messages, outcome: asked }

    const { content, calls } = readAnswer(asked.message, messages)
    messages = append(messages, { role: 'assistant', content })
    messages = append(messages, { role: 'user', content: await runCalls(calls, options) })

    const outcome = outcomeOf(asked.message.stop_reason, calls)
    if (outcome) return { messages, outcome }
  }
  return { messages, outcome: abortOf(options.signal) ?? { type: 'max_turns' } }
  // #endregion
}

type Asked = { type: 'answered'; message: Anthropic.Message } | Outcome

/** The model's answer, or the outcome that the run has because there is none. Never rejects. */
async function askModel(messages: Anthropic.MessageParam[], options: LoopOptions): Promise<Asked> {
  // #region task 5: Ask the model, unless the signal is aborted, and as long as it is not.
  const { model, tools, signal } = options
  try {
    signal?.throwIfAborted()
    return { type: 'answered', message: await untilAborted(model({ messages, tools }, { signal }), signal) }
  } catch (error) {
    return abortOf(signal) ?? { type: 'failed', error }
  }
  // #endregion
}

/** How an answer ends the run: `refused`, `cut` or `finished`. Nothing when the loop must go on. */
function outcomeOf(stop: Anthropic.StopReason | null, calls: ToolCall[]): Outcome | undefined {
  // #region task 5: Tell the answers that end the run from those that don't.
  if (stop === 'refusal') return { type: 'refused' }
  if (calls.length > 0 || stop === 'pause_turn') return undefined
  return { type: stop === 'max_tokens' || stop === 'model_context_window_exceeded' ? 'cut' : 'finished' }
  // #endregion
}

function abortOf(signal: AbortSignal | undefined): Outcome | undefined {
  return signal?.aborted ? { type: 'aborted', reason: signal.reason } : undefined
}
