import { inspect } from 'node:util'

/** What there is to say of something that was thrown, whatever it is: an Error's message, if it has one. Never throws. */
export function errorText(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message : thrown
    if (typeof text === 'string' && text.trim() !== '') return text
    const [shown] = inspect(thrown, { depth: 1, breakLength: Number.POSITIVE_INFINITY }).split('\n', 1)
    return `It threw ${shown}, without a message.`
  } catch {
    return 'It threw something that cannot be shown.'
  }
}
