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
  // TODO(task 3): Tell what passes from what stays.
  throw new Error('TODO(task 3): isPassing')
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
  // TODO(task 3): Wait as long as the server asks for, or a bit longer each time.
  throw new Error('TODO(task 3): retryDelay')
}

/**
 * The time that a server asks for, in milliseconds from now on, never negative. Undefined where it says none that can
 * be read.
 */
function askedFor(headers: Headers): number | undefined {
  // TODO(task 3): Read both headers, and both ways to write the second.
  throw new Error('TODO(task 3): askedFor')
}
