import type { SyntaxNode } from './syntax-tree.ts'

/** A word of a command: what is between two blanks, quotes and all. */
export interface Word {
  /** As it is written. */
  source: string
  /**
   * What the program gets, without the quotes. Undefined where only the shell could tell: `$HOME`, `$(id)`, `{a,b}`,
   * `~`, `$'…'` and whatever else the shell replaces. A pattern's value is the pattern.
   */
  value: string | undefined
  /** Whether the shell takes it for a pattern (`*.ts`) and may put any number of file names in its place. */
  glob: boolean
}

/** The word that a node stands for. A node that is no word, or one of a kind unknown here, has no value. */
export function wordOf(node: SyntaxNode): Word {
  const parts = node.type === 'concatenation' ? node.children : [node]
  const values = parts.map(literalOf)
  const bare = parts.map(unquoted).join('')
  const known = !values.includes(undefined) && !isReplaced(bare)
  return { source: node.text, value: known ? values.join('') : undefined, glob: /[*?[]/.test(bare) }
}

/** A word that nothing is done to: no quotes, no backslash, no pattern. */
export function isPlain(word: Word): boolean {
  return word.value === word.source && !word.glob
}

function literalOf({ type, text, children }: SyntaxNode): string | undefined {
  if (type === 'word' || type === 'number') {
    const ordinary = /^(?:\\[^\n\p{Cc}]|[^\s\\"'`$<>|&;()])*$/u.test(text)
    return ordinary ? text.replace(/\\(.)/gu, '$1') : undefined
  }
  if (type === 'raw_string') return text.slice(1, -1)
  if (type !== 'string') return undefined
  // A dollar before the closing quote is a dollar. Any other starts something that the shell replaces.
  const inside = text.slice(1, -1)
  const dollarLast = children.at(-2)?.text === '$' && children.at(-2)?.type === '$'
  const literal = children.every((part, index) => {
    return part.type === '"' || part.type === 'string_content' || (dollarLast && index === children.length - 2)
  })
  const checked = (dollarLast ? inside.slice(0, -1) : inside).replace(/\\[$`"\\]/g, '')
  return literal && !/[$`]/.test(checked) ? inside.replace(/\\([$`"\\])/g, '$1') : undefined
}

/** What a part shows to the shell: quoted and escaped characters are blotted out. */
function unquoted({ type, text }: SyntaxNode): string {
  return type === 'word' || type === 'number' ? text.replace(/\\./gu, '"') : '"'
}

/** Whether the shell replaces an unquoted text: a tilde where one counts, or braces other than `{}`, `{1}` and `{u}`. */
function isReplaced(bare: string): boolean {
  return /(?:^|[=:])~/.test(bare) || /[{}]/.test(bare.replace(/\{\w*\}/g, ''))
}
