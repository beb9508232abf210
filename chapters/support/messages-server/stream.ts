import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Turn } from '../scenario.ts'
import type { Answer } from './answer.ts'
import { ApiError } from './api-error.ts'
import { eventsOf } from './events.ts'

export interface StreamOptions {
  turn: Turn
  /** Between two events, in ms. */
  pace: number
  requestId: string
  /** Aborted when nobody listens any more. */
  signal: AbortSignal
}

/** Sends a message as server-sent events, up to where the turn has it break off. Rejects when the signal is aborted. */
export async function streamAnswer(response: ServerResponse, answer: Answer, options: StreamOptions): Promise<void> {
  const { turn, pace, requestId, signal } = options
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  let sent = 0
  for (const event of eventsOf(answer)) {
    if (sent === turn.cut_after) return void response.destroy()
    if (sent === turn.error?.after) {
      await send(response, 'error', toError(turn.error).toBody(requestId), signal)
      break
    }
    if (pace > 0 && sent > 0) await setTimeout(pace, undefined, { signal })
    await send(response, event.type, event, signal)
    sent++
  }
  response.end()
}

/** The error that a turn stands for. */
export function toError({ status, type, message, retry_after }: NonNullable<Turn['error']>): ApiError {
  return new ApiError(status, { type, message, retryAfter: retry_after })
}

/** Writes one event in two pieces. The first ends inside of a character where there is one of several bytes. */
async function send(response: ServerResponse, name: string, data: object, signal: AbortSignal): Promise<void> {
  const bytes = Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  const firstLong = bytes.findIndex((byte) => byte > 0x7f)
  const cut = firstLong === -1 ? bytes.length >> 1 : firstLong + 1
  for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
    // The callback comes when the bytes have left, or never will.
    await new Promise((resolve) => response.write(piece, resolve))
    signal.throwIfAborted()
  }
}
