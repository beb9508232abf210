/** The parts of a pattern before the first one with a wildcard, without the last part: the folder that it fixes. */
export function fixedFolder(pattern: string): string {
  const parts = pattern.split('/')
  const wild = parts.findIndex((part) => /[*?[{]/.test(part))
  return parts.slice(0, wild === -1 ? -1 : wild).join('/')
}

/** Whether a part of the pattern, or an alternative in braces, is `.git`: as in `.git/config` and `{.git,src}/*`. */
export function namesGit(pattern: string): boolean {
  return /(?:^|[/{,])\.git(?:[/},]|$)/.test(pattern)
}

/**
 * The paths that are like a glob: `*` and `?` stay within one part, `**` as a part of its own is any number of parts,
 * `[a-z]` and `[!a-z]` are one character, `{a,b}` is either, and a backslash takes the next character as it is. A dot
 * at the start of a name is a character like others.
 *
 * Throws an Error that quotes the pattern when a bracket or brace is not closed.
 */
export function globRegExp(pattern: string): RegExp {
  let source = ''
  let depth = 0
  for (let rest = pattern; rest !== ''; ) {
    const before = pattern[pattern.length - rest.length - 1] ?? '/'
    const startsPart = '/{,'.includes(before)
    const token = tokenOf(rest, { startsPart, inBraces: depth > 0 })
    if (token.text === '{') depth++
    if (token.text === '}') depth--
    source += token.source
    rest = rest.slice(token.text.length)
  }
  if (depth > 0) throw new Error(`The pattern ${JSON.stringify(pattern)} has a { that is never closed. Escape it: \\{.`)
  try {
    return new RegExp(`^(?:${source})$`, 'su')
  } catch {
    throw new Error(`The pattern ${JSON.stringify(pattern)} has a bracket [ ] that makes no sense. Escape it: \\[.`)
  }
}

/** The text that a pattern begins with and that means one thing, and what it is as a regular expression. */
function tokenOf(rest: string, at: { startsPart: boolean; inBraces: boolean }): { text: string; source: string } {
  const parts = at.startsPart && /^(?:\*\*\/)+/.exec(rest)
  if (parts) return { text: parts[0], source: '(?:[^/]+/)*' }
  if (at.startsPart && /^\*\*(?=$|[,}])/.test(rest)) return { text: '**', source: '.+' }
  const stars = /^\*+/.exec(rest)
  if (stars) return { text: stars[0], source: '[^/]*' }
  const set = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(rest)
  if (set) return { text: set[0], source: `[${set[1] && '^/'}${set[2].replace(/[\\[\]&~|^]/g, '\\$&')}]` }
  if (/^\\./s.test(rest)) return { text: rest.slice(0, 2), source: literal(rest[1]) }
  const character = String.fromCodePoint(rest.codePointAt(0)!)
  if (character === '?') return { text: '?', source: '[^/]' }
  if (character === '{') return { text: '{', source: '(?:' }
  if (character === '}' && at.inBraces) return { text: '}', source: ')' }
  if (character === ',' && at.inBraces) return { text: ',', source: '|' }
  return { text: character, source: character === '[' ? '[' : literal(character) }
}

function literal(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character
}
