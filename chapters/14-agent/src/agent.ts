import type Anthropic from '@anthropic-ai/sdk'
import { repairTranscript } from '#02-agent-loop/repair.ts'
import { toolsToShow } from '#09-registry/shown-tools.ts'
import { abortedBy } from '../../11-pipeline/given/on-abort.ts'
import { append, callIdsOf } from '../given/blocks.ts'
import { Channel } from '../given/channel.ts'
import { sleep } from '../given/sleep.ts'
import type { AgentEvent, AgentOptions, AgentResult, Outcome } from '../given/types.ts'
import { buildRequest } from './request.ts'
import { retryDelay } from './retry.ts'
import { runTurn, type Turn } from './turn.ts'
import { addUsage, NO_USAGE } from './usage.ts'

export type * from '../given/types.ts'

/**
 * Runs an agent until the model has nothing more to call: yields what happens when it happens, and returns the
 * conversation. Never throws. Whoever stops reading ends the run: its calls are aborted, and nothing goes on behind it.
 */
export async function* runAgent(options: AgentOptions): AsyncGenerator<AgentEvent, AgentResult> {
  const channel = new Channel<AgentEvent>()
  const { abortController, close } = abortedBy(options.context.abortController.signal)
  const context = { ...options.context, abortController }
  const run = converse({ ...options, context }, channel.push).finally(channel.close)
  run.catch(() => {})
  try {
    yield* channel.read()
    return await run
  } finally {
    abortController.abort()
    close()
    await run.catch(() => {})
  }
}

/**
 * Asks the model, turn by turn, and keeps the conversation such that the API takes it at any time. Never rejects
 * because of a model, a tool or the network.
 *
 * - It begins with `repairTranscript` of the messages. A turn's content and its results are appended, as `append` does.
 * - It goes on as long as there are calls, and after `pause_turn`; it ends as `outcomeOf` says, or after `maxTurns`
 *   whole answers, or when the signal is aborted: then the model is not asked again. Where it is aborted after the last
 *   answer that was allowed, it is `aborted`.
 * - `turns` counts whole answers: also those in which nothing is said, and none that broke off.
 * - A turn with an `error`: where it has results, it is kept with them, since something may have been done. Where it
 *   has none, it is not kept: the model is asked the same again, so that nothing is said twice.
 * - Whether and when the model is asked again says `retryDelay`, with the number of failures in a row; after more than
 *   `maxRetries` it is not. Before the wait, `retry` is emitted; the wait gets the signal. A whole answer ends the row.
 * - Where it is not asked again, the outcome is `failed` with the error, and what the broken answer brought is kept:
 *   its content, and with it the results. The same holds where the signal is aborted in the middle of an answer.
 * - `turn` is emitted before each request, with the number of the answer that is asked for: the same number when it is
 *   asked for again. `usage` is emitted when the turn is over, also where it failed.
 */
async function converse(options: AgentOptions, emit: (event: AgentEvent) => void): Promise<AgentResult> {
  const { maxTurns = 100, maxRetries = 4, wait = sleep, context } = options
  const { signal } = context.abortController
  // TODO(task 5): Ask turn by turn, keep what was done, and ask again where that may help.
  throw new Error('TODO(task 5): converse')
}

/**
 * One turn on the conversation so far. Never rejects: what goes wrong before the request is sent is the turn's `error`.
 */
async function ask(
  messages: Anthropic.MessageParam[],
  options: AgentOptions,
  emit: (event: AgentEvent) => void,
): Promise<Turn> {
  const { context, model, maxTokens, system } = options
  try {
    await options.beforeTurn?.()
    const { tools } = context.options
    const shown = toolsToShow(tools, { state: context.getAppState() })
    const request = await buildRequest({ model, maxTokens, system, tools, shown, messages })
    return await runTurn(request, { ...options, taken: new Set(messages.flatMap(callIdsOf)), emit })
  } catch (error) {
    return { content: [], results: [], stop: null, usage: NO_USAGE, error }
  }
}

/** How a whole answer ends the run: `refused`, `cut` or `finished`. Nothing when the model must be asked again. */
function outcomeOf({ stop, results }: Turn): Outcome | undefined {
  if (stop === 'refusal') return { type: 'refused' }
  if (results.length > 0 || stop === 'pause_turn') return undefined
  return { type: stop === 'max_tokens' || stop === 'model_context_window_exceeded' ? 'cut' : 'finished' }
}
