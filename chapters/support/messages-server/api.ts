import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type Anthropic from '@anthropic-ai/sdk'
import type { Scenario } from '../scenario.ts'
import { toAnswer } from './answer.ts'
import { ApiError } from './api-error.ts'
import { parseJson, readBody, sendHtml, sendJson } from './body.ts'
import { checkBody, checkHeaders, checkModel } from './check.ts'
import { MODELS, modelInfo, modelPage } from './models.ts'
import { countTokens, PromptCache } from './prompt-cache.ts'
import { Script } from './script.ts'
import { streamAnswer, toError } from './stream.ts'

export interface ServerOptions {
  /** What `{{cwd}}` in the scenario stands for. */
  cwd?: string
  /** The models that there are. Any other one is an error 404. */
  models?: string[]
  /** The only key that is right. Any key is, if this is left out. */
  apiKey?: string
  /** In ms between two events, in place of what the scenario says. */
  pace?: number
}

/** A request for a message that was not refused. */
export interface ReceivedRequest {
  headers: IncomingHttpHeaders
  body: Anthropic.MessageCreateParams
  /** What the answer said about tokens, where it was a message. */
  usage?: Anthropic.Usage
}

/** The Messages API, request by request. */
export class MessagesApi {
  readonly requests: ReceivedRequest[] = []
  readonly #scenario: Scenario
  readonly #options: ServerOptions
  readonly #models: string[]
  readonly #script: Script
  readonly #cache = new PromptCache()
  readonly #counts = { request: 0, message: 0, call: 0 }

  constructor(scenario: Scenario, options: ServerOptions) {
    this.#scenario = scenario
    this.#options = options
    this.#models = options.models ?? MODELS
    this.#script = new Script(scenario)
  }

  /** Answers one request, whatever it is. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = `req_${++this.#counts.request}`
    response.setHeader('request-id', requestId)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      await this.#route(request, response, { requestId, signal: gone.signal })
    } catch (error) {
      if (gone.signal.aborted) return
      if (response.headersSent) return void response.destroy()
      const known = error instanceof ApiError ? error : new ApiError(500, { message: `The server failed: ${error}` })
      if (known.retryAfter !== undefined) response.setHeader('retry-after', String(known.retryAfter))
      sendJson(response, known.toBody(requestId), known.status)
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const body = await readBody(request)
    checkHeaders(request.headers, this.#options.apiKey)
    const model = /^\/v1\/models\/([^/]+)$/.exec(url.pathname)?.[1]
    switch (`${request.method} ${model === undefined ? url.pathname : '/v1/models/{id}'}`) {
      case 'POST /v1/messages':
        return this.#answer(response, this.#receive(request, parseJson(body)), reply)
      case 'POST /v1/messages/count_tokens': {
        // The one field that a message must have, and a question for its tokens has not.
        const asked = this.#check(request, Object.assign({ max_tokens: 1 }, parseJson(body)))
        return sendJson(response, { input_tokens: countTokens(asked) })
      }
      case 'GET /v1/models':
        return sendJson(response, modelPage(this.#models, url.searchParams))
      case 'GET /v1/models/{id}':
        checkModel(decodeURIComponent(model!), this.#models)
        return sendJson(response, modelInfo(decodeURIComponent(model!)))
      default:
        throw new ApiError(404, { message: `Not found: ${request.method} ${url.pathname}` })
    }
  }

  #receive(request: IncomingMessage, body: unknown): ReceivedRequest {
    const received = { headers: request.headers, body: this.#check(request, body) }
    this.requests.push(received)
    return received
  }

  #check({ headers }: IncomingMessage, body: unknown): Anthropic.MessageCreateParams {
    return checkBody(body, { models: this.#models, headers })
  }

  async #answer(response: ServerResponse, received: ReceivedRequest, reply: Reply): Promise<void> {
    const turn = this.#script.take(received.body)
    if (turn.html) return sendHtml(response, turn.html)
    const { body } = received
    // An error that comes after some events needs a stream to come in.
    if (turn.error && (turn.error.after === undefined || !body.stream)) throw toError(turn.error)

    const answer = toAnswer(turn, {
      id: `msg_${++this.#counts.message}`,
      model: body.model,
      usage: this.#cache.count(body),
      nextCallId: () => `toolu_${++this.#counts.call}`,
      cwd: this.#options.cwd ?? process.cwd(),
    })
    received.usage = answer.message.usage
    if (body.stream) {
      const pace = this.#options.pace ?? turn.pace ?? this.#scenario.pace ?? 0
      return streamAnswer(response, answer, { turn, pace, ...reply })
    }
    if (turn.cut_after !== undefined) return void response.destroy()
    sendJson(response, answer.message)
  }
}

interface Reply {
  requestId: string
  signal: AbortSignal
}
