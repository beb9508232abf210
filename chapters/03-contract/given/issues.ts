import { z } from 'zod'
import type { Path } from './paths.ts'

/** One thing that Zod has against an input. */
export type Issue = z.core.$ZodIssue

/** Cuts a text at `max` characters and says so with `…`. */
export function short(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}

/** A field as people write it: `todos[2].content`. The path of the input itself is `the input`. */
export function fieldText(path: Path): string {
  return path.length === 0 ? 'the input' : short(z.core.toDotPath([...path]), 60)
}

/** A value's type and the value itself, in at most about 80 characters however large it is. */
export function valueText(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array of ${value.length}`
  if (typeof value === 'object')
    return short(`object with ${Object.keys(value).slice(0, 8).map(quoted).join(', ')}`, 80)
  return `${typeof value} ${typeof value === 'string' ? quoted(value) : short(String(value), 60)}`
}

/** A text in quotes, on one line and in at most 80 characters. */
export function quoted(text: string): string {
  return short(JSON.stringify(short(text, 60)), 80)
}

/**
 * What came where the issue is, as `valueText` writes it.
 *
 * Zod keeps the value only if the parse asked for it (`reportInput: true`). Without it, the type that Zod's own message
 * names is all there is, and undefined where it names none.
 */
export function cameText(issue: Issue): string | undefined {
  if ('input' in issue) return valueText(issue.input)
  const type = /received (\w+)/.exec(issue.message)?.[1]
  return type === 'undefined' ? 'nothing' : type
}

/**
 * Replaces each failed union by something that a reader can act on: "expected string or number" where no option has the
 * right type, and the issues of the option that comes closest elsewhere.
 */
export function withoutUnions(issues: readonly Issue[], at: Path = []): Issue[] {
  return issues.flatMap((issue): Issue[] => {
    const here = { ...issue, path: [...at, ...issue.path] } as Issue
    if (here.code !== 'invalid_union' || here.errors.length === 0) return [here]
    const wrongTypes = here.errors.map((option) => option.find((part) => isWrongTypeAt(part)))
    if (wrongTypes.every((part) => part !== undefined)) {
      const expected = [...new Set(wrongTypes.map(expectedText))].join(' or ')
      return [{ ...wrongTypes[0], code: 'invalid_type', path: here.path, expected } as Issue]
    }
    const options = here.errors.filter((option) => !option.some((part) => isWrongTypeAt(part)))
    const closest = options.reduce((best, option) => (distance(option) < distance(best) ? option : best))
    return withoutUnions(closest, here.path)
  })
}

/**
 * What the schema wants there, on one line and in at most 200 characters: a type, the values that are allowed, or (for
 * any other issue) the schema's message.
 */
export function expectedText(issue: Issue): string {
  if (issue.code === 'invalid_type') return issue.expected === 'int' ? 'whole number' : String(issue.expected)
  if (issue.code !== 'invalid_value') return short(issue.message.replace(/\s+/g, ' '), 200)
  const values = issue.values.map((value) => (typeof value === 'string' ? quoted(value) : String(value)))
  return short(values.length === 1 ? values[0] : `one of ${values.join(', ')}`, 200)
}

/** A wrong literal (`type: "b"` where the option wants "a") says more against an option than any other issue. */
function distance(option: readonly Issue[]): number {
  return option.reduce((sum, issue) => sum + (issue.code === 'invalid_value' ? 10 : 1), 0)
}

function isWrongTypeAt(issue: Issue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
}
