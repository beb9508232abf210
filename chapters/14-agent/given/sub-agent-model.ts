import type Anthropic from '@anthropic-ai/sdk'
import type { Model } from '../../02-agent-loop/given/types.ts'

/** A sub-agent is asked for one text, so nobody waits for its single words: its answers are not streamed. */
export function subAgentModel(client: Pick<Anthropic, 'messages'>, maxTokens: number) {
  return ({ model, system }: { model: string; system: string }): Model =>
    ({ messages, tools }, { signal }) =>
      // Nothing is run before the whole answer is there, so the SDK may ask again by itself.
      client.messages.create({ model, max_tokens: maxTokens, system, messages, tools }, { signal, maxRetries: 4 })
}
