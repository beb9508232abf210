import { type Command, readCommand, unreadable } from '../given/bash-parts.ts'
import { criticalRemoval } from '../given/critical.ts'
import { expandPattern } from '../given/expand.ts'
import { type FileUse, fileOfRedirect, filesOf, foldersOf, removedFiles, sweptBy } from '../given/file-commands.ts'
import { isAbout } from '../given/tool-names.ts'
import type { ActiveRule, DecidableTool, PermissionContext, RuleBehavior } from '../given/types.ts'
import { fileRuleCovers, isInside, isPlaced, type Place, placeOf, type Unplaced } from './paths.ts'

/** A command, and all that the six stages look at. */
export interface BashCall {
  line: string
  command: Command
  /** The rules that count here, in the order in which they were given. */
  rules: readonly ActiveRule[]
  context: PermissionContext
  tool: DecidableTool
  /** The files that it names, one entry for each place where one may lie. */
  files: PlacedFile[]
  /** Those that are named in what another shell is given to run. */
  filesBehind: PlacedFile[]
  /** Folders all of which it may use: `grep -r x src`, `rm -r src`. */
  swept: PlacedFile[]
  /** What it would remove that no rule may allow unasked. */
  critical: string | undefined
}

export interface PlacedFile extends FileUse {
  place: Place | Unplaced
}

/** Takes a command apart once, for all stages. */
export function openBashCall(
  line: string,
  { tool, context, rules }: { tool: DecidableTool; context: PermissionContext; rules: readonly ActiveRule[] },
): BashCall {
  const command = readCommand(line)
  const none: PlacedFile[] = []
  const call = { line, command, rules, context, tool, files: none, filesBehind: none, swept: none, critical: undefined }
  if (!command.readable) return call
  const all = [...command.parts, ...command.handedOn]
  const folders = foldersOf(all, context.shellCwd ?? context.cwd, context)
  const redirected = command.redirects.map((redirect) => fileOfRedirect(redirect, context))
  const uses = [...command.parts.flatMap((part) => filesOf(part, context)), ...redirected].filter(
    (use) => use !== undefined,
  )
  const behind = command.handedOn.flatMap((part) => filesOf(part, context))
  const swept = all.flatMap((part) => sweptBy(part, context))
  const removed = all.flatMap((part) => removedFiles(part, context))
  const looks = [...uses, ...behind, ...swept, ...removed].map(({ glob }) => (glob ? LOOKS_OF_A_PATTERN : 1))
  if (looks.reduce((sum, count) => sum + count, 0) * folders.folders.length > MAX_LOOKS) {
    return { ...call, command: unreadable(line, 'it names more files than anybody looks at') }
  }
  const placed = (list: FileUse[]) =>
    list.flatMap((use) => {
      const places = folders.folders.flatMap((cwd) => placesOf(use, { ...context, cwd }))
      const isLost = folders.unknown && !/^[/~]/.test(use.path ?? '')
      return [...places, ...(isLost ? [LOST] : [])].map((place) => ({ ...use, place }))
    })
  const found = { files: placed(uses), filesBehind: placed(behind), swept: placed(swept) }
  return { ...call, ...found, critical: criticalRemoval(all, folders, context) }
}

/** How many files a line may name, each counted in each folder where it may lie. A pattern has a folder read, or many. */
const MAX_LOOKS = 500
const LOOKS_OF_A_PATTERN = 50

const LOST: Unplaced = { why: 'nobody can tell in which folder it would be' }

/** Where a file may be: one place, or one for each file that a pattern brings. */
function placesOf(use: FileUse, world: PermissionContext): Array<Place | Unplaced> {
  if (use.path === undefined) return [{ why: `only the shell can tell what ${use.source} is` }]
  const paths = use.glob ? expandPattern(use.path, world.cwd) : []
  if (!paths) return [{ why: `${use.source} stands for too many files` }]
  return [use.path, ...paths].map((path) => placeOf(path, world, { physical: true }))
}

/** The rules about Bash that deny, ask or allow. */
export function bashRules(call: BashCall, behavior: RuleBehavior): ActiveRule[] {
  return call.rules.filter((rule) => rule.behavior === behavior && isAbout(rule.rule, call.tool, behavior))
}

/** Whether a rule for Read or Edit is about a file that the command names. */
export function fileIsUnder(call: BashCall, rule: ActiveRule, file: PlacedFile): boolean {
  const { specifier } = rule.rule
  if (!isPlaced(file.place) || (!file.sure && specifier.type !== 'path')) return false
  if (specifier.type === 'any' && /[*]|^mcp__/.test(rule.rule.toolName)) return false
  const tool = { name: file.use === 'read' ? 'Read' : 'Write', aliases: [] }
  return fileRuleCovers(rule, tool, { place: file.place, world: call.context })
}

/**
 * Whether a file is open: it may be used unasked, since it lies in the workspace, or a rule for Read or Edit allows it.
 * Every other file is closed.
 */
export function isOpen(call: BashCall, file: PlacedFile): boolean {
  if (!isPlaced(file.place)) return false
  if (file.place.typed === '/dev/null' || isInside(file.place, call.context)) return true
  return call.rules.some((rule) => rule.behavior === 'allow' && fileIsUnder(call, rule, file))
}
