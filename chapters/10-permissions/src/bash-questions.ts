import { baseOf, type Part } from '../given/bash-parts.ts'
import { placesBelow } from '../given/below.ts'
import { filesOf } from '../given/file-commands.ts'
import { isOtherRepository } from '../given/repository.ts'
import { isAbout } from '../given/tool-names.ts'
import type { ActiveRule } from '../given/types.ts'
import { type BashCall, bashRules, fileIsUnder, isOpen, type PlacedFile } from './bash-call.ts'
import { commandFits, isCovered, isStruck } from './bash-match.ts'
import { isPlaced, placeOf, protectedName } from './paths.ts'

/**
 * The part of a call that a rule strikes, as it is written; undefined if there is none. A rule that denies or asks strikes
 * a part that it is about, and a file that the part names.
 */
export function struckPart(call: BashCall, rule: ActiveRule): string | undefined {
  const { command, tool, line } = call
  if (isAbout(rule.rule, tool, rule.behavior)) {
    const { specifier } = rule.rule
    const texts = command.readable ? [line.trim()] : [line.trim(), ...command.pieces]
    const text = texts.find((piece) => specifier.type === 'command' && commandFits(specifier.pattern, piece))
    if (specifier.type === 'any') return line
    if (text !== undefined) return text
    const part = command.readable ? command.parts.find((candidate) => isStruck(rule.rule, candidate)) : undefined
    if (part) return part.text
  }
  return call.files.find((file) => fileIsUnder(call, rule, file))?.source
}

/** The protected name among the files that a command writes, or undefined. */
export function protectedTarget(call: BashCall): string | undefined {
  const written = call.files.filter(({ use, sure }) => use === 'edit' && sure)
  return written
    .map(({ place }) => (isPlaced(place) ? protectedName(place, call.context) : undefined))
    .find((name) => name !== undefined)
}

/** The first redirection from or to a closed file: one outside the workspace that no rule allows, or nobody can tell where. */
export function closedRedirect(call: BashCall): PlacedFile | undefined {
  return call.files.find((file) => file.by === 'redirect' && !isOpen(call, file))
}

/** Whether a redirection writes to a file for which no rule for Edit has said yes. */
export function writesByRedirect(call: BashCall): boolean {
  const isNull = ({ place }: PlacedFile) => isPlaced(place) && place.typed === '/dev/null'
  const isAllowed = (file: PlacedFile) =>
    call.rules.some((rule) => rule.behavior === 'allow' && fileIsUnder(call, rule, file))
  return call.files.some((file) => file.by === 'redirect' && file.use === 'edit' && !isNull(file) && !isAllowed(file))
}

/** Whether a part changes nothing and reads only what may be read unasked. */
export function readsOnly(call: BashCall, part: Part): boolean {
  const mine = filesOf(part, call.context).filter(({ sure }) => sure)
  const files = call.files.filter(({ source, by }) => by === 'command' && mine.some((use) => use.source === source))
  return part.readOnly && files.every((file) => isOpen(call, file))
}

/** The rule that allows a part, or undefined. */
export function coveringRule(call: BashCall, part: Part): ActiveRule | undefined {
  return bashRules(call, 'allow').find((rule) => isCovered(rule.rule, part))
}

/**
 * Whether a part is a change of files that `acceptEdits` stands for: mkdir, touch, rm, rmdir, mv, cp, or a sed that only
 * replaces, with plain options, and every file of it in the workspace and named in full.
 */
export function isFileEdit(call: BashCall, part: Part): boolean {
  const [name, ...words] = part.words
  const options = words.filter(({ source }) => source.startsWith('-')).map(({ source }) => source)
  const isKnown = part.assignments.length === 0 && part.words.every(({ value, glob }) => value !== undefined && !glob)
  const allowed: Record<string, RegExp> = {
    ...{ mkdir: /^-[pv]+$/, touch: /^-[acm]+$/, rm: /^-[rRfdv]+$/, rmdir: /^-[pv]+$/ },
    ...{ mv: /^-[fnvu]+$/, cp: /^-[rRafnpvu]+$/, sed: /^-(?:i|E|r|n|Ei|ri|ni)$/ },
  }
  if (!isKnown || !name || !Object.hasOwn(allowed, name.source)) return false
  if (!options.every((option) => allowed[name.source].test(option))) return false
  const script = words.find(({ source }) => !source.startsWith('-'))?.value ?? ''
  if (
    name.source === 'sed' &&
    !/^s([/|#,])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gIip\d]*$/.test(script)
  )
    return false
  const mine = new Set(filesOf(part, call.context).map(({ source }) => source))
  return call.files.filter(({ source, by }) => by === 'command' && mine.has(source)).every((file) => isOpen(call, file))
}

/** Whether there are rules that deny or ask about some commands: what can't be read may be one of these. */
function hasScopedRules(call: BashCall): boolean {
  return [...bashRules(call, 'deny'), ...bashRules(call, 'ask')].some(({ rule }) => rule.specifier.type !== 'any')
}

/**
 * Why a command can't be held against rules: it can't be read, or it starts in a folder where an earlier call has gone and
 * that is closed; what its program is, what another shell is given to run, or which file it uses where files are denied,
 * is something that only the shell could tell; or a part has a word that might make it what a rule is about.
 */
export function doubtAbout(call: BashCall): string | undefined {
  const { command } = call
  if (!command.readable) return `the command cannot be read: ${command.reason}`
  const stray = strayFolder(call)
  if (stray !== undefined) return `it would run in ${stray}, which is outside the workspace`
  const names = command.parts.flatMap(({ words }) => words.slice(0, 1))
  const unknown = names.find(({ value }) => value === undefined)
  if (unknown) return `only the shell can tell which program ${unknown.source} is`
  const unplaced = call.files.find(
    (file) => file.sure && !isPlaced(file.place) && call.rules.some((rule) => isForUse(rule, file.use)),
  )
  if (unplaced) return `only the shell can tell whether a rule is about ${unplaced.source}`
  if (!hasScopedRules(call)) return undefined
  if (command.handsOnUnseen) return 'it gives a shell something to run that cannot be read here'
  const rules = [...bashRules(call, 'deny'), ...bashRules(call, 'ask')]
  const starts = rules.flatMap(({ rule: { specifier } }) =>
    specifier.type === 'command' ? specifier.pattern.split(/[ *]/)[0] : [],
  )
  const hides = command.parts.find(({ words: [name, ...rest] }) => {
    return name && starts.includes(baseOf(name.value!)) && rest.some(({ value }) => value === undefined)
  })
  return hides && `only the shell can tell whether a rule is about ${hides.text}`
}

/** Whether a rule denies or asks about files that are read, or edited. */
function isForUse({ behavior, rule }: ActiveRule, use: PlacedFile['use']): boolean {
  const tool = { name: use === 'read' ? 'Read' : 'Write', aliases: [] }
  const isForFiles = rule.specifier.type === 'path' || (rule.specifier.type === 'any' && /^\w+$/.test(rule.toolName))
  return behavior !== 'allow' && isForFiles && isAbout(rule, tool, behavior)
}

/** The folder in which the shell is, if an earlier call has led it to a closed one. Going back is no stray step. */
function strayFolder(call: BashCall): string | undefined {
  const { command, context } = call
  const { shellCwd } = context
  if (shellCwd === undefined || shellCwd === context.cwd || !command.readable) return undefined
  if (command.parts.length > 0 && command.parts.every(({ words: [name] }) => name?.value === 'cd')) return undefined
  const folder: PlacedFile = {
    ...{ path: shellCwd, source: shellCwd, use: 'read', glob: false, sure: true, by: 'command' },
    place: placeOf(shellCwd, context),
  }
  return isOpen(call, folder) ? undefined : shellCwd
}

/**
 * What a command may come to use and a rule that denies or asks is about, though nobody can tell whether it will: what
 * another shell is given to run, the files in that, and those in a folder all of which is searched, copied or removed.
 */
export function struckBehind(call: BashCall): { rule: ActiveRule; text: string } | undefined {
  const { command } = call
  if (!command.readable) return undefined
  const found = [...bashRules(call, 'deny'), ...bashRules(call, 'ask')].flatMap((rule) =>
    command.handedOn.filter((part) => isStruck(rule.rule, part)).map(({ text }) => ({ rule, text })),
  )
  return found[0] ?? fileBehind(call)
}

function fileBehind(call: BashCall): { rule: ActiveRule; text: string } | undefined {
  const rules = call.rules.filter((rule) => isForUse(rule, 'read') || isForUse(rule, 'edit'))
  for (const rule of rules) {
    const file = call.filesBehind.find((candidate) => fileIsUnder(call, rule, candidate))
    if (file) return { rule, text: file.source }
  }
  for (const folder of rules.length > 0 ? call.swept : []) {
    const { place, source } = folder
    const below = isPlaced(place) ? placesBelow(place, call.context) : []
    for (const rule of rules.filter((candidate) => isForUse(candidate, folder.use))) {
      if (!below) return { rule, text: `${source}, which holds too much to look at,` }
      const file = below.find((at) => fileIsUnder(call, rule, { ...folder, place: at }))
      if (file) return { rule, text: `${source}, which holds ${file.typed},` }
    }
  }
  return undefined
}

/**
 * Whether git would run with a configuration that nobody has looked at: in a folder that the same line has gone to, or in
 * a repository of its own below the workspace that an earlier call has gone to.
 */
export function takesGitElsewhere({ command, context }: BashCall): boolean {
  if (!command.readable) return false
  const usesGit = command.parts.some(({ words }) =>
    words.some(({ value }) => value !== undefined && baseOf(value) === 'git'),
  )
  const goes = command.parts.some(({ words: [name] }) => name?.value === 'cd' || name?.value === 'pushd')
  return usesGit && (goes || (context.shellCwd !== undefined && isOtherRepository(context.shellCwd, context)))
}

/** The one part that nothing allows yet, if a rule for it would allow the whole line. */
export function openPart(call: BashCall): Part | undefined {
  const { command } = call
  if (!command.readable || !command.splittable || writesByRedirect(call)) return undefined
  const open = command.parts.filter((part) => !readsOnly(call, part) && !coveringRule(call, part))
  return open.length === 1 ? open[0] : undefined
}
