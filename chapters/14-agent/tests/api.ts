import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { it as base, expect } from '#support/test.ts'

export type StreamEvent = Anthropic.RawMessageStreamEvent | { type: 'ping' } | { type: 'error'; error: unknown }

/** One request that a test's server got, and the means to answer it. */
export interface Exchange {
  request: Anthropic.MessageCreateParams
  headers: Record<string, unknown>
  /** Sends events of a stream. Resolves when they have left. */
  send(...events: StreamEvent[]): Promise<void>
  /** Ends the answer. */
  end(): void
  /** Breaks the connection. */
  cut(): void
  /** Answers with a status, a body, and headers. */
  fail(status: number, body: object | string, headers?: Record<string, string>): void
}

/** What a server does with a request: whole answers as events, or a function that plays it. */
export type Reply = StreamEvent[] | ((exchange: Exchange) => unknown)

export interface TestApi {
  client: Anthropic
  /** The bodies that came, in order. */
  requests: Anthropic.MessageCreateParams[]
  /** The next requests get these replies, in order. */
  replies(...replies: Reply[]): void
}

/** Vitest's `it` with a server of the Messages API that does what the test says, and the real client for it. */
export const it = base.extend<{ api: TestApi }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures it needs from this pattern
  api: async ({}, use) => {
    const queue: Reply[] = []
    const requests: Anthropic.MessageCreateParams[] = []
    const server = createServer(async (incoming, response) => {
      const pieces: Buffer[] = []
      for await (const piece of incoming) pieces.push(piece)
      const request = JSON.parse(Buffer.concat(pieces).toString())
      requests.push(request)
      const exchange = exchangeOf(response, request, incoming.headers)
      const reply = queue.shift()
      if (!reply) return exchange.fail(400, errorBody('invalid_request_error', 'The test has no more replies.'))
      if (typeof reply === 'function') return void reply(exchange)
      await exchange.send(...reply)
      exchange.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await use({ client: new Anthropic({ apiKey: 'test', baseURL }), requests, replies: (...all) => queue.push(...all) })
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  },
})

function exchangeOf(response: ServerResponse, request: Anthropic.MessageCreateParams, headers: object): Exchange {
  return {
    request,
    headers: { ...headers },
    async send(...events) {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of events) {
        const text = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
        await new Promise<void>((sent) => void response.write(text, () => sent()))
      }
    },
    end: () => void response.end(),
    cut: () => void response.destroy(),
    fail(status, body, more = {}) {
      const type = typeof body === 'string' ? 'text/html' : 'application/json'
      response.writeHead(status, { 'content-type': type, ...more })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    },
  }
}

export function errorBody(type: string, message: string) {
  return { type: 'error', error: { type, message } }
}

/** The server is busy, and may be asked again at once. */
export const busy: Reply = ({ fail }) => fail(529, errorBody('overloaded_error', 'Overloaded'), { 'retry-after': '0' })

/** Answers with these events, and then breaks the connection. */
export function thenCut(...events: StreamEvent[]): Reply {
  return async ({ send, cut }) => {
    await send(...events)
    cut()
  }
}

const usage = { input_tokens: 10, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 1 }

export function start(more: object = {}): StreamEvent {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'a-model', content: [], usage, ...more }
  return { type: 'message_start', message: message as unknown as Anthropic.Message }
}

export function text(index: number, ...pieces: string[]): StreamEvent[] {
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '', citations: null } },
    ...pieces.map((piece): StreamEvent => delta(index, { type: 'text_delta', text: piece })),
    { type: 'content_block_stop', index },
  ]
}

/**
 * A call as it is streamed. `input` is JSON in pieces, or an object; left out, it is the empty piece that the API
 * sends.
 */
export function call(index: number, id: string, name: string, ...input: Array<string | object>): StreamEvent[] {
  const pieces = input.length === 0 ? [''] : input
  return [
    beginCall(index, id, name),
    ...pieces.map((piece): StreamEvent => {
      const partial_json = typeof piece === 'string' ? piece : JSON.stringify(piece)
      return delta(index, { type: 'input_json_delta', partial_json })
    }),
    { type: 'content_block_stop', index },
  ]
}

export function beginCall(index: number, id: string, name: string, input: unknown = {}): StreamEvent {
  return {
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id, name, input, caller: { type: 'direct' } },
  }
}

export function delta(index: number, piece: Anthropic.RawContentBlockDelta): StreamEvent {
  return { type: 'content_block_delta', index, delta: piece }
}

export function stop(reason: Anthropic.StopReason, counts: object = { output_tokens: 7 }): StreamEvent[] {
  const piece = { stop_reason: reason, stop_sequence: null } as unknown as Anthropic.RawMessageDeltaEvent['delta']
  return [
    { type: 'message_delta', delta: piece, usage: counts as Anthropic.MessageDeltaUsage },
    { type: 'message_stop' },
  ]
}

/** A whole answer: blocks, and why it stops. */
export function answer(reason: Anthropic.StopReason, ...blocks: StreamEvent[][]): StreamEvent[] {
  return [start(), ...blocks.flat(), ...stop(reason)]
}

export function say(...pieces: string[]): StreamEvent[] {
  return answer('end_turn', text(0, ...pieces))
}

/** The text of a result, which must be an error. */
export function errorText(result: Anthropic.ToolResultBlockParam | undefined): string {
  expect(result?.is_error, 'this should be the result of a call that failed').toBe(true)
  return String(result?.content)
}
