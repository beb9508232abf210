import { createHash } from 'node:crypto'
import type Anthropic from '@anthropic-ai/sdk'
import { promptBlocks } from './prompt-blocks.ts'

/** A rough count that is the same everywhere: four characters are a token. */
const CHARS_PER_TOKEN = 4
/** How many blocks before a mark the API looks for an older entry. */
const LOOK_BACK = 20

export type InputUsage = Pick<
  Anthropic.Usage,
  'input_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens'
>

/**
 * What the API counts for the input of a request: each token once, as read from the cache, as written to it, or as
 * neither.
 *
 * A mark writes an entry for all that stands before it and on it. What is read is the longest entry that an earlier
 * request of the same model has written, and that ends at a mark of this one or at most LOOK_BACK blocks before it. One
 * character that differs makes another prefix.
 *
 * Unlike the real API, an entry has no minimum length and never expires, and settings beside tools, system and messages
 * (`tool_choice`, `thinking`) make no difference.
 */
export class PromptCache {
  readonly #entries = new Set<string>()

  count(request: Anthropic.MessageCreateParams): InputUsage {
    const hash = createHash('sha256').update(request.model)
    let chars = 0
    const prefixes = promptBlocks(request).map(({ text, isMarked }) => {
      chars += text.length
      hash.update(`${text.length} ${text}`)
      return { isMarked, tokens: toTokens(chars), key: hash.copy().digest('hex') }
    })

    const marks = prefixes.flatMap(({ isMarked }, i) => (isMarked ? [i] : []))
    const known = marks.flatMap((mark) =>
      prefixes.slice(Math.max(0, mark - LOOK_BACK), mark + 1).filter(({ key }) => this.#entries.has(key)),
    )
    for (const mark of marks) this.#entries.add(prefixes[mark].key)

    const read = Math.max(0, ...known.map(({ tokens }) => tokens))
    const marked = marks.length > 0 ? prefixes[marks[marks.length - 1]].tokens : 0
    return {
      input_tokens: toTokens(chars) - marked,
      cache_creation_input_tokens: marked - read,
      cache_read_input_tokens: read,
    }
  }
}

/** All tokens of a request, however they are paid for. */
export function countTokens(request: Anthropic.MessageCreateParams): number {
  return toTokens(promptBlocks(request).reduce((sum, { text }) => sum + text.length, 0))
}

export function toTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}
