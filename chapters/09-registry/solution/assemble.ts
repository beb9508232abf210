import type { AnyTool } from '#05-build-tool/tool.ts'
import { byCodeUnits, fits } from '../given/words.ts'

export interface ToolSources {
  /** The tools that come with the agent. */
  base: readonly AnyTool[]
  /** Tools of MCP servers, in whatever order the servers answered. */
  mcp?: readonly AnyTool[]
  /** Rules that say no. Only those that name a whole tool matter here, see `isDenied`. */
  deny?: readonly string[]
}

export interface Assembled {
  tools: AnyTool[]
  /** A sentence for a person about each tool of an MCP server that could not join. */
  warnings: string[]
}

/**
 * The tools of a session, as one list.
 *
 * - Only tools that are enabled and not denied are in it.
 * - Order: the base tools by name, then the MCP tools by name, both `byCodeUnits`. The order in which they were found
 *   makes no difference, neither to the tools nor to the warnings.
 * - A name or alias that two enabled base tools share is an Error that names both tools and what they share, also when
 *   one of them is denied.
 * - An MCP tool never takes a name or alias that any tool of `base` has, enabled or not, denied or not: it is left out,
 *   with a warning that names the MCP tool and the base tool. If two MCP tools that are enabled and not denied share a
 *   name or alias, nobody knows which of them a call would mean: both are left out, each with a warning that names one
 *   that it clashes with. The warnings are sorted `byCodeUnits`.
 * - A tool that is disabled or denied is left out without a word.
 *
 * Changes none of the arrays, and asks no tool for its schema or its prompt.
 */
export function assembleTools({ base, mcp = [], deny = [] }: ToolSources): Assembled {
  // #region task 3: Join the two lists so that each name means one tool, and the order depends on nothing but names.
  const isThere = (tool: AnyTool) => tool.isEnabled() && !isDenied(tool, deny)
  const builtIn = byName(base.filter((tool) => tool.isEnabled()))
  builtIn.forEach((tool, index) => {
    const clash = clashOf(tool, builtIn.slice(index + 1))
    if (clash) throw new Error(`The tools ${tool.name} and ${clash.other.name} are both called "${clash.name}".`)
  })

  const tools = builtIn.filter(isThere)
  const warnings: string[] = []
  const candidates = byName(mcp.filter(isThere))
  for (const tool of candidates) {
    const others = candidates.filter((candidate) => candidate !== tool)
    const clash = clashOf(tool, [...byAllNames(base), ...byAllNames(others)])
    if (!clash) {
      tools.push(tool)
      continue
    }
    const kind = base.includes(clash.other) ? 'built-in' : 'MCP'
    warnings.push(
      `Left out the MCP tool ${tool.name}: "${clash.name}" belongs to the ${kind} tool ${clash.other.name}.`,
    )
  }
  return { tools, warnings: warnings.toSorted(byCodeUnits) }
  // #endregion
}

/** The first of `others` that can be called by a name or alias of `tool`, and that name. */
function clashOf(tool: AnyTool, others: readonly AnyTool[]): { other: AnyTool; name: string } | undefined {
  // #region task 3: Find another tool that answers to one of this tool's names.
  for (const other of others) {
    const name = allNames(tool).find((own) => allNames(other).includes(own))
    if (name !== undefined) return { other, name }
  }
  return undefined
  // #endregion
}

/**
 * Whether a rule of `deny` takes the whole tool away. It does if it is
 *
 * - the tool's name or one of its aliases: `Bash`, or `Bash(*)`, which is the same;
 * - a pattern that fits one of them, `*` standing for any text (see `fits`): `mcp__github__*`, `mcp__*`;
 * - the server that the tool belongs to: `mcp__github` takes mcp__github__create_issue away. A server is `mcp__` and a
 *   name without `__` in it.
 *
 * Spaces around a rule count for nothing. A rule about some calls (`Bash(rm *)`) takes no tool away: those calls are
 * refused when they come (chapter 10).
 */
export function isDenied(tool: AnyTool, deny: readonly string[]): boolean {
  // #region task 3: Know a rule that names the tool, a pattern for it, or its server.
  return deny.some((rule) => {
    const whole = rule.trim().replace(/\(\*\)$/, '')
    const isServer = whole.startsWith('mcp__') && !whole.slice('mcp__'.length).includes('__')
    return allNames(tool).some((name) => fits(name, whole) || (isServer && name.startsWith(`${whole}__`)))
  })
  // #endregion
}

function allNames(tool: AnyTool): string[] {
  return [tool.name, ...tool.aliases]
}

/** By name and aliases: an order that does not depend on the one in which they came. */
function byAllNames(tools: readonly AnyTool[]): AnyTool[] {
  return tools.toSorted((a, b) => byCodeUnits(allNames(a).join(), allNames(b).join()))
}

/** By name; where two have the same name, in the order in which they came. */
function byName(tools: readonly AnyTool[]): AnyTool[] {
  return tools.toSorted((a, b) => byCodeUnits(a.name, b.name))
}
