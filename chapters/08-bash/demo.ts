import { execSync } from 'node:child_process'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { toApiTool } from '#05-build-tool/tool.ts'
import { BashOutputTool, KillShellTool } from '#08-bash/background-tools.ts'
import { BashTool } from '#08-bash/bash.ts'
import { checkReadOnlyConstraints } from '#08-bash/read-only.ts'
import { endBashSession } from '#08-bash/session.ts'
import { createContext } from '#support/context.ts'
import { toolDispatch } from '#support/run-tool.ts'
import { scriptedModel } from '#support/scripted-model.ts'
import { createWorkspace } from '#support/workspace.ts'

const workspace = await createWorkspace({
  'src/greet.ts': "export const greet = (name: string) => 'Hello ' + name\n",
  'server.sh': 'echo listening\nwhile true; do sleep 0.1; done\n',
})

// #region commands
/** Commands that begin with something harmless. Which of them may run without a question? */
const commands = [
  'ls -la | head -3',
  'git log --oneline',
  'git log --output=notes.txt',
  "find . -name '*.ts' | xargs wc -l",
  "find . -name '*.ts' | xargs rm",
  'ls && rm -rf src',
  'ls > src/greet.ts',
  'echo "$(rm -rf src)"',
  'sort -uo src/greet.ts server.sh',
]
// #endregion

try {
  if (process.argv[2] === 'before') await showNaive()
  else await showAgent()
} finally {
  await workspace.remove()
}

/** What people write first. */
async function showNaive(): Promise<void> {
  // #region naive
  const SAFE = ['ls', 'cat', 'git log', 'find', 'echo', 'sort']
  const isReadOnly = (command: string) => SAFE.some((safe) => command.startsWith(safe))
  const bash = (command: string) => execSync(command, { cwd: workspace.root, timeout: 500, stdio: 'pipe' })
  // #endregion
  for (const command of commands) console.log(`${isReadOnly(command) ? 'runs unasked' : 'asks'}  ${command}`)
  console.log('\nbash server.sh & sleep 60, with a time limit of 500 ms:')
  try {
    bash('exec > /dev/null 2>&1; bash server.sh & echo $! > pid; sleep 60')
  } catch (error) {
    console.log(`    ${(error as Error).message.split('\n')[0].replace(/spawnSync .* /, '')}`)
  }
  const pid = Number(await workspace.text('pid'))
  console.log(`    the server is ${isAlive(pid) ? 'still running' : 'gone'}`)
  process.kill(pid, 'SIGKILL')
}

/** A model that uses the tools of this chapter. */
async function showAgent(): Promise<void> {
  for (const command of commands) {
    const decision = checkReadOnlyConstraints({ command })
    console.log(`${decision.behavior === 'allow' ? 'runs unasked' : 'asks        '}  ${command}`)
  }
  const context = createContext(workspace.root)
  const tools = [BashTool, BashOutputTool, KillShellTool]
  const model = scriptedModel([
    { calls: [{ name: 'Bash', input: { command: 'cd src && ls; echo oops >&2; exit 3' } }] },
    { calls: [{ name: 'Bash', input: { command: 'cat greet.ts | wc -l' } }] },
    { calls: [{ name: 'Bash', input: { command: 'yes | head -c 200000000 | tail -c 8', timeout: '60000' } }] },
    { calls: [{ name: 'Bash', input: { command: 'while ! curl localhost; do sleep 1; done' } }] },
    { calls: [{ name: 'Bash', input: { command: 'bash ../server.sh', run_in_background: true } }] },
    { calls: [{ name: 'KillShell', input: { shell_id: 'bash_1' } }] },
    { text: 'Done: the server starts.' },
  ])
  const { messages } = await agentLoop({
    model,
    tools: await Promise.all(tools.map((tool) => toApiTool(tool, { tools }))),
    dispatch: toolDispatch(tools, context),
    messages: [{ role: 'user', content: 'Does the server start?' }],
    maxTurns: 10,
  })
  await endBashSession(context)
  console.log()
  for (const { content } of messages) if (typeof content !== 'string') for (const block of content) print(block)
}

function print(block: any): void {
  if (block.type === 'tool_use') console.log(`${block.name} ${JSON.stringify(block.input)}`)
  else if (block.type === 'tool_result') console.log(block.content.trimEnd().replace(/^/gm, '    '))
  else console.log(block.text)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
