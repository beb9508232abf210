import Anthropic from '@anthropic-ai/sdk'
import { runAgent } from '#14-agent/agent.ts'
import { buildRequest } from '#14-agent/request.ts'
import { type CheckedRequest, checkRequest } from '#support/api-rules.ts'
import { type MessagesServer, startMessagesServer } from '#support/messages-server.ts'
import { copySample } from '#support/sample.ts'
import { findScenario } from '#support/scenario.ts'
import { pipelineDispatch } from '../11-pipeline/given/loop-dispatch.ts'
import { append } from './given/blocks.ts'
import { type Session, startSession } from './given/session.ts'
import { wordsOf } from './given/terminal/call-view.ts'
import { wrap } from './given/terminal/columns.ts'
import type { AgentEvent } from './given/types.ts'

/** What can go wrong between an agent and its model, as scenarios of the offline server. */
const scenarios = ['find-the-bug', 'overloaded', 'cut-connection', 'max-tokens']

/** A client, a session, and what has been said: what an agent works with. */
interface Stage {
  client: Anthropic
  session: Session
  messages: Anthropic.MessageParam[]
}

const isBefore = process.argv[2] === 'before'
if (!isBefore) await perform('find-the-bug', (stage) => runOurs(stage, narrate(stage.session)))
console.log(`${isBefore ? '' : '\n'}scenario        how it ended    from cache  the next message is`)
for (const name of scenarios) console.log(await perform(name, isBefore ? runNaively : (stage) => runOurs(stage)))

/** What people write first: it reads the stream, and then it runs the calls. */
async function runNaively({ client, session, messages }: Stage): Promise<string> {
  const { tools } = session
  const dispatch = pipelineDispatch(session.contextFor(new AbortController()), session)
  const run = async ({ id, name }: Anthropic.ToolUseBlock, input: unknown) => {
    const { content } = (await dispatch(name, input, { id })) as { content: string }
    return { type: 'tool_result' as const, tool_use_id: id, content }
  }
  while (true) {
    const request = await buildRequest({
      model: 'scripted-large',
      maxTokens: 1_000,
      system: '',
      tools,
      shown: tools,
      messages,
    })
    // #region naive
    const stream = await client.messages.create({ ...unmarked(request), stream: true })
    const blocks: Anthropic.ContentBlock[] = []
    const json: string[] = []
    for await (const event of stream) {
      if (event.type === 'content_block_start') blocks[event.index] = event.content_block
      if (event.type !== 'content_block_delta') continue
      const block = blocks[event.index]
      if (event.delta.type === 'text_delta' && block.type === 'text') block.text += event.delta.text
      if (event.delta.type === 'input_json_delta')
        json[event.index] = (json[event.index] ?? '') + event.delta.partial_json
    }
    messages.push({ role: 'assistant', content: blocks })
    const results: Anthropic.ToolResultBlockParam[] = []
    for (const [i, block] of blocks.entries()) {
      if (block.type === 'tool_use') results.push(await run(block, JSON.parse(json[i])))
    }
    if (results.length === 0) return 'finished'
    messages.push({ role: 'user', content: results })
    // #endregion
  }
}

/** The agent of this chapter. */
async function runOurs({ client, session, messages }: Stage, onEvent?: (event: AgentEvent) => void): Promise<string> {
  // #region agent
  const run = runAgent({
    client,
    model: 'scripted-large',
    maxTokens: 1_000,
    system: 'You are a coding agent.',
    messages,
    context: session.contextFor(new AbortController()),
    canUseTool: session.canUseTool,
  })
  for (let next = await run.next(); ; next = await run.next()) {
    if (!next.done) {
      onEvent?.(next.value)
      continue
    }
    messages.splice(0, messages.length, ...next.value.messages)
    return next.value.outcome.type
  }
  // #endregion
}

/** Plays a scenario in a copy of its sample project. Returns a line of the table. */
async function perform(name: string, play: (stage: Stage) => Promise<string>): Promise<string> {
  const scenario = findScenario(name)
  const { cwd, remove } = await copySample(scenario)
  const server = await startMessagesServer(scenario, { cwd, pace: 0 })
  const client = new Anthropic({ apiKey: 'offline', baseURL: server.url, maxRetries: 0 })
  const rules = [{ text: 'Bash(node --test)', behavior: 'allow' as const, source: 'cli' as const }]
  const session = await startSession({ client, maxTokens: 1_000, cwd, mode: 'acceptEdits', rules, warn: console.log })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: scenario.task }]
  try {
    const ended = await play({ client, session, messages }).catch((error) => `${error.status ?? error.name}`)
    const next = nextMessage(append(messages, { role: 'user', content: 'Go on.' }))
    return `${name.padEnd(15)} ${ended.padEnd(15)} ${readAgain(server).padEnd(11)} ${next}`
  } finally {
    await session.close()
    await server.close()
    await remove()
  }
}

/** Prints what the model says and calls. */
function narrate(session: Session): (event: AgentEvent) => void {
  let line = ''
  const endLine = () => {
    if (line !== '') console.log(wrap(line, 80).join('\n'))
    line = ''
  }
  return (event) => {
    if (event.type === 'text') line += event.text
    if (event.type === 'usage') endLine()
    if (event.type !== 'queued') return
    endLine()
    const { title, words } = wordsOf(event.call.block, session)
    console.log(`  ● ${title} ${words}`)
  }
}

/** Of the requests after the first, how many found in the cache all that was sent before. */
function readAgain({ requests }: MessagesServer): string {
  const counts = requests.flatMap(({ usage }) => usage ?? [])
  const all = counts.filter((usage, i) => {
    const before = counts[i - 1]
    if (!before) return false
    const sent = before.input_tokens + (before.cache_read_input_tokens ?? 0) + (before.cache_creation_input_tokens ?? 0)
    return (usage.cache_read_input_tokens ?? 0) >= sent
  })
  return `${all.length} of ${Math.max(0, counts.length - 1)}`
}

function nextMessage(messages: Anthropic.MessageParam[]): string {
  try {
    checkRequest({ messages } as CheckedRequest)
    return 'taken'
  } catch (error) {
    return `refused: ${(error as Error).message.replace(/^400 messages\S+ /, '').slice(0, 26)}…`
  }
}

/** The request without what this chapter adds to it. */
function unmarked<T>(request: T): T {
  return JSON.parse(JSON.stringify(request, (key, value) => (key === 'cache_control' ? undefined : value)))
}
