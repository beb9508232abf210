/** One name of a path pattern as the source of an expression: `*`, `?` and `[a-z]` stand for characters of the name. */
export function nameSource(name: string): string {
  const tokens = name.match(/\\.|\[[!^]?\]?[^\]]*\]|\*+|./gsu) ?? []
  return tokens.map(tokenSource).join('')
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
