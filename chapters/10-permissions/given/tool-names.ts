import type { DecidableTool, Rule, RuleBehavior } from './types.ts'
import { fitsPieces, hasWildcard, piecesOf } from './wildcard.ts'

/** Names that tools once had. A rule by an old name still counts. */
const OLD_NAMES: Record<string, string> = { Task: 'Agent', MultiEdit: 'Edit', LS: 'Glob', KillBash: 'KillShell' }

/** What a tool does to files. A rule for Read is about all that read, one for Edit about all that change. */
const READING = ['Read', 'Grep', 'Glob']
const EDITING = ['Edit', 'Write', 'NotebookEdit']

export type ToolKind = 'command' | 'read' | 'edit' | 'fetch' | 'mcp' | 'other'

/** What kind of call it is. A server's tool is one of a server, whatever else it calls itself. */
export function kindOf(tool: Pick<DecidableTool, 'name' | 'aliases'>): ToolKind {
  if (tool.name.startsWith('mcp__')) return 'mcp'
  const names = namesOf(tool)
  if (names.includes('Bash')) return 'command'
  if (names.some((name) => READING.includes(name))) return 'read'
  if (names.some((name) => EDITING.includes(name))) return 'edit'
  return names.includes('WebFetch') ? 'fetch' : 'other'
}

/** The name that a tool has now. */
export function currentName(name: string): string {
  return Object.hasOwn(OLD_NAMES, name) ? OLD_NAMES[name] : name
}

/** What a specifier of this tool's rules names: a path or something else. */
export function isFileTool(name: string): boolean {
  return [...READING, ...EDITING].includes(currentName(name))
}

/**
 * Whether a rule is about this tool at all, whatever its specifier says.
 *
 * - By the tool's name, an alias, or a name that it once had. `Read` is about Grep and Glob, too; `Edit` about Write and
 *   NotebookEdit.
 * - `mcp__server` and `mcp__server__*` are about all tools of the server.
 * - A pattern may stand for any name where it denies or asks. To allow it must name the server: `mcp__*` allows nothing,
 *   nor does `*`. And a server's tool is allowed by its own name only.
 */
export function isAbout(rule: Rule, tool: Pick<DecidableTool, 'name' | 'aliases'>, behavior: RuleBehavior): boolean {
  const wanted = currentName(rule.toolName)
  const kind = kindOf(tool)
  const names = kind === 'mcp' && behavior === 'allow' ? [tool.name] : namesOf(tool)
  if (wanted === 'Read' && kind === 'read') return true
  if (wanted === 'Edit' && kind === 'edit') return true
  if (!hasWildcard(wanted)) {
    const isServer = /^mcp__(?:(?!__).)+$/.test(wanted)
    return names.includes(wanted) || (isServer && names.some((name) => name.startsWith(`${wanted}__`)))
  }
  if (behavior === 'allow' && !/^mcp__[^*]*[^*_]__/.test(wanted)) return false
  return names.some((name) => fitsPieces(name, piecesOf(wanted)))
}

function namesOf(tool: Pick<DecidableTool, 'name' | 'aliases'>): string[] {
  return [tool.name, ...tool.aliases].map(currentName)
}
