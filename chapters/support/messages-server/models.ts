import { ApiError, invalidRequest } from './api-error.ts'

/** The models that there are, unless the server is started with others. */
export const MODELS = ['scripted-large', 'scripted-small']

/** One page of GET /v1/models. */
export function modelPage(models: string[], query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    throw invalidRequest('limit: Input should be a whole number from 1 to 1000')
  }
  const { after_id, before_id } = Object.fromEntries(query)
  const start = after_id === undefined ? 0 : indexOf(models, after_id) + 1
  const end = before_id === undefined ? models.length : indexOf(models, before_id)
  const rest = models.slice(start, end)
  const page = before_id === undefined ? rest.slice(0, limit) : rest.slice(-limit)
  return {
    data: page.map(modelInfo),
    has_more: page.length < rest.length,
    first_id: page[0] ?? null,
    last_id: page[page.length - 1] ?? null,
  }
}

/** What the API says about one model. The fields about what it can do are left out. */
export function modelInfo(id: string) {
  const display_name = id.replace(/(^|-)(\w)/g, (_, dash, letter) => `${dash && ' '}${letter.toUpperCase()}`)
  return { type: 'model', id, display_name, created_at: '2026-01-01T00:00:00Z' }
}

function indexOf(models: string[], id: string): number {
  const at = models.indexOf(id)
  if (at === -1) throw new ApiError(404, { message: `model: ${id}` })
  return at
}
