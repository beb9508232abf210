import { APIConnectionError, APIError, APIUserAbortError } from '@anthropic-ai/sdk'

/** What went wrong with the server, in a sentence, and what to do, in another. */
export function explainFailure(error: unknown, { baseURL, model }: { baseURL: string; model?: string }): string {
  if (error instanceof APIUserAbortError) return 'The request was stopped.'
  if (isHtml(error)) {
    return `What answers at ${baseURL} is a web page, not the Messages API. Is there a proxy or a login in between? Look at ANTHROPIC_BASE_URL.`
  }
  if (error instanceof APIConnectionError) {
    return `Nothing answers at ${baseURL} (${causeOf(error)}). Is it running, and is ANTHROPIC_BASE_URL right?`
  }
  if (!(error instanceof APIError)) return error instanceof Error ? error.message : String(error)
  const { status } = error as APIError
  const said = reasonOf(error)
  const over = /^The scenario "(.*?)" has no more turns.*?: it ends here\.(.*)$/s.exec(said)
  if (over) return `The scenario ${over[1]} is over: it has no answer to this. /quit leaves.${over[2]}`
  if (status === 401 || status === 403) {
    return `The server does not take the key (${status}: ${said}). Set ANTHROPIC_API_KEY to one that is right for ${baseURL}.`
  }
  if (status === 404 && model !== undefined) {
    return `There is no model "${model}" at ${baseURL} (404: ${said}). Choose one with --model NAME or ANTHROPIC_MODEL.`
  }
  if (status === 429) return `The server has had too many requests (429: ${said}). Wait a while, then go on.`
  if (error.type === 'overloaded_error' || (status ?? 0) >= 500) {
    return `The server has trouble of its own (${status ?? error.type}: ${said}). Try again in a while.`
  }
  return `The server refuses the request (${status ?? error.type}: ${said}).`
}

/** What went wrong, in a few words: what the server said, without the JSON around it. */
export function reasonOf(error: unknown): string {
  if (isHtml(error)) return 'a web page came in place of an answer'
  if (error instanceof APIConnectionError) return `no connection (${causeOf(error)})`
  if (error instanceof APIError) return error.apiMessage ?? error.message
  return error instanceof Error ? error.message : String(error)
}

/** A page, in place of an answer or of an error. */
export function isHtml(error: unknown): boolean {
  if (error instanceof APIError) return /html/.test(error.headers?.get('content-type') ?? '')
  return error instanceof Error && error.name === 'BrokenAnswer' && /Messages API/.test(error.message)
}

/** The innermost reason that a connection has failed: `ECONNREFUSED`, where it says so. */
function causeOf(error: Error): string {
  const { cause } = error as { cause?: Error & { code?: string } }
  return cause instanceof Error ? (cause.code ?? causeOf(cause)) : error.message
}
