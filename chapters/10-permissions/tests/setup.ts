import { runInNewContext } from 'node:vm'
import { z } from 'zod'
import { buildTool } from '#05-build-tool/tool.ts'
import type { ActiveRule, PermissionContext, PermissionRule, RuleBehavior, RuleSource } from '../given/types.ts'

/** A call with rules, as the tests write it: each rule as a text, by what it says. */
export interface Rules {
  allow?: string[]
  ask?: string[]
  deny?: string[]
}

const BEHAVIORS = ['allow', 'ask', 'deny'] as const

/** The rules as settings would have them, all of one source. */
export function settings(rules: Rules, source: RuleSource = 'user'): PermissionRule[] {
  return BEHAVIORS.flatMap((behavior) => (rules[behavior] ?? []).map((text) => ({ text, behavior, source })))
}

/** A rule that has been read: `Tool`, `Bash(pattern)`, or another tool's `Tool(path)`. It does not need `parseRule`. */
export function activeRule(text: string, behavior: RuleBehavior = 'allow', source: RuleSource = 'user'): ActiveRule {
  const [, toolName, pattern] = /^([\w*-]+)(?:\((.*)\))?$/s.exec(text)!
  const type = toolName === 'Bash' ? ('command' as const) : ('path' as const)
  const specifier = pattern === undefined || pattern === '*' ? { type: 'any' as const } : { type, pattern }
  return { text, behavior, source, rule: { text, toolName, specifier } }
}

export function activeRules(rules: Rules): ActiveRule[] {
  return BEHAVIORS.flatMap((behavior) => (rules[behavior] ?? []).map((text) => activeRule(text, behavior)))
}

/** A workspace that needs not exist: nothing is read of it. */
export const WORLD: PermissionContext = {
  mode: 'default',
  rules: [],
  roots: ['/srv/proj'],
  cwd: '/srv/proj',
  home: '/home/u',
  platform: process.platform,
  caseInsensitive: false,
  trusted: true,
}

/** Ends what would go on for hours: what takes no time at all is far from the limit, on any machine. */
export function ended<Result>(action: () => Result): Result {
  return runInNewContext('action()', { action }, { timeout: 3_000 })
}

const READING = ['Read', 'Grep', 'Glob', 'WebFetch', 'ToolSearch']

/** A tool by name that does nothing. */
export function toolNamed(name: string, overrides: Partial<Parameters<typeof buildTool>[0]> = {}) {
  return buildTool({
    name,
    inputSchema: z.looseObject({}),
    maxResultSizeChars: 1_000,
    prompt: async () => name,
    call: async () => ({ data: name }),
    isReadOnly: () => READING.includes(name),
    ...overrides,
  })
}

/** The input of a call of this tool about one thing: a command, an address, a file. */
export function inputOf(tool: string, about: string): Record<string, unknown> {
  if (tool === 'Bash') return { command: about }
  if (tool === 'WebFetch') return { url: about }
  if (tool.startsWith('mcp__')) return {}
  if (tool === 'NotebookEdit') return { notebook_path: about }
  return tool === 'Grep' ? { pattern: 'x', path: about } : { file_path: about }
}
