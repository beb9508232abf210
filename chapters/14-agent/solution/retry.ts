import { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk'
import { BrokenAnswer } from '../given/broken-answer.ts'

/** The kinds of error that an `error` event in a stream may have, and that may be gone the next time. */
const PASSING = ['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error']
/** Longer than that, nobody wants to wait without having been asked. */
const MAX_WAIT_MS = 60_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000

/**
 * Whether a request that failed may succeed when it is sent again.
 *
 * - The server's `x-should-retry: true` or `false` decides, where it is there.
 * - Else by status: 408, 409, 429 and from 500 on yes, all others no.
 * - Without a status: a connection that failed (APIConnectionError), a BrokenAnswer, and an `error` event of a kind
 *   that passes (PASSING). But never the user's abort (APIUserAbortError), and nothing that is no error of the API's or
 *   the network's.
 */
export function isPassing(error: unknown): boolean {
  // #region task 3: Tell what passes from what stays.
  if (error instanceof BrokenAnswer) return true
  if (!(error instanceof APIError) || error instanceof APIUserAbortError) return false
  const wish = error.headers?.get('x-should-retry')
  if (wish === 'true' || wish === 'false') return wish === 'true'
  const { status, type } = error as APIError
  if (status !== undefined) return [408, 409, 429].includes(status) || status >= 500
  return error instanceof APIConnectionError || PASSING.includes(type ?? '')
  // #endregion
}

/**
 * How many milliseconds to wait before the request is sent again, or undefined: it is not worth it.
 * `attempt` is 1 after the first failure. `random` gives a number from 0 to 1.
 *
 * - What does not pass (`isPassing`) is not tried again.
 * - What the server asks for counts: `retry-after-ms`, else `retry-after`, in seconds or as a date (see `askedFor`). 0
 *   is a time, too. If that is more than MAX_WAIT_MS, the request is not tried again.
 * - Else FIRST_WAIT_MS, doubled with each attempt, at most LONGEST_WAIT_MS; up to a quarter of it less, by chance, so
 *   that those who failed together don't come back together.
 */
export function retryDelay(error: unknown, attempt: number, random: () => number = Math.random): number | undefined {
  // #region task 3: Wait as long as the server asks for, or a bit longer each time.
  if (!isPassing(error)) return undefined
  const asked = error instanceof APIError && error.headers ? askedFor(error.headers) : undefined
  if (asked !== undefined) return asked <= MAX_WAIT_MS ? asked : undefined
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS)
  return wait * (1 - random() / 4)
  // #endregion
}

/**
 * The time that a server asks for, in milliseconds from now on, never negative. Undefined where it says none that can
 * be read.
 */
function askedFor(headers: Headers): number | undefined {
  // #region task 3: Read both headers, and both ways to write the second.
  const inMs = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (!Number.isNaN(inMs)) return Math.max(0, inMs)
  const after = headers.get('retry-after') ?? ''
  const ms = /^\s*[\d.]+\s*$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
  // #endregion
}
