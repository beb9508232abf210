import { homedir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { agentLoop, type LoopResult } from '#02-agent-loop/loop.ts'
import { type AnyTool, buildTool, type CanUseTool, toApiTool } from '#05-build-tool/tool.ts'
import { getAllBaseTools } from '#09-registry/registry.ts'
import { createCanUseTool } from '#10-permissions/decide.ts'
import { createContext } from '#support/context.ts'
import { type MessagesServer, startMessagesServer } from '#support/messages-server.ts'
import { copySample } from '#support/sample.ts'
import type { Scenario } from '#support/scenario.ts'
import type { PermissionMode } from '../../10-permissions/given/types.ts'
import { pipelineDispatch } from '../../11-pipeline/given/loop-dispatch.ts'

export interface PlayOptions {
  mode?: PermissionMode
  /** Rules beside the scenario's, that allow. */
  allow?: string[]
}

export interface Played extends LoopResult {
  /** The last text of the model. */
  said: string
  requests: MessagesServer['requests']
}

/** Plays a scenario with chapter 02's loop and all the real tools, on a copy of its sample. */
export async function play(
  scenario: Scenario,
  { mode = 'acceptEdits', allow = [] }: PlayOptions = {},
): Promise<Played> {
  const { cwd, remove } = await copySample(scenario)
  const server = await startMessagesServer(scenario, { cwd, pace: 0 })
  try {
    const { permissions = {} } = scenario
    const rules = [
      ...[...(permissions.allow ?? []), ...allow].map((text) => ({ text, behavior: 'allow' as const })),
      ...(permissions.ask ?? []).map((text) => ({ text, behavior: 'ask' as const })),
      ...(permissions.deny ?? []).map((text) => ({ text, behavior: 'deny' as const })),
    ].map((rule) => ({ ...rule, source: 'session' as const }))
    const canUseTool = createCanUseTool(() => ({ mode, rules, roots: [cwd], cwd, home: homedir(), trusted: true }))
    const client = new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
    const tools = getAllBaseTools({ features: scenario.features })
    const ask = asking({ client, canUseTool, cwd })
    const result = await ask(scenario.task, [...tools, agentTool(ask, tools)])
    return { ...result, said: lastText(result), requests: server.requests }
  } finally {
    await server.close()
    await remove()
  }
}

type Ask = (prompt: string, tools: AnyTool[]) => Promise<LoopResult>

function asking({ client, canUseTool, cwd }: { client: Anthropic; canUseTool: CanUseTool; cwd: string }): Ask {
  return async (prompt, tools) => {
    const context = createContext(cwd, { options: { tools, isNonInteractiveSession: true } })
    return agentLoop({
      model: (request) => withRetries(() => oneTurn(client, request)),
      tools: await Promise.all(tools.map((tool) => toApiTool(tool, { tools }))),
      dispatch: pipelineDispatch({ ...context, hooks: {}, resultsDir: join(cwd, '.results') }, { canUseTool }),
      schedule: (calls, run) => Promise.all(calls.map(run)),
      messages: [{ role: 'user', content: prompt }],
      maxTurns: 20,
    })
  }
}

function oneTurn(
  client: Anthropic,
  request: Pick<Anthropic.MessageCreateParams, 'messages'> & { tools: Anthropic.Tool[] },
) {
  return client.messages.stream({ ...request, model: 'scripted-large', max_tokens: 1000 }).finalMessage()
}

/** Asks again at once after what passes: an API that has too much to do, and no status at all, a broken connection. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const { status } = error as { status?: number }
      if (![undefined, 429, 529].includes(status) || tries === 3) throw error
    }
  }
}

/** A small stand-in for chapter 13's AgentTool: a loop in a loop. */
function agentTool(ask: Ask, tools: AnyTool[]): AnyTool {
  return buildTool({
    name: 'Agent',
    inputSchema: z.strictObject({ description: z.string(), prompt: z.string(), subagent_type: z.string().optional() }),
    maxResultSizeChars: 10_000,
    isReadOnly: () => true,
    prompt: async () => 'Asks another agent.',
    call: async ({ prompt }) => ({ data: lastText(await ask(prompt, tools)) }),
  })
}

function lastText({ messages }: LoopResult): string {
  const last = messages[messages.length - 1].content
  return typeof last === 'string' ? last : last.map((block) => (block.type === 'text' ? block.text : '')).join('')
}
