/**
 * One name of a path pattern as the source of an expression: `*`, `?` and `[a-z]` stand for characters of the name. `id`
 * begins the names of its groups: each may stand in an expression once.
 */
export function nameSource(name: string, id = 'name'): string {
  const tokens = name.match(/\\.|\[[!^]?\]?[^\]]*\]|\*+|./gsu) ?? []
  const [start, ...rest] = cutAt(tokens, (token) => token.startsWith('*')).map((part) => part.map(tokenSource).join(''))
  return start + gapped(rest, { gap: '[^/]*', id })
}

/**
 * The names of a path pattern, one after the other, as the source of an expression: each is a slash and its `nameSource`,
 * and `**` is any number of names, also none. However many stars there are: it takes no longer for them.
 */
export function namesSource(names: readonly string[]): string {
  const sources = names.map((name, index) => (name === '**' ? name : `/${nameSource(name, `name${index}`)}`))
  const merged = sources.filter((source, index) => source !== '**' || sources[index - 1] !== '**')
  const [start, ...rest] = cutAt(merged, (source) => source === '**').map((part) => part.join(''))
  return start + gapped(rest, { gap: '(?:/[^/]+)*', end: '(?=/|$)', id: 'names' })
}

/**
 * Pieces with a gap before each. Of all pieces but the last, the first place where they fit is as good as any other: the
 * expression looks ahead for it, takes it, and never comes back to try the next one.
 */
function gapped(pieces: readonly string[], { gap, id, end = '' }: { gap: string; id: string; end?: string }): string {
  const taken = pieces
    .slice(0, -1)
    .map((piece, index) => `(?=(?<${id}_${index}>${gap}?${piece}${end}))\\k<${id}_${index}>`)
  return (
    taken.join('') +
    pieces
      .slice(-1)
      .map((piece) => `${gap}${piece}`)
      .join('')
  )
}

function cutAt<T>(all: readonly T[], isCut: (one: T) => boolean): T[][] {
  const parts: T[][] = [[]]
  for (const one of all) {
    if (isCut(one)) parts.push([])
    else parts.at(-1)!.push(one)
  }
  return parts
}

/** A text as the source of an expression that stands for it alone. */
export function literalSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** A path as a pattern that stands for it alone, and for what is in it. */
export function literalPathPattern(path: string): string {
  return path.replace(/[\\*?[]/g, '\\$&')
}

/** What is wrong with a path pattern, as what was expected and where; undefined if nothing is. */
export function pathPatternFault(pattern: string): { expected: string; position: number } | undefined {
  if (pattern.startsWith('!')) return { expected: 'a pattern without ! (write a deny rule instead)', position: 0 }
  if (/^~[^/]/.test(pattern)) return { expected: 'a slash after ~', position: 1 }
  const up = /(?<=[^./]\/|^\/+)\.\.(?=\/|$)/.exec(pattern)
  if (up) return { expected: 'no .. behind the start', position: up.index }
  try {
    new RegExp(nameSource(pattern), 'su')
  } catch {
    return { expected: 'a set of characters that makes sense between [ and ]', position: pattern.indexOf('[') }
  }
  return undefined
}

function tokenSource(token: string): string {
  if (token.startsWith('*')) return '[^/]*'
  if (token === '?') return '[^/]'
  const [, negated, set] = /^\[([!^]?)(.+)\]$/s.exec(token) ?? []
  if (set) return `[${negated ? '^/' : ''}${set.replace(/[\\[\]&~|^]/g, '\\$&')}]`
  return literalSource(token.replace(/^\\(?=.)/su, ''))
}
