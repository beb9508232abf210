/**
 * The words of a text, in lower case, each once: runs of letters and digits, split where a capital follows a small
 * letter. `mcp__git-hub__createIssue` is mcp, git, hub, create, issue.
 */
export function wordsOf(text: string): string[] {
  const spaced = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
  return [...new Set(spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
}

/** Orders texts in the same way on every machine, by their UTF-16 code units: for `toSorted`. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether a name fits a pattern, in which each `*` stands for any text, also for none. */
export function fits(name: string, pattern: string): boolean {
  const [start, ...rest] = pattern.split('*')
  if (rest.length === 0) return name === pattern
  const end = rest.pop()!
  let at = start.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.startsWith(start) && name.endsWith(end) && at + end.length <= name.length
}
