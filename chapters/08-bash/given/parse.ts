import { descendantsOf, leavesOf, type SyntaxNode, syntaxTree } from './syntax-tree.ts'
import { type Word, wordOf } from './words.ts'

export { descendantsOf, type SyntaxNode } from './syntax-tree.ts'
export { isPlain, type Word, wordOf } from './words.ts'

/** A command's syntax tree, or why it can't be trusted to show what bash would do. */
export type ParsedCommand = { trusted: true; root: SyntaxNode } | { trusted: false; reason: string }

/** A command without operators: `LC_ALL=C sort -r < names.txt`. */
export interface SimpleCommand {
  source: string
  /** The variables that are set for it, as they are written: `LC_ALL=C`. */
  assignments: string[]
  /** Its name and its arguments. */
  words: Word[]
  /** Those that stand in or right behind it. */
  redirects: Redirect[]
}

/** A redirection: `2>&1`, `< names.txt`. */
export interface Redirect {
  source: string
  /** The number before the operator, as it is written. */
  descriptor: string | undefined
  operator: string
  /** What stands behind the operator. Undefined where that is a text, as in a heredoc. */
  target: Word | undefined
}

/** In UTF-16 code units. Longer commands exist, but nobody reads them, and a parser may take its time. */
const MAX_LENGTH = 10_000

const COMMAND_TYPES = ['command', 'test_command', 'declaration_command', 'unset_command', 'variable_assignment']

/** Parses a command. What a reader, this parser and bash may see in three different ways is not trusted. */
export function parseCommand(command: string): ParsedCommand {
  const untrusted = (reason: string): ParsedCommand => ({ trusted: false, reason })
  if (command.trim() === '') return untrusted('the command is empty')
  if (command.length > MAX_LENGTH) return untrusted(`the command is longer than ${MAX_LENGTH} characters`)
  const odd = oddCharacterIn(command)
  if (odd) return untrusted(`it contains the invisible or misleading character ${odd}`)
  if (/\\\n/.test(command)) return untrusted('a backslash joins two lines')

  const root = syntaxTree(command)
  if (!root) return untrusted('the parser does not understand it')
  const doubt = doubtAbout(root, command)
  return doubt ? untrusted(doubt) : { trusted: true, root }
}

/** Every simple command that may run, at whatever depth: in lists, pipelines, loops, functions and substitutions. */
export function simpleCommands(root: SyntaxNode): SimpleCommand[] {
  const nested = (node: SyntaxNode, parent?: SyntaxNode): SimpleCommand[] => {
    const below = node.children.flatMap((child) => nested(child, node))
    const own = COMMAND_TYPES.includes(node.type) && !(parent && COMMAND_TYPES.includes(parent.type))
    return own ? [{ ...simpleCommand(node), redirects: redirectsOf(node, parent) }, ...below] : below
  }
  return nested(root)
}

/**
 * Takes one node of the tree apart: a `command`, a `test_command` (its words start with `test`, whatever brackets it is
 * written with), or another one. A part of a kind unknown here becomes a word without a value.
 */
export function simpleCommand(node: SyntaxNode): SimpleCommand {
  const isRedirect = ({ type }: SyntaxNode) => type.endsWith('_redirect')
  const isAssignment = ({ type }: SyntaxNode) => type === 'variable_assignment'
  const all = node.type === 'variable_assignment' ? [node] : node.children
  const parts = all.filter((part) => !isRedirect(part) && !isAssignment(part))
  const words = node.type === 'test_command' ? testWords(node) : parts.map(wordOrName)
  return {
    source: node.text,
    assignments: all.filter(isAssignment).map(({ text }) => text),
    words,
    redirects: redirectsOf(node),
  }
}

/** Takes a `file_redirect` apart, or another node that ends in `_redirect`. */
export function redirect(node: SyntaxNode): Redirect {
  const [first, ...rest] = node.children
  const hasDescriptor = first?.type === 'file_descriptor' || first?.type === 'variable_name'
  const [operator, target] = hasDescriptor ? rest : node.children
  return {
    source: node.text,
    descriptor: hasDescriptor ? first.text : undefined,
    operator: operator?.text ?? node.text,
    target: node.type === 'file_redirect' && target ? wordOf(target) : undefined,
  }
}

function redirectsOf(node: SyntaxNode, parent?: SyntaxNode): Redirect[] {
  const around = parent?.type === 'redirected_statement' ? parent.children : []
  return [...node.children, ...around].filter(({ type }) => type.endsWith('_redirect')).map(redirect)
}

function wordOrName(node: SyntaxNode): Word {
  return wordOf(node.type === 'command_name' && node.children.length === 1 ? node.children[0] : node)
}

/** The words of `[ … ]` and `[[ … ]]`. Tests that are joined or in parentheses have no value. */
function testWords(node: SyntaxNode): Word[] {
  const partsOf = (part: SyntaxNode): SyntaxNode[] => {
    if (!/^(unary|binary)_expression$/.test(part.type)) return [part]
    const [first, ...rest] = part.children
    return first.type === '!' ? [first, ...rest.flatMap(partsOf)] : part.children
  }
  const parts = node.children.slice(1, -1).flatMap(partsOf)
  const operator = (part: SyntaxNode) => part.children.length === 0 && /^(test_operator|[=!]=?)$/.test(part.type)
  const literal = (text: string): Word => ({ source: text, value: text, glob: false })
  return [literal('test'), ...parts.map((part) => (operator(part) ? literal(part.text) : wordOf(part)))]
}

/** The first character that a reader can't see, or sees wrongly; as `U+200B`. Line ends and tabs are fine. */
function oddCharacterIn(command: string): string | undefined {
  const odd = /[^\P{C}\t\n]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}|\u2800/u.exec(command)
  return odd ? `U+${odd[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` : undefined
}

/** Where this parser is known to read bash differently from bash. */
function doubtAbout(root: SyntaxNode, command: string): string | undefined {
  let at = 0
  for (const leaf of leavesOf(root)) {
    const gap = command.slice(at, leaf.start)
    if (!/^[ \t\n]*$/.test(gap)) return `the parser skips ${JSON.stringify(gap)}`
    if (leaf.type === 'comment' && !/(?:^|[^\\][\s;&|(]|^[\s;&|(])$/.test(command.slice(0, leaf.start))) {
      return 'what looks like a comment may be none'
    }
    at = Math.max(at, leaf.end)
  }
  if (!/^[ \t\n]*$/.test(command.slice(at))) return 'the parser skips the end'
  for (const node of descendantsOf(root, 'file_redirect')) {
    const described = /^(file_descriptor|variable_name)$/.test(node.children[0]?.type ?? '')
    if (node.children.length !== (described ? 3 : 2)) return `the redirection ${node.text} may be read in two ways`
    if (!described && /[^\s;&|(){}]$/.test(command.slice(0, node.start))) {
      return `what stands before ${node.text} may belong to it`
    }
  }
  return undefined
}
