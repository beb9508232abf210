import type Anthropic from '@anthropic-ai/sdk'
import type { Usage } from '../given/types.ts'

export const NO_USAGE: Usage = Object.freeze({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0 })

/** The API's counts by our names. A count that is missing or `null` is 0: not every server has a cache. */
export function usageOf(counts: Partial<Anthropic.Usage>): Usage {
  return {
    input: counts.input_tokens ?? 0,
    cacheRead: counts.cache_read_input_tokens ?? 0,
    cacheWrite: counts.cache_creation_input_tokens ?? 0,
    output: counts.output_tokens ?? 0,
  }
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  }
}
