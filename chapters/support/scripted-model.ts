import type Anthropic from '@anthropic-ai/sdk'
import { type CheckedRequest, checkRequest } from './api-rules.ts'

/** One answer of the scripted model: a text, calls, or both. */
export interface ScriptedAnswer {
  text?: string
  /** `id` is made up where it is left out: toolu_1, toolu_2, … over the whole script. */
  calls?: Array<{ name: string; input: unknown; id?: string }>
  /** Why the model stops: `tool_use` when there are calls, else `end_turn`, unless it is said. */
  stop?: Anthropic.StopReason
}

/** An answer, or a function that makes it from the request. It may throw, or return a promise. */
export type ScriptedTurn<Request extends CheckedRequest = CheckedRequest> =
  | ScriptedAnswer
  | ((request: Request) => ScriptedAnswer | Promise<ScriptedAnswer>)

/** A model that says what the script says. */
export interface ScriptedModel<Request extends CheckedRequest = CheckedRequest> {
  (request: Request, options?: { signal?: AbortSignal }): Promise<Anthropic.Message>
  /** What it was sent, turn by turn, each a copy of that moment. */
  readonly requests: Request[]
  /** How many turns of the script are left. */
  readonly remaining: number
}

/**
 * A model without a model: the first request gets the first turn, and so on.
 *
 * Each request must keep the rules of the Messages API: `checkRequest` throws when one is broken. One request more than
 * the script has turns is an Error. When `options.signal` is aborted, before or meanwhile, it rejects with its reason.
 */
export function scriptedModel<Request extends CheckedRequest = CheckedRequest>(
  turns: ScriptedTurn<Request>[],
): ScriptedModel<Request> {
  const requests: Request[] = []
  const nextId = idSource(turns)

  async function answer(request: Request, options: { signal?: AbortSignal } = {}): Promise<Anthropic.Message> {
    options.signal?.throwIfAborted()
    requests.push(structuredClone(request))
    checkRequest(request)
    const turn = turns[requests.length - 1]
    if (!turn) {
      throw new Error(
        `The script has ${turns.length} turns, and the loop asked for one more (request ${requests.length}).`,
      )
    }
    const scripted = typeof turn === 'function' ? await orAborted(turn(request), options.signal) : turn
    return toMessage(scripted, requests.length, nextId)
  }

  return Object.defineProperties(answer, {
    requests: { value: requests },
    remaining: { get: () => Math.max(0, turns.length - requests.length) },
  }) as ScriptedModel<Request>
}

function toMessage(scripted: ScriptedAnswer, turn: number, nextId: () => string): Anthropic.Message {
  const { text, calls = [], stop } = scripted
  const content: Anthropic.ContentBlock[] = []
  if (text !== undefined) content.push({ type: 'text', text, citations: null })
  for (const { name, input, id = nextId() } of calls) {
    content.push({ type: 'tool_use', id, name, input: structuredClone(input), caller: { type: 'direct' } })
  }
  return {
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content,
    stop_reason: stop ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
    // What else a message has is about billing and servers, and a script has none of it.
  } as unknown as Anthropic.Message
}

/** Makes toolu_1, toolu_2, … and leaves out those that the script itself gives. */
function idSource(turns: ScriptedTurn<never>[]): () => string {
  const given = new Set(
    turns.flatMap((turn) => (typeof turn === 'object' ? (turn.calls ?? []).map(({ id }) => id) : [])),
  )
  let last = 0
  return () => {
    do last++
    while (given.has(`toolu_${last}`))
    return `toolu_${last}`
  }
}

/** What `work` resolves to, or a rejection with the signal's reason when that comes first. */
function orAborted<T>(work: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', abort))
  })
}
