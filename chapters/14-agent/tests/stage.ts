import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { type AnyTool, buildTool, type CanUseTool } from '#05-build-tool/tool.ts'
import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import { type CheckedRequest, checkRequest } from '#support/api-rules.ts'
import { createContext } from '#support/context.ts'
import { expect } from '#support/test.ts'
import { append } from '../given/blocks.ts'
import type { AgentEvent, AgentResult } from '../given/types.ts'

export const allow: CanUseTool = async (_tool, input) => ({ behavior: 'allow', updatedInput: input })

/** A tool whose calls are in the hands of the test. */
export interface Held {
  tool: AnyTool
  /** The inputs it was called with, and the answers of the model that they stood in. */
  calls: Array<{ input: Record<string, unknown>; message: Anthropic.Message; signal: AbortSignal }>
  /** Whether it is called `count` times before nothing moves any more. */
  called(count?: number): Promise<boolean>
  /** Ends the n-th call, 0 for the first. */
  finish(n: number, text?: string): void
}

export function held(name = 'Wait', isSafe = true): Held {
  const calls: Held['calls'] = []
  const ends: Array<(text: string) => void> = []
  const tool = buildTool({
    name,
    inputSchema: z.looseObject({}),
    maxResultSizeChars: 1_000,
    prompt: async () => `${name} ends when the test says so.`,
    isConcurrencySafe: () => isSafe,
    async call(input, context, _canUseTool, message): Promise<{ data: string }> {
      calls.push({ input, message, signal: context.abortController.signal })
      return { data: await new Promise<string>((resolve) => ends.push(resolve)) }
    },
  })
  return {
    tool,
    calls,
    called: (count = 1) => until(() => calls.length >= count),
    finish: (n, text = `${name} ${n} is done`) => ends[n]?.(text),
  }
}

/** A tool that answers at once, with its input. */
export function echo(name = 'Echo'): AnyTool {
  return buildTool({
    name,
    inputSchema: z.looseObject({}),
    maxResultSizeChars: 1_000,
    prompt: async () => `${name} says what it was called with.`,
    isConcurrencySafe: () => true,
    call: async (input) => ({ data: `${name} ${JSON.stringify(input)}` }),
  })
}

export function contextWith(root: string, tools: readonly AnyTool[]): PipelineContext {
  const options = { tools, isNonInteractiveSession: true }
  return { ...createContext(root, { options }), hooks: {}, resultsDir: `${root}-results` }
}

/** Reads a run to its end. `onEvent` sees each event when it comes. */
export async function play(
  run: AsyncGenerator<AgentEvent, AgentResult>,
  onEvent: (event: AgentEvent) => void = () => {},
): Promise<AgentResult & { events: AgentEvent[] }> {
  const events: AgentEvent[] = []
  while (true) {
    const { done, value } = await run.next()
    if (done) return { ...value, events }
    events.push(value)
    onEvent(value)
  }
}

/** Throws unless the API takes this conversation with the user's next message behind it. */
export function checkConversation(messages: Anthropic.MessageParam[]): void {
  checkRequest({ messages } as CheckedRequest)
  checkRequest({ messages: append(messages, { role: 'user', content: 'Go on.' }) })
}

export function textOf(events: AgentEvent[]): string {
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')
}

/**
 * What the work comes to. Fails the test with these words when it has not ended before nothing moves any more, so that
 * nobody must wait for it.
 */
export async function ended<T>(work: Promise<T>, otherwise: string): Promise<T> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  expect((await until(() => isOver)) || (await until(() => isOver)), otherwise).toBe(true)
  return work
}

/**
 * Whether the condition comes true. Gives up when it has not after so many turns of the event loop that whatever was on
 * its way has come: the time that they take plays no part.
 */
export async function until(condition: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 20_000 && !condition(); turn++) await new Promise(setImmediate)
  return condition()
}
