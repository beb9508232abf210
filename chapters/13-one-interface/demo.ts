import { fileURLToPath } from 'node:url'
import type Anthropic from '@anthropic-ai/sdk'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { type AnyTool, toApiTool } from '#05-build-tool/tool.ts'
import { GlobTool } from '#06-reading/glob.ts'
import { GrepTool } from '#06-reading/grep.ts'
import { ReadTool } from '#06-reading/read.ts'
import { assembleTools } from '#09-registry/assemble.ts'
import type { PipelineContext, ToolUpdate } from '#11-pipeline/run-tool-use.ts'
import { type AgentProgress, createAgentTool } from '#13-one-interface/agent-tool.ts'
import { connectMcpServer } from '#13-one-interface/mcp-connection.ts'
import { checkRequest } from '#support/api-rules.ts'
import { createContext } from '#support/context.ts'
import { allowEverything } from '#support/run-tool.ts'
import { type ScriptedAnswer, scriptedModel } from '#support/scripted-model.ts'
import { createWorkspace } from '#support/workspace.ts'
import { pipelineDispatch } from '../11-pipeline/given/loop-dispatch.ts'
import { answersOf } from '../12-streaming-executor/given/bind.ts'
import { executorSchedule } from '../12-streaming-executor/given/loop-schedule.ts'

const FAULTY = fileURLToPath(new URL('given/faulty-server.mjs', import.meta.url))
const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
const command = process.execPath

/** What the sub-agents have called, by the id of the call that they are. */
const below = new Map<string, string[]>()

if (process.argv[2] === 'before') await showNaively()
else await showAgent()

/** What people write first: the server's tools are given to the API as they come. */
async function showNaively(): Promise<void> {
  const client = new Client({ name: 'demo', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command, args: [FAULTY], stderr: 'ignore' }))
  const ask = async () => {
    // #region naive
    const { tools } = await client.listTools()
    const request = {
      messages: [{ role: 'user' as const, content: 'Hello' }],
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    }
    // #endregion
    return request
  }
  console.log(`the list:                 ${await failureOf(ask)}`)
  const named = ['Dockerfile problems scanner', 'a.b/c', 'long'.repeat(33)]
  for (const name of named) {
    const tools: Anthropic.Tool[] = [{ name, input_schema: { type: 'object' } }]
    const sent = async () => checkRequest({ messages: [{ role: 'user', content: 'Hello' }], tools })
    console.log(`${`${name.slice(0, 24)}:`.padEnd(25)} ${await failureOf(sent)}`)
  }
  const both = await client.callTool({ name: 'both' })
  console.log(`a short text and data:    ${JSON.stringify(both).length} characters for the model`)
  console.log(`the server dies:          ${await failureOf(() => client.callTool({ name: 'die' }))}`)
  await client.close()
}

async function failureOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'fine'
  } catch (error) {
    return (error as Error).message.replace(/\s+/g, ' ').slice(0, 52)
  }
}

async function showAgent(): Promise<void> {
  const workspace = await createWorkspace({
    'src/greet.ts': "export const greet = (name: string) => 'Hello ' + name\n",
    'src/main.ts': "import { greet } from './greet.ts'\n\nconsole.log(greet('you'))\n",
  })
  const warnings: string[] = []
  // #region connect
  const onWarning = (warning: string) => void warnings.push(warning)
  const connections = await Promise.all([
    connectMcpServer({ name: 'everything', command, args: [EVERYTHING, 'stdio'] }, { onWarning }),
    connectMcpServer({ name: 'faulty', command, args: [FAULTY] }, { onWarning }),
  ])
  // #endregion

  const scripts = [
    [grep('greet ='), { text: 'greet is defined in src/greet.ts:1.' }],
    [grep('greet\\('), { text: 'greet is called in src/main.ts:3.' }],
  ]
  // #region tools
  const agent = createAgentTool({ createModel: () => scriptedModel(scripts.shift()!) })
  const base: AnyTool[] = [agent, ReadTool, GrepTool, GlobTool]
  const toolsNow = async () => {
    const mcp = (await Promise.all(connections.map((connection) => connection.tools()))).flat()
    return assembleTools({ base, mcp }).tools
  }
  // #endregion

  const before = await toolsNow()
  const count = (server: string, tools: AnyTool[]) =>
    tools.filter(({ name }) => name.startsWith(`mcp__${server}__`)).length
  console.log(`built in: ${base.map(({ name }) => name).join(', ')}`)
  console.log(`from servers: everything ${count('everything', before)}, faulty ${count('faulty', before)}`)
  console.log(`left out: ${warnings.length}, such as`)
  console.log(`  ${warnings.find((warning) => warning.includes('either'))?.replace(': ', ':\n    ')}\n`)

  const model = scriptedModel([
    { text: 'Two at once.', calls: [explore('Where is greet defined?'), explore('Where is greet called?')] },
    {
      text: 'Now the servers.',
      calls: [{ name: 'mcp__everything__get-sum', input: { a: 1, b: 3 } }, faulty('a_b_c_'), faulty('fail')],
    },
    { text: 'One tool more, and then…', calls: [faulty('grow')] },
    { text: 'Is it there?', calls: [faulty('die')] },
    { text: 'Done.' },
  ])

  /** A call of the first tool of the faulty server that is called so, more or less. */
  function faulty(start: string) {
    const { name } = before.find((tool) => tool.name.startsWith(`mcp__faulty__${start}`))!
    return { name, input: {} }
  }

  let tools = before
  const context: PipelineContext = {
    ...createContext(workspace.root),
    hooks: {},
    resultsDir: workspace.path('../results'),
    options: {
      isNonInteractiveSession: true,
      get tools() {
        return tools
      },
    },
  }
  const { messages } = await agentLoop({
    async model({ messages }, options) {
      tools = await toolsNow()
      const shown = await Promise.all(tools.map((tool) => toApiTool(tool, { tools })))
      return model({ messages, tools: shown }, options)
    },
    tools: [],
    messages: [{ role: 'user', content: 'Look around.' }],
    maxTurns: 10,
    dispatch: pipelineDispatch(context, { canUseTool: allowEverything, onUpdate: noteDown }),
    schedule: executorSchedule(answersOf(before)),
  })
  show(messages)

  const numbers = model.requests.map(
    (request) => request.tools!.filter(({ name }) => name.startsWith('mcp__faulty')).length,
  )
  console.log(`tools of the faulty server, turn by turn: ${numbers.join(', ')}`)
  await Promise.all(connections.map((connection) => connection.close()))
  console.log(`servers that still run: ${connections.filter(({ isConnected }) => isConnected).length}`)
  await workspace.remove()
}

function noteDown(update: ToolUpdate): void {
  if (update.type !== 'progress') return
  const progress = update.data as AgentProgress
  if (progress.type !== 'agent_call') return
  const lines = below.get(update.toolUseID) ?? []
  below.set(update.toolUseID, [
    ...lines,
    `    ${progress.agent} calls ${progress.name} ${JSON.stringify(progress.input)}`,
  ])
}

function show(messages: Anthropic.MessageParam[]): void {
  for (const { content } of messages) {
    for (const block of typeof content === 'string' ? [] : content) {
      if (block.type === 'text') console.log(block.text)
      if (block.type === 'tool_use') {
        const { description } = block.input as { description?: string }
        console.log(`  ${block.name}${description ? `: ${description}` : ''}`)
        for (const line of below.get(block.id) ?? []) console.log(line)
      }
      if (block.type === 'tool_result') console.log(`  ${block.is_error ? '✗' : '←'} ${textOf(block.content)}`)
    }
  }
}

function textOf(content: Anthropic.ToolResultBlockParam['content']): string {
  if (typeof content === 'string') return content
  return content?.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join(' ') ?? ''
}

function grep(pattern: string): ScriptedAnswer {
  return { calls: [{ name: 'Grep', input: { pattern, output_mode: 'content' } }] }
}

function explore(prompt: string) {
  return { name: 'Agent', input: { description: prompt, prompt, subagent_type: 'Explore' } }
}
