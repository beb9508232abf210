/**
 * A pattern's pieces, between its stars: `git * main` is `git ` and ` main`. `\*` is a star in a piece, and no cut. Any
 * other backslash is a backslash.
 */
export function piecesOf(pattern: string): string[] {
  return pattern.split(/(?<!\\)\*/).map((piece) => piece.replaceAll('\\*', '*'))
}

/**
 * Whether all of `text` fits the pieces, with any text, also none, between two of them. With `inWord` that text has no
 * blank in it, save for what a star at the very end stands for. Takes linear time.
 */
export function fitsPieces(text: string, [start, ...rest]: readonly string[], { inWord = false } = {}): boolean {
  const end = rest.pop()
  if (end === undefined) return text === start
  if (!text.startsWith(start)) return false
  const isGap = (from: number, to: number) => to >= from && !(inWord && text.slice(from, to).includes(' '))
  let at = start.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found === -1 || !isGap(at, found)) return false
    at = found + piece.length
  }
  const last = text.length - end.length
  return text.endsWith(end) && (end === '' ? last >= at : isGap(at, last))
}

/** Whether a text holds a star that stands for something. */
export function hasWildcard(pattern: string): boolean {
  return piecesOf(pattern).length > 1
}

/** A pattern that only `text` fits, or undefined where there is none: a backslash before a star cannot be written. */
export function literalPattern(text: string): string | undefined {
  return /\\\*/.test(text) ? undefined : text.replaceAll('*', '\\*')
}
