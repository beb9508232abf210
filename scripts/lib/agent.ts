import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startMessagesServer } from '../../chapters/support/messages-server.ts'
import { copySample } from '../../chapters/support/sample.ts'
import { DEFAULT_SCENARIO, findScenario, listScenarios, type Scenario } from '../../chapters/support/scenario.ts'
import { ROOT } from './chapters.ts'
import type { ExitCode } from './command.ts'
import { onOwnCode } from './own-code.ts'
import { WrongUse } from './wrong-use.ts'

/** What the learner asked for. */
interface Wish {
  scenario: Scenario | undefined
  /** The words that chose the scenario. */
  chosenBy?: string
  task: string | undefined
  print: boolean
  /** Flags that are handed on as they are. */
  flags: string[]
}

/** Flags of the agent itself, each with a value: what that is, and what the flag does. */
const FLAGS = {
  model: ['NAME', 'the model to ask, if not the first that the server lists'],
  mode: ['MODE', 'default, acceptEdits, plan, dontAsk or bypassPermissions'],
  allow: ['RULE', 'what runs unasked, as in "Bash(npm test)"'],
  ask: ['RULE', 'what is always asked'],
  deny: ['RULE', 'what never runs'],
  mcp: ['NAME=COMMAND', 'an MCP server whose tools join, and how it is started'],
} as const
const HANDED_ON = Object.keys(FLAGS) as Array<keyof typeof FLAGS>
const CLI = join(ROOT, 'chapters', '14-agent', 'given', 'cli.ts')

/**
 * Runs the agent: on a scenario, offline, or on the learner's own task with a model. `--help` only says what there is.
 * Throws WrongUse for what cannot be meant.
 */
export async function runAgentCommand(words: string[]): Promise<ExitCode> {
  const wish = readWish(words)
  if (wish === 'help') {
    console.log(help())
    return 0
  }
  const hasKey = Boolean(process.env.ANTHROPIC_API_KEY || process.env.ANTHROPIC_AUTH_TOKEN)
  if (wish.scenario) return runOffline(wish.scenario, wish)
  if (hasKey) return runLive(wish)
  if (wish.task !== undefined) {
    throw new WrongUse(`A task of your own needs a model: set ANTHROPIC_API_KEY.\n\n${offlineHelp()}`)
  }
  if (!isTerminal() || wish.print) {
    throw new WrongUse(`There is no key in ANTHROPIC_API_KEY, and no scenario is named.\n\n${offlineHelp()}`)
  }
  console.log(`There is no key in ANTHROPIC_API_KEY, so this is a scenario, offline.\n\n${scenarioList()}\n`)
  return runOffline(readScenario(DEFAULT_SCENARIO), wish)
}

/** The model of the scenario is a server on this machine; all else is the agent as it is. */
async function runOffline(scenario: Scenario, wish: Wish): Promise<ExitCode> {
  if (!wish.print && !isTerminal()) {
    throw new WrongUse(
      `There is no terminal here, so nobody could answer a question. With --print, nothing is asked: npm run agent -- --print ${wish.chosenBy}`,
    )
  }
  const sample = await copySample(scenario).catch((error: Error) => {
    throw new WrongUse(`The sample project cannot be copied: ${error.message}. TMPDIR says where temporary files go.`)
  })
  const server = await startMessagesServer(scenario, { cwd: sample.cwd })
  try {
    const { permissions = {}, features = {}, task, name } = scenario
    const rules = (['allow', 'ask', 'deny'] as const).flatMap((behavior) =>
      (permissions[behavior] ?? []).flatMap((rule) => [`--${behavior}`, rule]),
    )
    const flags = [...rules, ...(features.sleep ? ['--feature', 'sleep'] : []), ...wish.flags]
    if (!wish.print) console.log(`The scenario ${name}, in a copy of the sample project ${scenario.sample}.`)
    return await startCli(['--cwd', sample.cwd, '--task', wish.task ?? task, ...flags], wish, {
      ANTHROPIC_API_KEY: 'offline',
      ANTHROPIC_AUTH_TOKEN: undefined,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_MODEL: undefined,
    })
  } finally {
    await server.close()
    await sample.remove()
  }
}

function runLive(wish: Wish): Promise<ExitCode> {
  const task = wish.task === undefined ? [] : ['--task', wish.task]
  return startCli(['--cwd', process.env.INIT_CWD ?? process.cwd(), ...task, ...wish.flags], wish, {})
}

/** Starts the agent on the learner's code for the chapters that are finished, and waits for its end. */
function startCli(words: string[], { print }: Wish, env: Record<string, string | undefined>): Promise<ExitCode> {
  const line = onOwnCode(CLI, [...words, ...(print ? ['--print'] : [])])
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, line, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } })
    // The terminal sends Ctrl-C to both of us: what it means, the agent decides.
    const stay = () => {}
    const handOn = (signal: NodeJS.Signals) => void child.kill(signal)
    process.on('SIGINT', stay).on('SIGTERM', handOn).on('SIGHUP', handOn)
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('SIGINT', stay).off('SIGTERM', handOn).off('SIGHUP', handOn)
      resolve(code === 0 || code === 2 ? code : 1)
    })
  })
}

/** Reads the words. One that stands alone is a scenario, or a file of one; a text with blanks in it is a task. */
function readWish(words: string[]): Wish | 'help' {
  const { values, positionals } = parse([...words, ...takenByNpm()])
  if (values.help) return 'help'
  const print = values.print ?? false
  const flags = HANDED_ON.flatMap((name) => [values[name] ?? []].flat().flatMap((value) => [`--${name}`, value]))
  if (positionals.length > 1) {
    throw new WrongUse(`Expected one task, in quotes, or one scenario, got ${positionals.join(' | ')}.`)
  }
  const [word] = positionals
  if (values.scenario !== undefined) {
    const chosenBy = `--scenario ${quoted(values.scenario)}`
    return { scenario: readScenario(values.scenario), chosenBy, task: word, print, flags }
  }
  if (word === undefined || /\s/.test(word) || (print && !isScenario(word))) {
    return { scenario: undefined, task: word, print, flags }
  }
  return { scenario: readScenario(word), chosenBy: word, task: undefined, print, flags }
}

/**
 * The flags that npm has taken for its own, because no `--` stood before them: it hands them on in the environment. Of
 * those with a value it knows only the ones that were written with `=`.
 */
function takenByNpm(env = process.env): string[] {
  const words = HANDED_ON.flatMap((name) => {
    const value = env[`npm_config_${name}`]
    if (value === undefined) return []
    if (value !== '' && value !== 'true') return [`--${name}`, value]
    throw new WrongUse(`npm keeps flags for itself unless -- stands before them: npm run agent -- --${name} VALUE`)
  })
  return env.npm_config_print === undefined ? words : ['--print', ...words]
}

function parse(words: string[]) {
  const text = { type: 'string' } as const
  const several = { type: 'string', multiple: true } as const
  try {
    return parseArgs({
      // `--print=task` is the same as `--print task`.
      args: words.flatMap((word) =>
        word.startsWith('--print=') ? ['--print', word.slice('--print='.length)] : [word],
      ),
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        print: { type: 'boolean' },
        scenario: text,
        model: text,
        mode: text,
        allow: several,
        ask: several,
        deny: several,
        mcp: several,
      },
    })
  } catch (error) {
    throw new WrongUse(`${(error as Error).message}\n\n${help()}`)
  }
}

/** Throws WrongUse that lists what there is, or says what is wrong with the file. */
function readScenario(word: string): Scenario {
  try {
    return findScenario(word, process.env.INIT_CWD)
  } catch (error) {
    throw new WrongUse((error as Error).message)
  }
}

function isScenario(word: string): boolean {
  return /\.ya?ml$/.test(word) || listScenarios().some(({ name }) => name === word)
}

function isTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : JSON.stringify(word)
}

function help(): string {
  const flags: Array<[string, string]> = [
    ['--print', 'do one task and end: the text goes to stdout, and nobody is asked'],
    ['--scenario NAME', 'play a scenario, or a file of one'],
    ...HANDED_ON.map((name): [string, string] => [`--${name} ${FLAGS[name][0]}`, FLAGS[name][1]]),
    ['--help', 'this'],
  ]
  const width = Math.max(...flags.map(([flag]) => flag.length))
  return `npm run agent                          with a key in ANTHROPIC_API_KEY: on your own task
npm run agent ${DEFAULT_SCENARIO.padEnd(24)} a scenario, offline
npm run agent -- --print "TASK"        one task, without a terminal

Flags stand behind \`--\`. The rules and --mcp may stand several times.

${flags.map(([flag, about]) => `  ${flag.padEnd(width)}  ${about}`).join('\n')}

${offlineHelp()}`
}

function offlineHelp(): string {
  return `Without a key, there are scenarios, which need no network: npm run agent ${DEFAULT_SCENARIO}
Without a terminal: npm run agent -- --print --scenario ${DEFAULT_SCENARIO}

${scenarioList()}`
}

function scenarioList(): string {
  const scenarios = listScenarios()
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  return scenarios.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')
}
