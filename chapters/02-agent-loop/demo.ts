import type Anthropic from '@anthropic-ai/sdk'
import { dispatch as dispatchIn, TOOL_HANDLERS } from '#01-dispatch/dispatch.ts'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { type ScriptedTurn, scriptedModel } from '#support/scripted-model.ts'
import { createWorkspace } from '#support/workspace.ts'
import { blocksOf } from './given/transcript.ts'

const FIXED = 'export const total = (list) => list.reduce((sum, n) => sum + n, 0)\n'
const workspace = await createWorkspace({
  'total.mjs': 'export const total = (list) => list.slice(1).reduce((sum, n) => sum + n, 0)\n',
  'test.mjs': `import('./total.mjs')
    .then(({ total }) => console.log(total([1, 2, 3]) === 6 ? 'pass' : 'FAIL'))
    .catch((error) => console.log(error.name))\n`,
})
const dispatch = (name: string, input: unknown) => dispatchIn(workspace.root, name, input)
const tools = Object.keys(TOOL_HANDLERS).map(
  (name): Anthropic.Tool => ({ name, input_schema: { type: 'object', properties: {} } }),
)

// #region scenes
const test = (id: string) => ({ id, name: 'bash', input: { command: 'node test.mjs' } })
const look = (id: string) => ({ id, name: 'read_file', input: { path: 'total.mjs' } })
const write = (id: string, content: string) => ({ id, name: 'write_file', input: { path: 'total.mjs', content } })

/** Three questions, and what a model answers. Each scene has one thing in it that real models and servers do. */
const scenes: Array<{ question: string; turns: ScriptedTurn[] }> = [
  {
    question: 'Why does the test fail?',
    turns: [{ text: '\n\n', calls: [test('t1'), look('t2')] }, { text: 'It leaves out the first number.' }],
  },
  {
    question: 'Fix it.',
    turns: [
      { calls: [write('t3', FIXED.slice(0, 38))], stop: 'max_tokens' },
      ({ messages }) => (wasRun(messages.at(-1)) ? { text: 'It is fixed.' } : { calls: [write('t4', FIXED)] }),
      { text: 'It is fixed.' },
    ],
  },
  {
    question: 'Are you sure?',
    turns: [{ calls: [test('call_0')] }, { calls: [look('call_0')] }, { text: 'I looked again.' }],
  },
]
// #endregion

try {
  let conversation: Anthropic.MessageParam[] = []
  for (const { question, turns } of scenes) {
    const model = scriptedModel(turns)
    const messages: Anthropic.MessageParam[] = [...conversation, { role: 'user', content: question }]
    if (process.argv[2] === 'before') {
      const error = await naiveLoop(model, messages).catch((error: Error) => error)
      for (const message of messages) show(message)
      if (error) console.log(`  ! ${error.message}`)
    } else {
      const run = await agentLoop({ model, tools, dispatch, messages, maxTurns: 10 })
      for (const message of run.messages.slice(conversation.length)) show(message)
      console.log(`  [${run.outcome.type}]`)
      conversation = run.messages
    }
  }
  console.log(`total.mjs is now:\n  ${(await workspace.text('total.mjs')).trimEnd()}`)
} finally {
  await workspace.remove()
}

/** What people write first. It works until a model answers in a way that nobody thought of. */
async function naiveLoop(model: ReturnType<typeof scriptedModel>, messages: Anthropic.MessageParam[]): Promise<void> {
  // #region naive
  while (true) {
    const answer = await model({ messages, tools })
    messages.push({ role: 'assistant', content: answer.content })
    const calls = answer.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) return
    const results: Anthropic.ToolResultBlockParam[] = []
    for (const { id, name, input } of calls) {
      results.push({ type: 'tool_result', tool_use_id: id, content: await dispatch(name, input) })
    }
    messages.push({ role: 'user', content: results })
  }
  // #endregion
}

function wasRun(message: Anthropic.MessageParam | undefined): boolean {
  return JSON.stringify(message).includes('Wrote')
}

function show(message: Anthropic.MessageParam): void {
  for (const block of blocksOf(message)) {
    if (block.type === 'text') console.log(message.role === 'user' ? block.text : `  ${JSON.stringify(block.text)}`)
    if (block.type === 'tool_use') console.log(cut(`  ${block.id}: ${block.name} ${JSON.stringify(block.input)}`))
    if (block.type === 'tool_result') console.log(cut(`  ${block.tool_use_id} = ${String(block.content).trimEnd()}`))
  }
}

function cut(line: string): string {
  return line.length > 78 ? `${line.slice(0, 77)}…` : line
}
