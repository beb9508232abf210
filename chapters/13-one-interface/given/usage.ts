import type Anthropic from '@anthropic-ai/sdk'

/** What answers of a model cost, in tokens. */
export interface Usage {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
}

export function noUsage(): Usage {
  return { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
}

/** Adds what one answer cost. What it does not say counts as 0. */
export function addUsage(sum: Usage, usage: Partial<Anthropic.Usage> | undefined): void {
  for (const key of Object.keys(sum) as Array<keyof Usage>) sum[key] += usage?.[key] ?? 0
}
