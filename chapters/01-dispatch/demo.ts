import { dispatch } from '#01-dispatch/dispatch.ts'
import { createWorkspace } from '#support/workspace.ts'

const workspace = await createWorkspace({
  'src/greet.ts': "export const greet = (name: string) => 'Hello ' + name\n",
  '../proj-secrets/key': 'hunter2\n',
})

// #region calls
/** What a model might ask for. Nobody promises that the names and the paths make sense. */
const calls = [
  { name: 'bash', input: { command: 'ls src' } },
  { name: 'read_file', input: { path: 'src/greet.ts' } },
  { name: 'edit_file', input: { path: 'src/greet.ts', old_text: "'Hello '", new_text: "'$& '" } },
  { name: 'read_file', input: { path: '../proj-secrets/key' } },
  { name: 'constructor', input: {} },
]
// #endregion

const run =
  process.argv[2] === 'before' ? runNaively : (name: string, input: any) => dispatch(workspace.root, name, input)
try {
  for (const { name, input } of calls) {
    console.log(`${name} ${JSON.stringify(input)}`)
    console.log(indent(await run(name, input)))
  }
  console.log('src/greet.ts is now:')
  console.log(indent(await workspace.text('src/greet.ts')))
} finally {
  await workspace.remove()
}

/** What people write first. It works until a model uses it. */
async function runNaively(name: string, input: any): Promise<string> {
  const { readFile, writeFile } = await import('node:fs/promises')
  const { execSync } = await import('node:child_process')
  // #region naive
  const tools: Record<string, (input: any) => unknown> = {
    bash: ({ command }) => execSync(command, { cwd: workspace.root }),
    read_file: ({ path }) => readFile(workspace.path(path), 'utf8'),
    edit_file: async ({ path, old_text, new_text }) => {
      const text = await readFile(workspace.path(path), 'utf8')
      await writeFile(workspace.path(path), text.replace(old_text, new_text))
      return 'done'
    },
  }
  return String(await tools[name](input))
  // #endregion
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '    ')
}
