import { fileURLToPath } from 'node:url'
import type Anthropic from '@anthropic-ai/sdk'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import { type AnyTool, buildTool, type CanUseTool, type ToolDefinition } from '#05-build-tool/tool.ts'
import { type PipelineContext, type ResultUpdate, runToolUse, type ToolUpdate } from '#11-pipeline/run-tool-use.ts'
import type { AgentToolOptions } from '#13-one-interface/agent-tool.ts'
import {
  type ConnectOptions,
  connectMcpServer,
  type McpConnection,
  type McpServerConfig,
} from '#13-one-interface/mcp-connection.ts'
import { createContext } from '#support/context.ts'
import { allowEverything } from '#support/run-tool.ts'
import { type ScriptedTurn, scriptedModel } from '#support/scripted-model.ts'
import { signOfLife } from '#support/sign-of-life.ts'
import { it as base } from '#support/test.ts'

const FAULTY = fileURLToPath(new URL('../given/faulty-server.mjs', import.meta.url))
const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))

// ── servers ──

/** How the faulty server is started, so that it does what `fault` says. */
export function faulty(fault?: string): McpServerConfig {
  return { name: 'faulty', command: process.execPath, args: fault ? [FAULTY, fault] : [FAULTY] }
}

/** What a server in this process says. Where it gives undefined, it never answers. */
export interface FakeServer {
  list?(cursor?: string): unknown
  call?(name: string, args: unknown, request: FakeRequest): unknown
  capabilities?: object
}

export interface FakeRequest {
  notify(method: string, params: object): void
  progressToken: unknown
}

/** A client that is connected to a server in this process. The requests that it got are in `requests`. */
export async function clientOf(server: FakeServer) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const requests: Array<{ method: string; params?: any }> = []
  const notify = (method: string, params: object) => void theirs.send({ jsonrpc: '2.0', method, params } as never)
  theirs.onmessage = async (message) => {
    const request = message as unknown as { id?: number; method: string; params?: any }
    requests.push(request)
    if (request.id === undefined) return
    const answer = await answerOf(server, request, notify)
    if (answer) await theirs.send({ jsonrpc: '2.0', id: request.id, ...answer } as never)
  }
  await theirs.start()
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(ours)
  return { client, requests, server: theirs }
}

async function answerOf(
  server: FakeServer,
  { method, params }: { method: string; params?: any },
  notify: FakeRequest['notify'],
): Promise<object | undefined> {
  if (method === 'initialize') {
    const { capabilities = { tools: {} } } = server
    const serverInfo = { name: 'fake', version: '1.0.0' }
    return { result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } }
  }
  if (method === 'tools/list') return wrapped(await server.list?.(params?.cursor))
  if (method !== 'tools/call') return { error: { code: -32601, message: `no method ${method}` } }
  const request = { notify, progressToken: params._meta?.progressToken }
  return wrapped(await server.call?.(params.name, params.arguments, request))
}

function wrapped(result: unknown): object | undefined {
  if (result === undefined) return undefined
  return typeof result === 'object' && result !== null && 'error' in result ? result : { result }
}

/** An entry of a server's list. */
export function entry(name: string, more: object = {}) {
  return { name, inputSchema: { type: 'object' }, ...more }
}

export function texts(...all: string[]) {
  return { content: all.map((text) => ({ type: 'text', text })) }
}

/** `it`, with real servers that are ended when the test is over. */
export const it = base.extend<{
  /** A client of the faulty server, connected by the client package alone. */
  startClient: (fault?: string) => Promise<Client>
  /** A connection to the faulty server, by the chapter's code. */
  connect: (fault?: string, options?: ConnectOptions) => Promise<McpConnection>
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures it needs from this pattern
  startClient: async ({}, use) => {
    const clients: Client[] = []
    await use(async (fault) => {
      const client = new Client({ name: 'test', version: '1.0.0' })
      clients.push(client)
      await client.connect(new StdioClientTransport({ ...faulty(fault), stderr: 'ignore' }))
      return client
    })
    await Promise.all(clients.map((client) => client.close()))
  },

  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures it needs from this pattern
  connect: async ({}, use) => {
    const connections: McpConnection[] = []
    await use(async (fault, options) => {
      const connection = await connectMcpServer(faulty(fault), options)
      connections.push(connection)
      return connection
    })
    await Promise.all(connections.map((connection) => connection.close()))
  },
})

/**
 * The server that the protocol's own project publishes, with one client for all tests of a file. Call it at the top of the
 * file. It is started before the first test, as long as that takes: on a busy machine, many seconds.
 */
export function everythingServer(): () => Client {
  const client = new Client({ name: 'test', version: '1.0.0' })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest wants a pattern here, of the fixtures that are needed
  beforeAll(async ({}, { file }) => {
    const sign = setInterval(signOfLife, 1_000, file.filepath)
    const transport = { command: process.execPath, args: [EVERYTHING, 'stdio'], stderr: 'ignore' as const }
    await client.connect(new StdioClientTransport(transport)).finally(() => clearInterval(sign))
  }, 60_000)
  afterAll(() => client.close(), 60_000)
  return () => client
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

// ── tools and agents ──

/** A tool that is read-only and does what `call` says. */
export function tool(name: string, more: Partial<ToolDefinition<z.ZodType<any>, any>> = {}): AnyTool {
  return buildTool<z.ZodType<any>, any>({
    name,
    inputSchema: z.looseObject({}),
    maxResultSizeChars: 1_000,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    prompt: async () => name,
    call: async () => ({ data: `${name} is done` }),
    ...more,
  })
}

/** A tool that ends when the test says so. `signals` are those of its calls; it heeds none of them. */
export function heldTool(name: string, more: Partial<ToolDefinition<z.ZodType<any>, any>> = {}) {
  const signals: AbortSignal[] = []
  const waiting: Array<() => void> = []
  const held = tool(name, {
    call: async (_input, { abortController }) => {
      signals.push(abortController.signal)
      await new Promise<void>((resolve) => waiting.push(resolve))
      return { data: `${name} is done` }
    },
    ...more,
  })
  return { tool: held, signals, release: () => waiting.splice(0).forEach((resolve) => void resolve()) }
}

export function pipelineContext(root: string, tools: AnyTool[], more: Partial<PipelineContext> = {}): PipelineContext {
  const options = { tools, isNonInteractiveSession: true }
  return { ...createContext(root, { options }), hooks: {}, resultsDir: `${root}-results`, ...more }
}

export const parentMessage = {
  type: 'message',
  role: 'assistant',
  model: 'parent-model',
  content: [],
} as unknown as Anthropic.Message

export function use(id: string, name: string, input: unknown = {}): Anthropic.ToolUseBlock {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } }
}

export const task = { description: 'a task', prompt: 'Find it.' }

/** Models for sub-agents: the first one that is made gets the first script. What was asked for is in `made`. */
export function scriptedModels(...scripts: Array<ScriptedTurn<any>[]>) {
  const made: Array<{ model: string; system: string }> = []
  const models = scripts.map((script) => scriptedModel<any>(script))
  const createModel: AgentToolOptions['createModel'] = (options) => {
    made.push(options)
    return models[made.length - 1]
  }
  return { createModel, made, models }
}

/** Runs one call through chapter 11's pipeline, and gives all that it said and its result. */
export async function perform(
  context: PipelineContext,
  { call, canUseTool = allowEverything }: { call: Anthropic.ToolUseBlock; canUseTool?: CanUseTool },
) {
  const updates: ToolUpdate[] = []
  for await (const update of runToolUse(call, parentMessage, canUseTool, context)) updates.push(update)
  const result = updates.at(-1) as ResultUpdate
  const progress = updates.flatMap((update) => (update.type === 'progress' ? [update.data] : []))
  const text = textOf(result.block)
  if (text.startsWith('TODO(task')) throw new Error(text)
  return { result, progress, text, isError: result.block.is_error === true }
}

export function textOf({ content = '' }: Anthropic.ToolResultBlockParam): string {
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}

/** Work that a test will wait for later. Until then, nobody else need hear of its rejection. */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

/** Lets everything happen that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 20; round++) await new Promise(setImmediate)
}
