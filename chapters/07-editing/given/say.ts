/** `line 4`, `lines 4 and 9`, `lines 4, 9, 12 and 5 more`. */
export function listLines(lines: readonly number[]): string {
  const [first, second, third] = lines
  if (lines.length === 1) return `line ${first}`
  if (lines.length === 2) return `lines ${first} and ${second}`
  return `lines ${first}, ${second}${lines.length === 3 ? ` and ${third}` : `, ${third} and ${lines.length - 3} more`}`
}

/** `1 place`, `2 places`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

/** A line of a text in quotes, with what is invisible in it escaped, and not too much of it. */
export function quoteLine(text: string, line: number): string {
  const whole = text.split('\n')[line - 1] ?? ''
  return JSON.stringify(whole.length > 200 ? `${whole.slice(0, 200)}…` : whole)
}
