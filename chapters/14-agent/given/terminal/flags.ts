import { parseArgs } from 'node:util'
import type { Features } from '#09-registry/registry.ts'
import type { PermissionMode, PermissionRule } from '#10-permissions/decide.ts'
import type { McpServerConfig } from '#13-one-interface/mcp-connection.ts'
import { Problem } from './problem.ts'

export interface Flags {
  /** What to do first. */
  task: string | undefined
  /** Do the task and end: nobody is asked. */
  print: boolean
  cwd: string
  model: string | undefined
  mode: PermissionMode
  rules: PermissionRule[]
  features: Features
  servers: McpServerConfig[]
}

const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const

/** What may stand on the command line. */
export const FLAGS = {
  task: { type: 'string' },
  print: { type: 'boolean' },
  cwd: { type: 'string' },
  model: { type: 'string' },
  mode: { type: 'string' },
  allow: { type: 'string', multiple: true },
  ask: { type: 'string', multiple: true },
  deny: { type: 'string', multiple: true },
  feature: { type: 'string', multiple: true },
  mcp: { type: 'string', multiple: true },
} as const

/** Reads the command line. Throws a Problem for what it does not know. */
export function readFlags(words: string[]): Flags {
  const values = parse(words)
  const mode = MODES.find((known) => known === (values.mode ?? 'default'))
  if (!mode) throw new Problem(2, `There is no mode "${values.mode}". There are: ${MODES.join(', ')}.`)
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((behavior) =>
    (values[behavior] ?? []).map((text): PermissionRule => ({ text, behavior, source: 'cli' })),
  )
  return {
    task: values.task,
    print: values.print ?? false,
    cwd: values.cwd ?? process.cwd(),
    model: values.model,
    mode,
    rules,
    features: { sleep: values.feature?.includes('sleep') },
    servers: (values.mcp ?? []).map(readServer),
  }
}

function parse(words: string[]) {
  try {
    return parseArgs({ args: words, options: FLAGS }).values
  } catch (error) {
    throw new Problem(2, (error as Error).message)
  }
}

/** `files=npx some-server "my dir"`: a name, and the command line that starts it. Quotes keep blanks together. */
function readServer(text: string): McpServerConfig {
  const [, name, line] = /^([^=\s]+)=(.+)$/s.exec(text) ?? []
  const [command, ...args] = (line?.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replace(/^(["'])(.*)\1$/s, '$2'),
  )
  if (command) return { name, command, args }
  throw new Problem(2, `--mcp wants a name and a command, as in --mcp "files=npx some-server .", got "${text}".`)
}
