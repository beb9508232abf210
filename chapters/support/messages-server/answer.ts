import type Anthropic from '@anthropic-ai/sdk'
import type { Turn } from '../scenario.ts'
import { type InputUsage, toTokens } from './prompt-cache.ts'

/** A message that the server is about to send. */
export interface Answer {
  message: Anthropic.Message
  /** What each call's input is made of, by the call's id: JSON that may be cut, or broken on purpose. */
  json: Map<string, string>
}

export interface AnswerOptions {
  id: string
  model: string
  usage: InputUsage
  nextCallId(): string
  /** What `{{cwd}}` in a scenario stands for. */
  cwd: string
}

/** The whole message of a turn that has one. */
export function toAnswer(turn: Turn, { id, model, usage, nextCallId, cwd }: AnswerOptions): Answer {
  const content: Anthropic.ContentBlock[] = []
  const json = new Map<string, string>()
  if (turn.text !== undefined) content.push({ type: 'text', text: fillIn(turn.text, cwd), citations: null })
  for (const call of turn.calls ?? []) {
    const callId = nextCallId()
    const inputJson =
      call.json === undefined
        ? JSON.stringify(fillInAll(call.input ?? {}, cwd))
        : fillIn(call.json, JSON.stringify(cwd).slice(1, -1))
    json.set(callId, inputJson)
    content.push({
      type: 'tool_use',
      id: callId,
      name: call.name,
      input: parseOrEmpty(inputJson),
      caller: { type: 'direct' },
    })
  }
  const chars = (turn.text ?? '').length + [...json.values()].join('').length
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: turn.stop ?? (json.size > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: { ...usage, output_tokens: Math.max(1, toTokens(chars)), service_tier: 'standard' },
  }
  // What else a message has is about billing and servers, and a scenario has none of it.
  return { message: message as unknown as Anthropic.Message, json }
}

function fillIn(text: string, cwd: string): string {
  return text.replaceAll('{{cwd}}', () => cwd)
}

/** The same value with `{{cwd}}` filled in, in every string of it. */
function fillInAll(value: unknown, cwd: string): unknown {
  if (typeof value === 'string') return fillIn(value, cwd)
  if (Array.isArray(value)) return value.map((item) => fillInAll(item, cwd))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillInAll(item, cwd)]))
}

/** In an answer that is not streamed, input that does not parse has been dropped. */
function parseOrEmpty(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}
