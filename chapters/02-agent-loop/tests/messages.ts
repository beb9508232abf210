import type Anthropic from '@anthropic-ai/sdk'
import { checkRequest } from '#support/api-rules.ts'
import { expect } from '#support/test.ts'

export const user = (content: Anthropic.UserMessageParam['content'] = 'Hi') => ({ role: 'user' as const, content })

export const assistant = (...content: Anthropic.ContentBlockParam[]) => ({ role: 'assistant' as const, content })

export const text = (text: string) => ({ type: 'text' as const, text })

export const use = (id: string, name = 'read', input: unknown = {}) => ({ type: 'tool_use' as const, id, name, input })

export const result = (id: string, content = 'ok') => ({ type: 'tool_result' as const, tool_use_id: id, content })

/** Matches the error result of a call that was interrupted. */
export const interruptedResult = (id: string) => ({
  type: 'tool_result',
  tool_use_id: id,
  is_error: true,
  content: expect.stringMatching(/interrupt/i),
})

/** The text of a result, whichever way it was written. */
export function textOf({ content = [] }: Anthropic.ToolResultBlockParam): string {
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}

/** `value` as it would be sent: a field that is undefined is none, and so no difference that a diff must show. */
export function asSent<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value))
}

/** Fails when the API would refuse the conversation with one more question behind it. */
export function expectToContinue(messages: Anthropic.MessageParam[]): void {
  checkRequest({ messages: [...messages, user('go on')] })
}

/** What `work` resolves to; fails when it has not settled after everything that was ready to run has run. */
export async function soon<T>(work: Promise<T>): Promise<T> {
  const waiting = Symbol('waiting')
  let rounds = 0
  const roundsOver = new Promise<typeof waiting>((resolve) => {
    const next = () => (++rounds > 200 ? resolve(waiting) : setImmediate(next))
    next()
  })
  const first = await Promise.race([work, roundsOver])
  return first === waiting ? expect.fail('still waiting for something that never comes') : (first as T)
}

/** A promise that the test holds. */
export function held<T = void>() {
  let release!: (value: T) => void
  const promise = new Promise<T>((resolve) => {
    release = resolve
  })
  return { promise, release }
}
