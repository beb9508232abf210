import {
  descendantsOf,
  parseCommand,
  type Redirect,
  redirect,
  type SyntaxNode,
  simpleCommands,
  type Word,
} from '#08-bash/parse.ts'
import { checkReadOnlyConstraints } from '#08-bash/read-only.ts'

/** One simple command of a line, wherever it stands: in a list, a pipeline, a substitution. */
export interface Part {
  /** Its variables and its words as they are written, with one blank between two. */
  text: string
  assignments: string[]
  words: Word[]
  /** Whether it can change nothing by itself: no file, no process, no variable. Redirections are not looked at. */
  readOnly: boolean
}

/** A command that can be read. */
export interface ReadableCommand {
  readable: true
  parts: Part[]
  /** What the strings hold that are handed to another shell: `rm x` in `bash -c 'rm x'`. Empty texts: nobody can tell. */
  handedOn: Part[]
  /** Whether another shell is given something to run that cannot be read here. */
  handsOnUnseen: boolean
  redirects: Redirect[]
  /** Whether it is nothing but its parts, one after the other or side by side. Loops, functions and variables are more. */
  splittable: boolean
  /** Whether all of it is known to change nothing. */
  readOnly: boolean
}

/** One that can't be: `pieces` is what a careless look sees in it, for rules that deny. */
export interface UnreadableCommand {
  readable: false
  reason: string
  pieces: string[]
}

export type Command = ReadableCommand | UnreadableCommand

const SHELLS = ['bash', 'sh', 'zsh', 'dash', 'ksh', 'fish']
/** In UTF-16 code units. What is longer nobody looks through, and a decision must not take long. */
const MAX_LENGTH = 5_000
/** How deep a shell in a shell in a shell is looked into. */
const MAX_SHELLS = 3
/** And how many of one line. */
const MAX_TEXTS = 20

/** Takes a command line apart. */
export function readCommand(line: string, depth = 0): Command {
  const command = joinLines(line)
  if (command.length > MAX_LENGTH) return unreadable(line, `it is longer than ${MAX_LENGTH} characters`)
  const parsed = parseCommand(command)
  if (!parsed.trusted) return unreadable(line, parsed.reason)
  const parts = simpleCommands(parsed.root).map(({ source, assignments, words }) => ({
    text: [...assignments, ...words.map((word) => word.source)].join(' '),
    assignments,
    words,
    readOnly: checkReadOnlyConstraints({ command: source }).behavior === 'allow',
  }))
  const shells = parts.map((part) => shellText(part.words)).filter((text) => text !== undefined)
  const below = shells.map((text, index) => {
    const isLookedAt = text !== '' && depth < MAX_SHELLS && index < MAX_TEXTS
    return isLookedAt ? readCommand(text, depth + 1) : undefined
  })
  return {
    readable: true,
    parts,
    handedOn: below.flatMap((inner) => (inner?.readable ? [...inner.parts, ...inner.handedOn] : [])),
    handsOnUnseen: below.some((inner) => !inner?.readable || inner.handsOnUnseen),
    redirects: descendantsOf(parsed.root, 'file_redirect').map(redirect),
    splittable: isSplittable(parsed.root),
    readOnly: checkReadOnlyConstraints({ command }).behavior === 'allow',
  }
}

/** A line that can't be read, and what a careless look sees in it. */
export function unreadable(line: string, reason: string): UnreadableCommand {
  const pieces = joinLines(line)
    .replace(/\\\n/g, '')
    .split(/[;&|\n(){}`"']+|\$\(/)
  return { readable: false, reason, pieces: pieces.map((piece) => piece.trim()) }
}

/** Whether the words and the variables of a part are what is written there. If not, only the shell can tell what they are. */
export function isKnown({ words, assignments }: Part): boolean {
  return words.every(({ value }) => value !== undefined) && !/[$`~]|[<>]\(/.test(assignments.join())
}

/**
 * What a shell is given to run: its text, or an empty one where nobody can tell. Undefined: this is no shell, or it runs
 * a file, which is a program like any other.
 */
function shellText(words: readonly Word[]): string | undefined {
  const isShell = ({ value }: Word) => value !== undefined && SHELLS.includes(baseOf(value))
  const seenThrough = words.some(({ value = '' }) => SEE_THROUGH.has(baseOf(value)))
  const at = seenThrough ? words.findIndex((word) => word.value === 'eval' || isShell(word)) : 0
  if (at === -1 || words.length === 0) return undefined
  const values = words.slice(at + 1).map(({ value }) => value)
  if (words[at].value === 'eval') return values.includes(undefined) ? '' : values.join(' ')
  if (!isShell(words[at])) return undefined
  const option = values.findIndex((value) => value !== undefined && /^-\w*c\w*$/.test(value))
  if (option !== -1) return values[option + 1] ?? ''
  return values.some((value) => value !== undefined && !value.startsWith('-')) ? undefined : ''
}

/** Programs that run the program whose name stands among their arguments. */
export const SEE_THROUGH = new Set(
  `timeout time nice nohup stdbuf command builtin exec env sudo doas xargs setsid ionice watch flock chroot strace
  chrt taskset find parallel coproc unshare nsenter busybox caffeinate`.split(/\s+/),
)

export function baseOf(name: string): string {
  return name.replace(/^.*\//s, '')
}

/** The nodes of a line that is its parts and nothing else. */
const STRUCTURE = new Set(
  ['program', 'list', 'pipeline', 'negated_command', 'redirected_statement', 'subshell', 'compound_statement']
    .concat(['command_substitution', 'process_substitution', 'comment', '&&', '||', '|', '|&', ';', '&', '!'])
    .concat(['(', ')', '{', '}', '$(', '`', '<(', '>(']),
)
const HOLDERS = ['command', 'test_command', 'file_redirect', 'herestring_redirect']

function isSplittable(node: SyntaxNode): boolean {
  if (HOLDERS.includes(node.type)) {
    return descendantsOf(node, 'command_substitution', 'process_substitution').every(isSplittable)
  }
  return (STRUCTURE.has(node.type) || /^\s+$/.test(node.type)) && node.children.every(isSplittable)
}

/** Joins lines that end in a backslash, where that backslash can be nothing else than the shell's. */
function joinLines(line: string): string {
  return /['"#`]|<<|\\(?!\n)/.test(line) ? line : line.replace(/\\\n/g, '')
}
