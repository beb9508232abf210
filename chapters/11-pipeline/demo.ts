import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { type AnyTool, buildTool, type CanUseTool, toApiTool } from '#05-build-tool/tool.ts'
import type { FunctionHook } from '#11-pipeline/hooks.ts'
import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import { createContext } from '#support/context.ts'
import { scriptedModel } from '#support/scripted-model.ts'
import { createWorkspace } from '#support/workspace.ts'
import { pipelineDispatch } from './given/loop-dispatch.ts'

const workspace = await createWorkspace()
const shell = buildTool({
  name: 'Bash',
  inputSchema: z.strictObject({ command: z.string() }),
  maxResultSizeChars: 30_000,
  prompt: async () => 'Runs a command. (In this demo, it only says which.)',
  async call({ command }, _context, _canUseTool, _message, onProgress) {
    if (command.includes('crash')) throw new Error('segmentation fault')
    if (command.includes('hang')) return new Promise<never>(() => {}) // and never looks at the signal
    onProgress({ type: 'output', text: `+ ${command}` })
    return { data: command.includes('cat ') ? 'line\n'.repeat(40_000) : `ran: ${command}` }
  },
})

// #region calls
const calls = [
  { id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
  { id: 'toolu_2', name: 'Bash', input: { command: 'rm -rf build' } },
  { id: 'toolu_3', name: 'Bash', input: { comand: 'ls' } },
  { id: 'toolu_4', name: 'Bash', input: { command: 'cat huge.log' } },
  { id: 'toolu_5', name: 'Bash', input: { command: 'crash' } },
  { id: 'toolu_6', name: 'Bash', input: { command: 'hang' } },
]
/** The rule of a careful person: no rm. */
const canUseTool: CanUseTool = async (_tool, input) =>
  String(input.command).startsWith('rm')
    ? { behavior: 'deny', message: 'A rule denies Bash(rm *).' }
    : { behavior: 'allow', updatedInput: input }
/** Runs every command in a sandbox, and says that this is safe. */
const sandbox: FunctionHook = {
  matcher: 'Bash',
  run: ({ tool_input: { command } }) => ({ decision: 'allow', updatedInput: { command: `sandbox '${command}'` } }),
}
// #endregion

try {
  if (process.argv[2] === 'before') await showShortWay()
  else await showPipeline()
} finally {
  await workspace.remove()
}

/** What people write first: the same steps, one after the other, and a try around them. */
async function showShortWay(): Promise<void> {
  // #region naive
  async function run(tool: AnyTool, rawInput: Record<string, unknown>): Promise<string> {
    try {
      const said = (await hookOf(rawInput)) ?? {}
      const input = (said.updatedInput ?? rawInput) as { command: string }
      if (said.decision !== 'allow') {
        const permission = await canUseTool(tool, input, context, message)
        if (permission.behavior === 'deny') return permission.message
      }
      const parsed = tool.inputSchema.safeParse(input)
      if (!parsed.success) return 'Invalid input'
      return (await tool.call(parsed.data, context, canUseTool, message, () => {})).data
    } catch (error) {
      return `Error: ${error}`
    }
  }
  // #endregion
  const [context, message] = [createContext(workspace.root), {} as any]
  const hookOf = async (input: Record<string, unknown>): Promise<any> =>
    sandbox.run(
      { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: input, tool_use_id: '', cwd: '/' },
      {} as any,
    )
  for (const { id, input } of calls) {
    const answer = await Promise.race([
      run(shell, input),
      new Promise<string>((done) => setImmediate(done, '(no answer)')),
    ])
    show(
      id,
      input,
      answer.length > 60 ? `${answer.length} characters: ${JSON.stringify(answer.slice(0, 20))}…` : answer,
    )
  }
}

async function showPipeline(): Promise<void> {
  const abortController = new AbortController()
  const stages: string[] = []
  // #region context
  const context: PipelineContext = {
    ...createContext(workspace.root, { abortController, options: { tools: [shell], isNonInteractiveSession: true } }),
    hooks: { PreToolUse: [sandbox] },
    resultsDir: workspace.path('results'),
    observer: ({ type, stage }) => type === 'begin' && stages.push(stage),
  }
  const dispatch = pipelineDispatch(context, { canUseTool, onUpdate: ({ type }) => stages.push(`(${type})`) })
  // #endregion
  // #region loop
  const { messages } = await agentLoop({
    model: scriptedModel([{ calls }, { text: 'Done.' }]),
    tools: [await toApiTool(shell, context.options)],
    dispatch: (name, input, call) => {
      if (call.id === 'toolu_6') setImmediate(() => abortController.abort())
      return dispatch(name, input, call)
    },
    messages: [{ role: 'user', content: 'Clean up.' }],
    maxTurns: 2,
  })
  // #endregion
  const results = messages[2].content as Anthropic.ToolResultBlockParam[]
  for (const [n, { tool_use_id, content }] of results.entries()) {
    const text = String(content)
      .replaceAll(workspace.root, '/proj')
      .replace(/(line\n)+/, 'line\n…')
    show(tool_use_id, calls[n].input, text)
  }
  console.log('The stages of all six:')
  for (const part of stages.join(' ').split(/ ?(?=find)/)) console.log(`    ${part}`)
  console.log(`Saved: ${(await workspace.bytes('results/toolu_4.txt')).length} bytes`)
}

function show(id: string, input: object, answer: string): void {
  console.log(`${id} ${JSON.stringify(input)}\n    ${answer.replaceAll('\n', '\n    ')}`)
}
