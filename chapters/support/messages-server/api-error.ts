/** The name of each status in the body of an error. */
const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const MESSAGES: Record<number, string> = {
  401: 'invalid x-api-key',
  429: 'This request would exceed your rate limit. Please try again later.',
  500: 'Internal server error',
  529: 'Overloaded',
}

export interface ApiErrorOptions {
  /** The one that goes with the status if left out. */
  type?: string
  message?: string
  /** In seconds, for the header `retry-after`. */
  retryAfter?: number
}

/** What the Messages API answers in place of a message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly type: string
  readonly retryAfter: number | undefined

  constructor(status: number, { type, message, retryAfter }: ApiErrorOptions = {}) {
    super(message ?? MESSAGES[status] ?? 'The request was refused.')
    this.status = status
    this.type = type ?? TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
    this.retryAfter = retryAfter
  }

  /** The body of the answer, which is also the data of an `error` event. */
  toBody(requestId: string) {
    return { type: 'error', error: { type: this.type, message: this.message }, request_id: requestId }
  }
}

/** The request breaks a rule of the API. */
export function invalidRequest(message: string): ApiError {
  return new ApiError(400, { message })
}
