import type Anthropic from '@anthropic-ai/sdk'
import { APIError, NotFoundError } from '@anthropic-ai/sdk'
import type { APIPromise } from '@anthropic-ai/sdk/core/api-promise'
import { explainFailure } from './explain-failure.ts'
import { Problem } from './problem.ts'

export interface ChosenModel {
  name: string
  /** How long an answer may get, in tokens. */
  maxTokens: number
}

/** Longer answers than this are rarely meant, whatever the model could do. */
const MAX_TOKENS = 16_000
/** What every model can do that has tools. */
const SAFE_TOKENS = 4_096

/**
 * The model to ask: `wanted`, or the first that the server lists. Throws a Problem where the server is not there, does
 * not take the key, or is no server of the Messages API.
 */
export async function chooseModel(client: Anthropic, wanted: string | undefined): Promise<ChosenModel> {
  try {
    if (wanted === undefined) return await firstListed(client)
    const { max_tokens } = await read(client.models.retrieve(wanted, {}, { maxRetries: 0 }))
    return { name: wanted, maxTokens: limitOf(max_tokens) }
  } catch (error) {
    // Some servers have messages and no list of models. A model that is not there is refused by the first request.
    if (wanted !== undefined && error instanceof NotFoundError && !isUnknownModel(error)) {
      return { name: wanted, maxTokens: SAFE_TOKENS }
    }
    if (error instanceof Problem) throw error
    throw new Problem(1, await explain(client, error, wanted))
  }
}

async function firstListed(client: Anthropic): Promise<ChosenModel> {
  const { data } = await read(client.models.list({}, { maxRetries: 0 }))
  const model = data.find(({ lifecycle = 'active' }) => lifecycle === 'active') ?? data[0]
  if (!model) throw new Problem(1, `The server at ${client.baseURL} lists no models. Name one: --model NAME.`)
  return { name: model.id, maxTokens: limitOf(model.max_tokens) }
}

/** The answer, unless it is a page: of that the SDK makes a text, or a list with nothing in it. */
async function read<T>(request: APIPromise<T>): Promise<T> {
  const { data, response } = await request.withResponse()
  const { headers } = response
  if (/html/.test(headers.get('content-type') ?? '')) throw new APIError(undefined, undefined, undefined, headers)
  return data
}

async function explain(client: Anthropic, error: unknown, model: string | undefined): Promise<string> {
  const { baseURL } = client
  if (!(error instanceof NotFoundError)) return explainFailure(error, { baseURL })
  if (model === undefined) return `The server at ${baseURL} has no list of models. Name one: --model NAME.`
  const { data } = await client.models.list({}, { maxRetries: 0 }).catch(() => ({ data: [] }))
  const names = data.map(({ id }) => id)
  return `${explainFailure(error, { baseURL, model })}${names.length > 0 ? ` There are: ${names.join(', ')}.` : ''}`
}

/** The API's own "not found", not that of a server that does not know the path. */
function isUnknownModel(error: NotFoundError): boolean {
  return error.type === 'not_found_error' && /model/.test(error.apiMessage ?? '')
}

function limitOf(max: number | null | undefined): number {
  return Math.min(max ?? SAFE_TOKENS, MAX_TOKENS)
}
