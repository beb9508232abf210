import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, invalidRequest } from './api-error.ts'

const MAX_BODY_BYTES = 32 * 1024 * 1024

/** All of a request's body. Throws the ApiError for one that is too large. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request) {
    length += piece.length
    if (length > MAX_BODY_BYTES) throw new ApiError(413, { message: 'Request exceeds the maximum size' })
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** Throws the ApiError for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidRequest('The request body is not valid JSON.')
  }
}

export function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** What a proxy between the client and the API may answer. */
export function sendHtml(response: ServerResponse, { status, body }: { status: number; body: string }): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body)
}
