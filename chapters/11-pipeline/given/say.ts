/** More of an error than a model can use, in UTF-16 code units. */
const MAX_ERROR_CHARS = 10_000

/** What was thrown, in words: never empty, never too long, and it never throws, whatever it gets. */
export function describeError(error: unknown): string {
  return cutError(textOfError(error).trim() || 'unknown error')
}

/** A text for the model without its middle, where it is too long. */
export function cutError(text: string): string {
  if (text.length <= MAX_ERROR_CHARS) return text
  const half = MAX_ERROR_CHARS / 2
  const left = text.length - MAX_ERROR_CHARS
  return `${startOf(text, half)}\n[… ${left} characters left out …]\n${text.slice(-half)}`
}

/** The first `max` UTF-16 code units of a text, or one less where a character would be cut in two. */
export function startOf(text: string, max: number): string {
  const start = text.slice(0, max)
  return text.length > max && /[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start
}

function textOfError(error: unknown): string {
  try {
    if (error instanceof Error) return String(error.message || error.name)
    return typeof error === 'object' && error !== null ? (JSON.stringify(error) ?? '') : String(error)
  } catch {
    return 'an error that cannot be shown'
  }
}
