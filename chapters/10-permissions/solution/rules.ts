import { readDomain } from '../given/domains.ts'
import { pathPatternFault } from '../given/name-pattern.ts'
import { currentName, isFileTool } from '../given/tool-names.ts'
import { type ActiveRule, type PermissionRule, type Rule, RuleError, type Specifier } from '../given/types.ts'

export * from '../given/types.ts'

/**
 * Reads a rule: `Tool` or `Tool(specifier)`. Blanks around it count for nothing.
 *
 * - A tool's name is letters, digits, `_` and `-`, and `*` for any text: `Bash`, `mcp__github`, `mcp__github__get_*`.
 * - The specifier begins behind the first `(` and ends before a `)` that is the rule's last character. It may hold
 *   parentheses itself, but it is not empty or blank, and has no control characters in it.
 * - What it means is up to the tool: `readSpecifier`.
 *
 * Throws a RuleError for whatever else: the rule as it is written, what was expected, and at which position of the rule,
 * in UTF-16 code units. Never returns a rule that means less than it says. Expected is, in your own words but with these
 * in them:
 *
 * - a `name`, where none begins the rule; `(` or the `end`, where something else stands behind it;
 * - a `)`, at the end of the rule without one;
 * - `something` that is not `blank` or `empty`, behind the `(`, where there is nothing;
 * - no `control` characters, at the first one.
 */
export function parseRule(text: string): Rule {
  // #region task 1: Take the rule apart, and say exactly where it stops making sense.
  const start = text.length - text.trimStart().length
  const trimmed = text.trim()
  const fail = (expected: string, position: number): never => {
    throw new RuleError(text, { expected, position: start + position })
  }
  const [toolName] = /^[\w*-]*/.exec(trimmed)!
  if (toolName === '') fail("a tool's name", 0)
  const rest = trimmed.slice(toolName.length)
  if (rest === '') return { text: trimmed, toolName, specifier: { type: 'any' } }
  if (!rest.startsWith('(')) fail('( or the end', toolName.length)
  if (!rest.endsWith(')')) fail(') as the last character', trimmed.length)

  const inside = rest.slice(1, -1)
  const at = toolName.length + 1
  if (inside.trim() === '') fail('something between ( and )', at)
  const control = inside.search(/\p{Cc}/u)
  if (control !== -1) fail('no control characters', at + control)
  const specifier = readSpecifier(toolName, inside)
  if ('expected' in specifier) return fail(specifier.expected, at + specifier.position)
  return { text: trimmed, toolName, specifier }
  // #endregion
}

/**
 * What a specifier means for a tool, or what was expected instead and where in the specifier.
 *
 * - Bash: a command. `*` alone is any. `:*` at the end is ` *`; anywhere else a colon is a colon.
 * - Tools that read or change files (`isFileTool`): a path pattern, and `pathPatternFault` knows what is wrong with it.
 * - WebFetch: `domain:` and a `host` that `readDomain` can read, or `*`, which is any.
 * - A tool of an MCP server (`mcp__…`) takes `nothing`: there the `(` itself is wrong, one before the specifier.
 * - Every other tool: `*`, which is any, or `parameter:value`, or a bare value where the tool has a parameter that
 *   goes without saying (`DEFAULT_PARAMETERS`). A value may have any characters in it.
 *
 * What was expected has the words in it that stand in backquotes here. Positions are those where that should have begun.
 * Old names of a tool count as the new one (`currentName`).
 */
function readSpecifier(toolName: string, inside: string): Specifier | { expected: string; position: number } {
  const tool = currentName(toolName)
  // #region task 1: Read the specifier as the tool's rules are read.
  if (tool.startsWith('mcp__')) return { expected: 'nothing behind the name of an MCP tool', position: -1 }
  if (isFileTool(tool)) return pathPatternFault(inside) ?? { type: 'path', pattern: inside }
  if (inside === '*') return { type: 'any' }
  if (tool === 'Bash') return { type: 'command', pattern: inside.replace(/:\*$/, ' *') }
  if (tool === 'WebFetch') {
    if (!inside.startsWith('domain:')) return { expected: 'domain: and a host', position: 0 }
    const pattern = readDomain(inside.slice('domain:'.length))
    return pattern ? { type: 'domain', pattern } : { expected: 'a host', position: 'domain:'.length }
  }
  const [, name, value] = /^(\w+):(.+)$/s.exec(inside) ?? []
  if (name) return { type: 'parameter', name, pattern: value }
  const implied = Object.hasOwn(DEFAULT_PARAMETERS, tool) ? DEFAULT_PARAMETERS[tool] : undefined
  return implied ? { type: 'parameter', name: implied, pattern: inside } : { expected: 'parameter:value', position: 0 }
  // #endregion
}

/** The parameter that a bare specifier is about. */
const DEFAULT_PARAMETERS: Record<string, string> = { Agent: 'subagent_type', Skill: 'skill' }

/** Reads all rules of a session. The first that cannot be read is a RuleError that names its source, too. */
export function readRules(rules: readonly PermissionRule[]): ActiveRule[] {
  return rules.map((rule) => {
    try {
      return { ...rule, rule: parseRule(rule.text) }
    } catch (error) {
      if (error instanceof RuleError) throw new RuleError(rule.text, { ...error, source: rule.source })
      throw error
    }
  })
}
