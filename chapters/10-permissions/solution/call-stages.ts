import { placesBelow } from '../given/below.ts'
import { pathField, pathsOf } from '../given/call-files.ts'
import { anyHostOf, domainFits, hostOf } from '../given/domains.ts'
import { literalPathPattern } from '../given/name-pattern.ts'
import { currentName, isAbout, kindOf, type ToolKind } from '../given/tool-names.ts'
import type { ActiveRule, DecidableTool, PermissionContext, Stage, Verdict } from '../given/types.ts'
import { byMode, byRule, forSafety } from '../given/verdicts.ts'
import { commandFits } from './bash-match.ts'
import {
  fileRuleCovers,
  isInside,
  isPlaced,
  type Place,
  placeOf,
  protectedName,
  type Unplaced,
  withSlashes,
} from './paths.ts'

/** A call of any tool but Bash, and all that its stages look at. */
export interface ToolCall {
  tool: DecidableTool
  kind: ToolKind
  input: Record<string, unknown>
  rules: readonly ActiveRule[]
  context: PermissionContext
  /** Where the files lie that the call names. None where the tool is none for files. */
  places: Array<Place | Unplaced>
}

export const CALL_STAGES: ReadonlyArray<Stage<ToolCall>> = [
  { name: 'deny rules', judge: (call) => ruledBy(call, 'deny'), pass: 'no deny rule is about it' },
  { name: 'ask rules', judge: (call) => ruledBy(call, 'ask') ?? askBelow(call), pass: 'no ask rule is about it' },
  { name: 'where it leads', judge: judgePlaces, pass: 'nowhere odd or protected' },
  { name: 'allow rules', judge: judgeAllowed, pass: 'no allow rule covers it' },
  { name: 'mode', judge: judgeByMode, pass: '' },
]

export function openToolCall(call: Omit<ToolCall, 'kind' | 'places'>): ToolCall {
  const kind = kindOf(call.tool)
  const isFile = kind === 'read' || kind === 'edit'
  const paths = isFile ? pathsOf(kind, call.input) : []
  const places = paths?.map((path) => placeOf(path, call.context)) ?? [{ why: 'nobody can tell which file it means' }]
  return { ...call, kind, places }
}

/** The input to run: with the path written out where it began with `~` or `$HOME`, which no file tool knows. */
export function inputToRun({ input, places: [place] }: ToolCall): Record<string, unknown> {
  const path = pathField(input)
  return path && place && isPlaced(place) && /^[~$]/.test(path.written)
    ? { ...input, [path.field]: place.typed }
    : input
}

/** Whether a rule is about a call: about the tool, and about what its specifier names. */
export function covers(rule: ActiveRule, { tool, kind, input, places, context }: ToolCall): boolean {
  if (!isAbout(rule.rule, tool, rule.behavior)) return false
  const { specifier } = rule.rule
  const isGrant = rule.behavior === 'allow'
  if (specifier.type === 'any') return true
  if (specifier.type === 'path') {
    const isCovered = (place: Place | Unplaced) =>
      isPlaced(place) && fileRuleCovers(rule, tool, { place, world: context })
    return places.length > 0 && (isGrant ? places.every(isCovered) : places.some(isCovered))
  }
  if (specifier.type === 'domain') {
    const url = String(input.url ?? '')
    const host = isGrant ? hostOf(url) : anyHostOf(url)
    return kind === 'fetch' && host !== undefined && domainFits(host, specifier.pattern)
  }
  if (specifier.type !== 'parameter') return false
  const value = Object.hasOwn(input, specifier.name) ? input[specifier.name] : undefined
  return (
    value !== undefined && commandFits(specifier.pattern, typeof value === 'string' ? value : JSON.stringify(value))
  )
}

function ruledBy(call: ToolCall, behavior: ActiveRule['behavior']): Verdict | undefined {
  const rule = call.rules.find((candidate) => candidate.behavior === behavior && covers(candidate, call))
  return rule && byRule(rule, call.tool.name)
}

/**
 * A search of texts sees all that is in a folder. Where something in there is denied, or asked about, the search asks.
 * Glob shows names and no texts: it does not.
 */
function askBelow({ tool, places: [place], rules, context }: ToolCall): Verdict | undefined {
  if (![tool.name, ...tool.aliases].map(currentName).includes('Grep') || !place || !isPlaced(place)) return undefined
  const scoped = rules.filter(({ behavior, rule }) => {
    return behavior !== 'allow' && rule.specifier.type === 'path' && isAbout(rule, tool, behavior)
  })
  const below = scoped.length > 0 ? placesBelow(place, context) : []
  for (const rule of scoped) {
    if (!below) return byRule({ ...rule, behavior: 'ask' }, `${place.typed}, which holds too much to look at,`)
    const file = below.find((at) => fileRuleCovers(rule, tool, { place: at, world: context }))
    if (file) return byRule({ ...rule, behavior: 'ask' }, `${place.typed}, which holds ${file.typed},`)
  }
  return undefined
}

function judgePlaces({ kind, places, context }: ToolCall): Verdict | undefined {
  const unplaced = places.find((place) => !isPlaced(place))
  if (unplaced && 'impossible' in unplaced) return { ...forSafety(unplaced.why), behavior: 'deny' }
  if (context.mode === 'bypassPermissions') return undefined
  if (unplaced) return forSafety((unplaced as Unplaced).why)
  if (kind !== 'edit') return undefined
  const name = places.map((place) => (isPlaced(place) ? protectedName(place, context) : undefined)).find(Boolean)
  return name === undefined ? undefined : forSafety(`it would write to ${name}, which is protected`)
}

/** An allow rule allows; in `plan` only what changes nothing. */
function judgeAllowed(call: ToolCall): Verdict | undefined {
  return call.context.mode === 'plan' && !changesNothing(call) ? undefined : ruledBy(call, 'allow')
}

/**
 * What the mode says of a call that no rule decides. Reading in the workspace, and whatever a tool of our own does that
 * changes nothing, is free. A tool of a server is not, whatever it says of itself; nor is fetching a page.
 */
function judgeByMode(call: ToolCall): Verdict {
  const { kind, places, context, tool } = call
  const { mode } = context
  if (mode === 'bypassPermissions') return byMode('allow', mode, 'the mode asks about nothing else')
  const isHere = places.every((place) => isPlaced(place) && isInside(place, context))
  if (kind === 'read' && isHere) return byMode('allow', mode, 'it reads in the workspace')
  if (kind === 'edit' && isHere && mode === 'acceptEdits') return byMode('allow', mode, 'it edits in the workspace')
  if (kind === 'other' && changesNothing(call)) return byMode('allow', mode, 'it changes nothing')
  const outside = (kind === 'read' || kind === 'edit') && !isHere
  const why = outside ? 'it is outside the workspace' : `${tool.name} needs a rule or a person's word`
  return { ...byMode('ask', mode, why), suggestion: mode === 'plan' && kind === 'edit' ? undefined : suggestion(call) }
}

function changesNothing({ tool, input }: ToolCall): boolean {
  try {
    return tool.isReadOnly(input) === true
  } catch {
    return false
  }
}

/** The narrowest rule that there is for a call: one file, one host, one tool of a server. */
function suggestion({ kind, places, input, tool, context }: ToolCall): string | undefined {
  if (kind === 'fetch') {
    const host = hostOf(String(input.url ?? ''))
    return host && /^[\w.-]+$/.test(host) ? `WebFetch(domain:${host})` : undefined
  }
  if (kind === 'mcp') return tool.name
  const [place, ...others] = places
  if ((kind !== 'read' && kind !== 'edit') || others.length > 0 || !place || !isPlaced(place)) return undefined
  if (place.typed !== place.real) return undefined
  const path = literalPathPattern(withSlashes(place.typed, context))
  return /\p{Cc}/u.test(path) ? undefined : `${kind === 'read' ? 'Read' : 'Edit'}(/${path})`
}
