import type { IncomingHttpHeaders } from 'node:http'
import type Anthropic from '@anthropic-ai/sdk'
import { type CheckedRequest, checkRequest, InvalidRequestError } from '../api-rules.ts'
import { ApiError, invalidRequest } from './api-error.ts'
import { markedBlocks } from './prompt-blocks.ts'
import { readRequest } from './request-shape.ts'

/** Which `anthropic-version` there are. */
const VERSIONS = ['2023-06-01', '2026-10-21']
/** Parameters that the second of them took away. */
const REMOVED = ['temperature', 'top_k', 'top_p']
/** So many blocks of a request may have a cache_control mark. */
const MAX_MARKS = 4

/** Throws the ApiError for headers without a key, with another than `apiKey`, or without a version of the API. */
export function checkHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): void {
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '')
  if (!key) throw new ApiError(401, { message: 'x-api-key header is required' })
  if (apiKey !== undefined && key !== apiKey) throw new ApiError(401)
  const version = headers['anthropic-version']
  if (version === undefined) throw invalidRequest('anthropic-version: header is required')
  if (!VERSIONS.includes(String(version))) {
    throw invalidRequest(`anthropic-version: "${version}" is not a valid version. There are: ${VERSIONS.join(', ')}`)
  }
}

/** Returns a body as a request. Throws the ApiError that the Messages API would answer with. */
export function checkBody(
  body: unknown,
  { models, headers }: { models: string[]; headers: IncomingHttpHeaders },
): Anthropic.MessageCreateParams {
  const request = readRequest(body)
  if ('complaint' in request) throw invalidRequest(request.complaint)
  const removed = headers['anthropic-version'] === VERSIONS[0] ? undefined : REMOVED.find((name) => name in request)
  if (removed) throw invalidRequest(`${removed}: Extra inputs are not permitted`)
  checkModel(request.model, models)
  // Marks first: a mark on an empty text has an error of its own.
  checkMarks(request)
  checkRules(request)
  if (request.messages.at(-1)?.role === 'assistant') {
    throw invalidRequest(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    )
  }
  return request
}

/** Throws the ApiError for a model that there isn't. */
export function checkModel(model: string, models: string[]): void {
  if (!models.includes(model)) throw new ApiError(404, { message: `model: ${model}` })
}

function checkMarks(request: Anthropic.MessageCreateParams): void {
  const marked = markedBlocks(request)
  if (marked.length > MAX_MARKS) {
    throw invalidRequest(`A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${marked.length}.`)
  }
  if (marked.some(({ type, text }) => type === 'text' && text === '')) {
    throw invalidRequest('cache_control cannot be set for empty text blocks')
  }
}

function checkRules(request: Anthropic.MessageCreateParams): void {
  try {
    checkRequest(request as CheckedRequest)
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error
    throw invalidRequest(error.message.replace(/^400 /, ''))
  }
}
