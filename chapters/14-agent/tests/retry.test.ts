import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from '@anthropic-ai/sdk'
import { isPassing, retryDelay } from '#14-agent/retry.ts'
import { describe, expect, it } from '#support/test.ts'
import { BrokenAnswer } from '../given/broken-answer.ts'

const most = () => 0
const least = () => 1

function failure(status: number | undefined, headers: Record<string, string> = {}, type?: any): APIError {
  return APIError.generate(status, { type: 'error', error: { type } }, undefined, new Headers(headers))
}

/** What an `error` event in the middle of a stream becomes. */
function event(type: any): APIError {
  return new APIError(undefined, { error: { type } }, undefined, new Headers(), type)
}

describe('task 3: what may be gone the next time', () => {
  it.for([408, 409, 429, 500, 502, 503, 504, 529])('asks again after the status %i', (status) => {
    expect(isPassing(failure(status))).toBe(true)
  })

  it.for([400, 401, 403, 404, 413, 422])('does not ask again after %i, which will be the same', (status) => {
    expect(isPassing(failure(status))).toBe(false)
  })

  it('does as the server says, whatever the status', () => {
    expect(isPassing(failure(400, { 'x-should-retry': 'true' }))).toBe(true)
    expect(isPassing(failure(529, { 'x-should-retry': 'false' }))).toBe(false)
    expect(isPassing(failure(529, { 'x-should-retry': 'perhaps' }))).toBe(true)
  })

  it('asks again after a connection that failed, and after an answer that broke off', () => {
    expect(isPassing(new APIConnectionError({ message: 'no route' }))).toBe(true)
    expect(isPassing(new APIConnectionTimeoutError())).toBe(true)
    expect(isPassing(new BrokenAnswer('cut'))).toBe(true)
  })

  it.for(['overloaded_error', 'api_error', 'rate_limit_error', 'timeout_error'])(
    'asks again after the event %s in a stream',
    (type) => {
      expect(isPassing(event(type))).toBe(true)
    },
  )

  it('does not ask again after an event that says that the request is wrong', () => {
    expect(isPassing(event('invalid_request_error'))).toBe(false)
    expect(isPassing(event(undefined))).toBe(false)
  })

  it('never asks again when the user has stopped it', () => {
    expect(isPassing(new APIUserAbortError())).toBe(false)
  })

  it('does not ask again after a fault of the program', () => {
    for (const fault of [new TypeError('x is not a function'), 'text', undefined]) expect(isPassing(fault)).toBe(false)
  })
})

describe('task 3: how long to wait', () => {
  it('waits longer each time, up to a limit', () => {
    const waits = [1, 2, 3, 4, 5, 6, 20].map((attempt) => retryDelay(failure(529), attempt, most))
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
  })

  it('takes off up to a quarter, by chance', () => {
    expect(retryDelay(failure(529), 1, least)).toBe(375)
    expect(retryDelay(failure(529), 5, () => 0.5)).toBe(7000)
    expect(retryDelay(failure(529), 1)).toBeGreaterThanOrEqual(375)
  })

  it.for<[string, Record<string, string>, number]>([
    ['seconds', { 'retry-after': '3' }, 3000],
    ['parts of a second', { 'retry-after': '0.5' }, 500],
    ['no time at all', { 'retry-after': '0' }, 0],
    ['milliseconds', { 'retry-after-ms': '250' }, 250],
    ['milliseconds, which are the finer word', { 'retry-after-ms': '250', 'retry-after': '3' }, 250],
    ['a date that is past', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
    ['a negative time', { 'retry-after-ms': '-5' }, 0],
  ])('waits as long as the server asks for: %s', ([, headers, ms]) => {
    expect(retryDelay(failure(429, headers), 3, most)).toBe(ms)
  })

  it('waits until a date', () => {
    const wait = retryDelay(failure(429, { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }), 1, most)
    expect(wait).toBeGreaterThan(20_000)
    expect(wait).toBeLessThanOrEqual(30_000)
  })

  it('waits its own time where the header cannot be read', () => {
    expect(retryDelay(failure(429, { 'retry-after': 'soon', 'retry-after-ms': '' }), 2, most)).toBe(1000)
  })

  it('does not wait for longer than a minute', () => {
    expect(retryDelay(failure(429, { 'retry-after': '60' }), 1)).toBe(60_000)
    expect(retryDelay(failure(429, { 'retry-after': '3600' }), 1)).toBeUndefined()
  })

  it('does not wait for what will not pass', () => {
    expect(retryDelay(failure(401, { 'retry-after': '1' }), 1)).toBeUndefined()
    expect(retryDelay(new APIUserAbortError(), 1)).toBeUndefined()
  })
})
