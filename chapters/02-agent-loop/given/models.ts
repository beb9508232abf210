import type Anthropic from '@anthropic-ai/sdk'
import type { Model } from './types.ts'

export { scriptedModel } from '#support/scripted-model.ts'

/**
 * A model behind the Messages API, or behind any server that speaks it. One answer is one request, not streamed.
 * `model` is a name that the API knows: ask `client.models.list()` which there are.
 */
export function sdkModel(client: Anthropic, options: { model: string; maxTokens: number; system?: string }): Model {
  const { model, maxTokens, system } = options
  return ({ messages, tools }, { signal }) =>
    client.messages.create({ model, max_tokens: maxTokens, system, messages, tools }, { signal })
}
