import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rgPath } from '@vscode/ripgrep'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { toApiTool } from '#05-build-tool/tool.ts'
import { GlobTool } from '#06-reading/glob.ts'
import { GrepTool } from '#06-reading/grep.ts'
import { ReadTool } from '#06-reading/read.ts'
import { createContext } from '#support/context.ts'
import { toolDispatch } from '#support/run-tool.ts'
import { scriptedModel } from '#support/scripted-model.ts'
import { createWorkspace } from '#support/workspace.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const workspace = await createWorkspace({
  '.git/HEAD': '',
  '.gitignore': 'dist/\n',
  'src/build.ts': "run('cargo', '--release')\nrun('strip')\n",
  'dist/app.js': 'app()\n',
  'notes.txt': 'one\ntwo\nthree\nfour\nfive\n',
})
await workspace.write('logo.png', Buffer.from(PIXEL, 'base64'))

// #region calls
/** What a model asks for on its first look at a project. */
const calls = [
  { name: 'Grep', input: { pattern: '--release', output_mode: 'content' } },
  { name: 'Glob', input: { pattern: 'dist/*.js' } },
  { name: 'Read', input: { file_path: 'notes.txt', offset: 4, limit: 1 } },
  { name: 'Read', input: { file_path: 'notes.txt', offset: 100 } },
  { name: 'Read', input: { file_path: 'logo.png' } },
]
// #endregion

try {
  if (process.argv[2] === 'before') showNaive()
  else await showTools()
} finally {
  await workspace.remove()
}

/** What people write first. */
function showNaive(): void {
  // #region naive
  const rg = (...words: string[]) =>
    execFileSync(rgPath, words, { cwd: workspace.root, encoding: 'utf8', stdio: 'pipe' })
  const tools: Record<string, (input: any) => string> = {
    Grep: ({ pattern }) => rg(pattern, '.'),
    Glob: ({ pattern }) => rg('--files', '--glob', pattern),
    Read: ({ file_path, offset = 1, limit = 2000 }) => {
      const lines = readFileSync(workspace.path(file_path), 'utf8').split('\n')
      return lines.slice(offset - 1, offset - 1 + limit).join('\n') || 'The file is empty.'
    },
  }
  // #endregion
  for (const { name, input } of calls) {
    console.log(`${name} ${JSON.stringify(input)}`)
    try {
      console.log(indent(printable(tools[name](input))))
    } catch (error) {
      const { stderr, status } = error as { stderr: string; status: number }
      console.log(indent(stderr.split('\n')[0] || `failed with exit code ${status}`))
    }
  }
}

/** The same calls, by a model in the loop of chapter 02. */
async function showTools(): Promise<void> {
  // #region loop
  const tools = [ReadTool, GrepTool, GlobTool]
  const { messages } = await agentLoop({
    model: scriptedModel([{ calls }, { text: 'It builds a release, and the notes have five lines.' }]),
    tools: await Promise.all(tools.map((tool) => toApiTool(tool, { tools }))),
    dispatch: toolDispatch(tools, createContext(workspace.root)),
    messages: [{ role: 'user', content: 'What is in this project?' }],
    maxTurns: 5,
  })
  // #endregion
  const [, , results, last] = messages
  for (const [index, { name, input }] of calls.entries()) {
    console.log(`${name} ${JSON.stringify(input)}`)
    console.log(indent(shown((results.content as any[])[index].content)))
  }
  console.log(`The model says: ${(last.content as any[])[0].text}`)
}

function shown(content: string | any[]): string {
  if (typeof content === 'string') return content
  return content
    .map(({ type, source }) => `[${type}: ${source.media_type}, ${source.data.length} characters]`)
    .join('\n')
}

/** Text with everything that a terminal could not show as a question mark, cut to one line of it. */
function printable(text: string): string {
  const isBinary = text.includes('\0')
  const safe = text.replace(/[^\n\t\x20-\x7e]/g, '?')
  return isBinary ? `${safe.replaceAll('\n', '?').slice(0, 60)}…` : safe
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ')
}
