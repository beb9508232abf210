import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { semanticNumber } from '#03-contract/contract.ts'
import { type AnyTool, buildTool, type CanUseTool } from '#05-build-tool/tool.ts'
import { type PipelineContext, runToolUse, type ToolUpdate } from '#11-pipeline/run-tool-use.ts'
import { createContext } from '#support/context.ts'
import { allowEverything, noMessage } from '#support/run-tool.ts'
import { type Call, openCall } from '../given/call.ts'

/** A tool with these parts besides the ones that each needs. They may be wrong: authors make mistakes. */
export function toolWith(parts: object = {}): AnyTool {
  const minimal = {
    name: 'Say',
    inputSchema: z.strictObject({ text: z.string(), times: semanticNumber().default(1) }),
    maxResultSizeChars: 10_000,
    prompt: async () => 'Says a text.',
    call: async ({ text, times }: { text: string; times: number }) => ({ data: text.repeat(times) }),
  }
  return buildTool(Object.defineProperties(minimal, Object.getOwnPropertyDescriptors(parts)) as any)
}

export function contextWith(parts: Partial<PipelineContext> & { tools?: AnyTool[] } = {}): PipelineContext {
  const { tools = [toolWith()], ...rest } = parts
  const options = { tools, isNonInteractiveSession: true }
  return { ...createContext('/', { options }), hooks: {}, resultsDir: '/nowhere/results', ...rest }
}

export function toolUse(input: unknown, name = 'Say', id = 'toolu_1'): Anthropic.ToolUseBlock {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } }
}

export interface Setup extends Partial<PipelineContext> {
  tool?: AnyTool
  canUseTool?: CanUseTool
  use?: Anthropic.ToolUseBlock
}

/** A call that is open, for a test of one stage. */
export function callWith({ tool = toolWith(), canUseTool = allowEverything, use, ...context }: Setup = {}): Call {
  return openCall(use ?? toolUse({ text: 'a' }), noMessage, canUseTool, contextWith({ tools: [tool], ...context }))
}

/** Starts the whole pipeline. */
export function start({ tool = toolWith(), canUseTool = allowEverything, use, ...context }: Setup = {}) {
  return runToolUse(use ?? toolUse({ text: 'a' }), noMessage, canUseTool, contextWith({ tools: [tool], ...context }))
}

/** Runs the whole pipeline and gives all updates. A blank that is not written yet is an error. */
export async function updatesOf(setup?: Setup): Promise<ToolUpdate[]> {
  const updates: ToolUpdate[] = []
  for await (const update of start(setup)) updates.push(letTodoThrough(update))
  return updates
}

/** Runs the whole pipeline and gives the block of its one result. */
export async function resultOf(setup?: Setup): Promise<Anthropic.ToolResultBlockParam> {
  const results = (await updatesOf(setup)).filter((update) => update.type === 'result')
  if (results.length !== 1) throw new Error(`expected exactly one result, got ${results.length}`)
  return results[0].block
}

export function letTodoThrough<T>(update: T): T {
  const todo = /TODO\(task \d+\): \w+/.exec(JSON.stringify(update) ?? '')
  if (todo) throw new Error(todo[0])
  return update
}

/** A promise that a test settles when it wants to. */
export function held<T = void>() {
  let settle!: { resolve: (value: T) => void; reject: (error: unknown) => void }
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}

/** The rejections that nobody hears while `action` runs, and until the next turn of the event loop. */
export async function unheardIn(action: () => unknown): Promise<unknown[]> {
  const unheard: unknown[] = []
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', (error) => unheard.push(error))
  try {
    await action()
    await new Promise(setImmediate)
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  }
  return unheard
}

/** What a call says that was interrupted before its tool began, in whatever words. */
export const INTERRUPTED_BEFORE = /interrupted[\s\S]*(not|never|nothing|before)/i

/** Never settles. */
export const never = () => new Promise<never>(() => {})

/** Values with a name each, for a table of tests. */
export function rows<T>(values: T[]): Array<{ what: string; value: T }> {
  return values.map((value) => ({ what: JSON.stringify(value) ?? 'undefined', value }))
}
