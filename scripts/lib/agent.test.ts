import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MessagesServer, startMessagesServer } from '../../chapters/support/messages-server.ts'
import { findScenario } from '../../chapters/support/scenario.ts'
import { freshState } from './state.ts'
import { learnersEnvironment } from './testing/learners-environment.ts'
import { hasTerminal, LEFT_AS_IT_WAS, terminal } from './testing/terminal.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const state = freshState()
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'agent-command-')))
let api: MessagesServer
let page: Server

beforeAll(async () => {
  api = await startMessagesServer(findScenario('find-the-bug'), { apiKey: 'right', models: ['model-a', 'model-b'] })
  page = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Please log in</h1>')
  })
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  await api.close()
  page.close()
  state.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs `npm run agent word …` without npm and without a terminal, with this on stdin. */
function agent(words: string[], env: Record<string, string> = {}, stdin?: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/agent.ts', ...words], {
    cwd: ROOT,
    env: { ...learnersEnvironment(), ...state.env, NO_COLOR: '1', INIT_CWD: folder, ...env },
    // A group of its own, so that the test can see whether anything of it is left.
    detached: true,
  })
  const out = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    out.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    out.stderr += chunk
  })
  child.stdin.end(stdin)
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', async (code) => resolve({ code, left: await isLeft(child.pid!), ...out }))
  })
  return { ended, kill: (signal: NodeJS.Signals) => child.kill(signal), out }
}

interface Ended {
  code: number | null
  stdout: string
  stderr: string
  /** Whether a process of the group is still there. */
  left: boolean
}

/** What translates TypeScript is a process too, and ends a moment after ours. */
async function isLeft(group: number): Promise<boolean> {
  for (let look = 0; look < 100; look++) {
    try {
      process.kill(-group, 0)
    } catch {
      return false
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return true
}

const live = () => ({ ANTHROPIC_API_KEY: 'right', ANTHROPIC_BASE_URL: api.url })
const task = ['--print', 'Mend the prices.']

/** What is wrong, and what to do, and how the command ends. No one is shown where in the code it happened. */
async function complaint(words: string[], env: Record<string, string> = {}, stdin?: string) {
  const { code, stdout, stderr, left } = await agent(words, env, stdin).ended
  expect(left, 'a process is left').toBe(false)
  expect(stderr).not.toMatch(/\n\s+at |node_modules/)
  expect(stdout).toBe('')
  return { code, text: stderr.replaceAll(/\s+/g, ' ') }
}

describe.concurrent('npm run agent, called wrongly', () => {
  it('says without a key, a scenario and a terminal what there is', async () => {
    const { code, text } = await complaint([])
    expect(text).toContain('ANTHROPIC_API_KEY')
    expect(text).toContain('npm run agent find-the-bug')
    for (const name of ['overloaded', 'sub-agent']) expect(text).toContain(name)
    expect(code).toBe(2)
  })

  it('says that a task of your own needs a model', async () => {
    const { code, text } = await complaint(task)
    expect(text).toMatch(/needs a model: set ANTHROPIC_API_KEY/)
    expect(code).toBe(2)
  })

  it('names the scenario that was meant, and those that there are', async () => {
    const { code, text } = await complaint(['find-the-bog'])
    expect(text).toMatch(/no scenario "find-the-bog".*find-the-bug.*There are: .*overloaded/)
    expect(code).toBe(2)
  })

  it('names the line of a scenario file that is wrong', async () => {
    writeFileSync(join(folder, 'mine.yaml'), 'name: mine\nabout: x\ntask: x\nsample: price-list\nturns:\n  - txt: Hi\n')
    const { code, text } = await complaint(['mine.yaml'])
    expect(text).toMatch(/mine\.yaml:6.*txt.*text/)
    expect(code).toBe(2)
  })

  it.for<[string, string[], RegExp]>([
    ['a flag that there is not', ['--colour'], /--colour/],
    ['two tasks', ['a task', 'one more'], /one task/],
    ['a rule that cannot be read', ['find-the-bug', '--print', '--allow', 'Bash((x'], /Bash\(\(x.*expected/],
  ])('refuses %s', async ([, words, text]) => {
    const { code, stderr } = await agent(words).ended
    expect(stderr).toMatch(text)
    expect(code).toBe(2)
  })

  it('says that --print needs a task', async () => {
    const { code, text } = await complaint(['--print'], live())
    expect(text).toMatch(/no task.*--print/)
    expect(code).toBe(2)
  })

  it.for([
    ['there is no such program', 'no-such-program', /broken.*no-such-program/],
    ['it ends at once', `"${process.execPath}" -e "console.error(6*7)"`, /broken.*wrote: 42/],
  ] as const)('says which MCP server does not start, and what starts it: %s', async ([, line, words]) => {
    const { code, text } = await complaint(['--print', 'find-the-bug', '--mcp', `broken=${line}`])
    expect(text).toMatch(words)
    expect(text).toContain(`what starts it: ${line.replaceAll('"', '')}`)
    expect(code).toBe(1)
  })

  it('says what its flags are, asked for it and where one is wrong', async () => {
    const { code, stdout, stderr } = await agent(['--help']).ended
    for (const flag of ['print', 'scenario', 'model', 'mode', 'allow', 'ask', 'deny', 'mcp'])
      expect(stdout).toContain(`--${flag}`)
    expect([code, stderr]).toEqual([0, ''])
    expect((await agent(['--colour']).ended).stderr).toContain(stdout.trim())
  })

  it.for([
    [['find-the-bug'], '-- --print find-the-bug'],
    [['--scenario', 'overloaded', 'Do it now.'], '-- --print --scenario overloaded'],
  ] as const)('says without a terminal how to play %s', async ([words, line]) => {
    const { code, text } = await complaint([...words])
    expect(text).toMatch(/no terminal.*--print/)
    expect(text).toContain(`npm run agent ${line}`)
    expect(code).toBe(2)
  })

  it('does not take piped input for a person, and says what to do', async () => {
    const { code, text } = await complaint([], live(), 'mend the prices\n')
    expect(text).toMatch(/no terminal.*--print/)
    expect(code).toBe(2)
  })

  it('reads the flags that npm has kept for itself, and says so where their value is lost', async () => {
    const { code, text } = await complaint(['model-a'], { npm_config_model: 'true' })
    expect(text).toContain('npm run agent -- --model')
    expect(code).toBe(2)
    expect((await complaint(['Mend it.'], { npm_config_print: 'true' })).text).toContain('needs a model')
  })
})

describe.concurrent('npm run agent, with a server that is of no use', () => {
  it('says that the key is wrong', async () => {
    const { code, text } = await complaint(task, { ...live(), ANTHROPIC_API_KEY: 'wrong' })
    expect(text).toMatch(/does not take the key \(401: invalid x-api-key\).*ANTHROPIC_API_KEY/)
    expect(code).toBe(1)
  })

  it('says that nothing answers', async () => {
    const gone = await startMessagesServer(findScenario('find-the-bug'))
    await gone.close()
    const { code, text } = await complaint(task, { ...live(), ANTHROPIC_BASE_URL: gone.url })
    expect(text).toMatch(/Nothing answers at http:\S+ \(ECONNREFUSED\).*ANTHROPIC_BASE_URL/)
    expect(code).toBe(1)
  })

  it.for(['', '--model=model-a'])('says that a web page answers, asked with %j', async (flag) => {
    const words = flag ? [flag] : []
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
    const { code, text } = await complaint([...task, ...words], { ...live(), ANTHROPIC_BASE_URL: url })
    expect(text).toMatch(/is a web page, not the Messages API.*ANTHROPIC_BASE_URL/)
    expect(code).toBe(1)
  })

  it('says which models there are', async () => {
    const { code, text } = await complaint([...task, '--model', 'model-x'], live())
    expect(text).toMatch(/no model "model-x".*--model.*There are: model-a, model-b/)
    expect(code).toBe(1)
  })

  it('says that nothing can be written in the folder', async () => {
    // Whoever runs this as root can write everywhere but here.
    const isRoot = process.getuid?.() === 0
    const closed = isRoot ? '/proc' : mkdtempSync(join(folder, 'closed-'))
    if (!isRoot) chmodSync(closed, 0o555)
    const { code, text } = await complaint(task, { ...live(), INIT_CWD: closed })
    expect(text).toContain(`Nothing can be written in ${closed}`)
    expect(code).toBe(1)
  })

  it('says that the folder is gone', async () => {
    const gone = join(folder, 'gone')
    const { code, text } = await complaint(task, { ...live(), INIT_CWD: gone })
    expect(text).toContain(`There is no folder ${gone}`)
    expect(code).toBe(1)
  })
})

describe.concurrent('npm run agent, without a terminal', () => {
  it('plays a scenario, with the text on stdout and all else on stderr', async () => {
    const words = ['--print', '--scenario', 'find-the-bug', '--mode', 'acceptEdits', '--allow', 'Bash(node --test)']
    const { code, stdout, stderr } = await agent(words).ended
    expect(stdout).toContain('All 7 tests pass.')
    expect(stdout).not.toContain('●')
    expect(stderr).toMatch(/● Grep roundCents.*● Update src\/money\.js\n.*\n.*\n.*\n.*@@ /s)
    expect(stderr).toMatch(
      /5 turns · [\d,]+ tokens in \([\d,]+ of them cached\), \d+ out · [\d.]+ s · on our code in all/,
    )
    expect(code).toBe(0)
  })

  it("calls an MCP server's tool like its own, and leaves no server", async () => {
    const echo = 'mcp__everything__echo'
    const turns = [
      { text: 'I ask the server.', calls: [{ name: echo, input: { message: 'hello' } }] },
      { text: 'It has answered.', expect: 'Echo: hello' },
    ]
    const file = join(folder, 'with-mcp.yaml')
    writeFileSync(file, JSON.stringify({ name: 'with-mcp', about: 'x', task: 'x', sample: 'price-list', turns }))
    const server = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
    const starts = `everything="${process.execPath}" '${server}' stdio`
    const { code, stdout, stderr, left } = await agent(['--print', file, '--allow', echo, '--mcp', starts]).ended
    expect(stdout).toContain('It has answered.')
    expect(stderr).toContain('● everything: Echo')
    expect(left, 'a process is left').toBe(false)
    expect(code).toBe(0)
  })

  it('denies what would be a question', async () => {
    const { code, stderr } = await agent(['--print', 'find-the-bug']).ended
    expect(stderr).toMatch(/● Update src\/money\.js\n.*Nobody is there to ask/)
    expect(code).toBe(0)
  })

  it('ends when it is told to, and leaves nothing', async () => {
    const run = agent(['--print', 'parallel'])
    while (!run.out.stderr.includes('● Read') && !run.out.stdout.includes('I wait')) await new Promise(setImmediate)
    run.kill('SIGTERM')
    const { code, stderr, left } = await run.ended
    expect(stderr).toContain('Interrupted.')
    expect(left, 'a process is left').toBe(false)
    expect(code).toBe(1)
  })
})

describe.concurrent('npm run agent, in a terminal', () => {
  function agentIn(columns: number, words: string[]) {
    const line = [process.execPath, '--import', 'tsx', 'scripts/agent.ts', ...words].join(' ')
    return terminal(line, { cwd: ROOT, env: { ...learnersEnvironment(), ...state.env, INIT_CWD: folder }, columns })
  }

  it.skipIf(!hasTerminal)('asks, and does what the person says, in 40 columns', async () => {
    const { type, shown, ended } = agentIn(40, ['find-the-bug'])
    await shown('y yes')
    type('y')
    await shown('node --test')
    await shown('a always')
    type('a')
    await shown('All 7 tests pass')
    await shown('> ')
    type('/permissions\r')
    await shown('Bash(node --test)')
    type('/trace\r')
    await shown('└ ')
    type('/quit\r')
    const output = await ended()
    expect(output).toMatch(LEFT_AS_IT_WAS)
    const lines = output.replace(/[\s\S]*?\/help/, '').split(/[\r\n]+/)
    const wide = lines.filter((text) => plain(text).length > 40 && !text.includes('scripts/agent'))
    expect(wide).toEqual([])
  })

  it.skipIf(!hasTerminal)('lets the model read why the person said no', async () => {
    const { type, shown, ended } = agentIn(80, ['find-the-bug'])
    await shown('y yes')
    type('n')
    await shown('Why not?')
    type('it is Sunday\r')
    await shown('said no to this call of Edit: it is Sunday')
    await shown('> ')
    type('\x04')
    expect(await ended()).toMatch(LEFT_AS_IT_WAS)
  })

  it.skipIf(!hasTerminal)('interrupts at the first Ctrl-C, and leaves at the second', async () => {
    const { type, shown, ended } = agentIn(80, ['parallel'])
    await shown('○ Sleep')
    type('\x03')
    await shown('Interrupted.')
    await shown('> ')
    type('\x03')
    const output = await ended()
    expect(output).toMatch(/0 turns|1 turn /)
    expect(output).toMatch(LEFT_AS_IT_WAS)
  })
})

/** Without what moves the cursor or switches something. */
function plain(text: string): string {
  return text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[?\\d;]*[a-zA-Z]`, 'g'), '')
}
