import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { dispatch, TOOL_HANDLERS } from '#01-dispatch/dispatch.ts'
import { safePath } from '#01-dispatch/handlers.ts'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { callTool, getToolSchemas, TOOL_REGISTRY, type Tool } from '#04-tool-engine/tools.ts'
import { scriptedModel } from '#support/scripted-model.ts'
import { createWorkspace } from '#support/workspace.ts'

const workspace = await createWorkspace({
  'notes.txt': 'TODO: greet in French\ndone: greet in English\nTODO: greet loudly\n',
  'app.log': 'Error: the disk is full\n',
})
const ctx = { cwd: workspace.root, verbose: false }

// #region calls
/** One new tool, `search {path, word, limit}`, and what models make of its fields. The file has two TODOs. */
const calls = [
  { name: 'search', input: { path: 'notes.txt', word: 'TODO', limit: 1 } },
  { name: 'search', input: { path: 'notes.txt', word: 'TODO', limit: 'all' } },
  { name: 'search', input: { path: 'notes.txt', text: 'TODO', limit: 5 } },
  { name: 'search', input: { file: 'notes.txt', word: 'TODO', limit: 5 } },
  { name: 'read_file', input: { path: 'app.log' } },
]
// #endregion

try {
  if (process.argv[2] === 'before') await showDictionary()
  else await showEngine()
} finally {
  await workspace.remove()
}

/** The new tool in the way of chapter 01. Somebody forgot to check the fields by hand. */
async function showDictionary(): Promise<void> {
  // #region naive
  TOOL_HANDLERS.search = async (root, input: any) => {
    const text = await readFile(safePath(root, input.path), 'utf8')
    const found = text.split('\n').filter((line) => line.includes(input.word))
    return found.slice(0, input.limit).join('\n')
  }
  // #endregion
  console.log(`The model can be told: ${Object.keys(TOOL_HANDLERS).join(', ')}`)
  for (const { name, input } of calls) {
    console.log(`${name} ${JSON.stringify(input)}`)
    console.log(indent((await dispatch(workspace.root, name, input)) || '(nothing)'))
  }
}

async function showEngine(): Promise<void> {
  // #region search-tool
  const searchInput = z.strictObject({
    path: z.string().describe('The file to search.'),
    word: z.string().min(1).describe('What a line must contain.'),
    limit: z.number().int().min(1).optional().describe('How many lines to show. All if left out.'),
  })
  const searchTool: Tool<typeof searchInput> = {
    name: 'search',
    description: 'Finds the lines of a file that contain a word.',
    inputSchema: searchInput,
    async call({ path, word, limit }, { cwd }) {
      const text = await readFile(safePath(cwd, path), 'utf8')
      const found = text.split('\n').filter((line) => line.includes(word))
      if (found.length === 0) return { success: false, error: `No line of ${path} contains "${word}".` }
      return { success: true, output: found.slice(0, limit).join('\n') }
    },
  }
  TOOL_REGISTRY.set(searchTool.name, searchTool)
  // #endregion

  console.log('The model is told:')
  for (const { name, input_schema } of getToolSchemas()) console.log(`    ${name} {${fieldsOf(input_schema)}}`)
  for (const { name, input } of calls) {
    console.log(`${name} ${JSON.stringify(input)}`)
    const result = await callTool(name, input, ctx)
    console.log(indent(result.success ? `✓ ${result.output}` : `✗ ${result.error}`))
  }
  console.log('In the loop of chapter 02:')
  console.log(indent(await runInLoop()))
}

/** A conversation with a model that calls a tool wrongly, reads why, and mends its call. */
async function runInLoop(): Promise<string> {
  const model = scriptedModel([
    { calls: [{ name: 'read_file', input: { path: 'notes.txt', start: 3 } }] },
    { calls: [{ name: 'read_file', input: { path: 'notes.txt', start_line: 3 } }] },
    { text: 'One is left: greet loudly.' },
  ])
  // #region adapter
  const { messages } = await agentLoop({
    model,
    tools: getToolSchemas(),
    dispatch: async (name, input) => {
      const result = await callTool(name, input, ctx)
      return result.success ? result.output : { content: result.error, is_error: true }
    },
    messages: [{ role: 'user', content: 'What does the last note say?' }],
    maxTurns: 5,
  })
  // #endregion
  return messages.flatMap(({ role, content }) => linesOf(role, content)).join('\n')
}

function linesOf(role: string, content: string | object[]): string[] {
  if (typeof content === 'string') return [`${role}: ${content}`]
  return content.map((block: any) => {
    if (block.type === 'tool_use') return `${role}: ${block.name} ${JSON.stringify(block.input)}`
    if (block.type !== 'tool_result') return `${role}: ${block.text}`
    const lines = block.content.split('\n')
    return `${role}: ${block.is_error ? `✗ ${lines[1]}` : `✓ ${lines[0]}`}`
  })
}

/** The fields of an input as short text: `path: string, limit?: integer`. */
function fieldsOf(schema: Record<string, any>): string {
  const required = (field: string) => schema.required?.includes(field)
  return Object.entries<any>(schema.properties)
    .map(([field, { type }]) => `${field}${required(field) ? '' : '?'}: ${type}`)
    .join(', ')
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ')
}
