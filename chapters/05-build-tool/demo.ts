import { z } from 'zod'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { type AnyTool, answerFor, buildTool, toApiTool } from '#05-build-tool/tool.ts'
import { createContext } from '#support/context.ts'
import { toolDispatch } from '#support/run-tool.ts'
import { scriptedModel } from '#support/scripted-model.ts'

// #region calls
/** Calls of four tools by four authors, as a model sent them. Not one of them only reads. */
const calls = [
  { name: 'CleanUp', input: { folder: 'build' } },
  { name: 'Format', input: { check: 'false' } },
  { name: 'Sync', input: { dryRun: false } },
  { name: 'Backup', input: {} },
]
// #endregion

if (process.argv[2] === 'before') showClasses()
else await showBuilder()

/** What people write first: a base class that knows the usual answer. */
function showClasses(): void {
  // #region naive
  abstract class BaseTool {
    isReadOnly(_input: any): unknown {
      return true // most tools only read
    }
  }
  class CleanUp extends BaseTool {
    call = async () => 'deleted' // what is isReadOnly?
  }
  class Format extends BaseTool {
    override isReadOnly = ({ check }: { check: boolean }) => check
  }
  class Sync extends BaseTool {
    override isReadOnly = async ({ dryRun }: { dryRun: boolean }) => dryRun
  }
  // #endregion
  // #region spread
  const defaults = { isReadOnly: (_input: any): unknown => false }
  const settings: { isReadOnly?: () => boolean } = {} // nothing is set
  const Backup = { ...defaults, isReadOnly: settings.isReadOnly }
  // #endregion
  const tools: Record<string, any> = { CleanUp: new CleanUp(), Format: new Format(), Sync: new Sync(), Backup }
  for (const { name, input } of calls) {
    try {
      // #region ask
      const verdict = tools[name].isReadOnly(input) ? 'only reads: runs unasked' : 'may do harm: asks first'
      // #endregion
      show(name, input, verdict)
    } catch (error) {
      show(name, input, String(error))
    }
  }
  // #region copy
  const renamed = { ...new CleanUp(), name: 'CleanUp2' }
  // #endregion
  console.log(`A copy of CleanUp with another name has: ${Object.keys(renamed).join(', ')}`)
}

async function showBuilder(): Promise<void> {
  // #region tools
  const part = { maxResultSizeChars: 1000, prompt: async () => 'A tool.', call: async () => ({ data: 'done' }) }
  const settings: { isReadOnly?: () => boolean } = {}
  const tools: AnyTool[] = [
    buildTool({ ...part, name: 'CleanUp', inputSchema: z.strictObject({ folder: z.string() }) }),
    buildTool({
      ...part,
      name: 'Format',
      inputSchema: z.strictObject({ check: z.boolean() }),
      isReadOnly: ({ check }) => check,
      isDestructive: () => false,
    }),
    buildTool({
      ...part,
      name: 'Sync',
      inputSchema: z.strictObject({ dryRun: z.boolean() }),
      isReadOnly: (async ({ dryRun }: { dryRun: boolean }) => dryRun) as any, // the compiler was told to be quiet
    }),
    buildTool({ ...part, name: 'Backup', inputSchema: z.strictObject({}), isReadOnly: settings.isReadOnly }),
  ]
  // #endregion
  for (const { name, input } of [...calls, { name: 'Format', input: { check: 'true' } }]) {
    const tool = tools.find((tool) => tool.name === name)!
    const readOnly = answerFor(tool, 'isReadOnly', input)
    const verdict = readOnly ? 'only reads: runs unasked' : 'may do harm: asks first'
    show(name, input, answerFor(tool, 'isDestructive', input) ? `${verdict}, in red` : verdict)
  }

  console.log('No tools:')
  class Guarded {
    name = 'Guarded'
    checkPermissions = async () => ({ behavior: 'deny' as const, message: 'Never.' })
  }
  for (const definition of [{ name: 'Read file' }, { name: 'Half', call: part.call }, new Guarded()]) {
    try {
      buildTool(definition as any)
    } catch (error) {
      console.log(`    ${(error as Error).message}`)
    }
  }

  console.log('The model is told of Format, and the loop of chapter 02 runs it:')
  const { input_schema, ...rest } = await toApiTool(tools[1], { tools })
  console.log(`    ${JSON.stringify(rest)} ${JSON.stringify(input_schema.properties)}`)
  await runInLoop(tools)
}

async function runInLoop(tools: AnyTool[]): Promise<void> {
  const model = scriptedModel([{ calls: [calls[1]] }, { text: 'It is formatted.' }])
  // #region loop
  const { messages } = await agentLoop({
    model,
    tools: await Promise.all(tools.map((tool) => toApiTool(tool, { tools }))),
    dispatch: toolDispatch(tools, createContext('/proj')),
    messages: [{ role: 'user', content: 'Format it.' }],
    maxTurns: 5,
  })
  // #endregion
  for (const { role, content } of messages) {
    for (const block of typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content) {
      if (block.type === 'text') console.log(`    ${role}: ${block.text}`)
      if (block.type === 'tool_use') console.log(`    ${role}: ${block.name} ${JSON.stringify(block.input)}`)
      if (block.type === 'tool_result') console.log(`    ${role}: ${JSON.stringify(block.content)}`)
    }
  }
}

function show(name: string, input: object, verdict: string): void {
  console.log(`${`${name} ${JSON.stringify(input)}`.padEnd(28)} ${verdict}`)
}
