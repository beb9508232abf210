import type { z } from 'zod'
import type { Issue } from '../given/issues.ts'
import { type Change, type Path, valueAt, withChanges } from '../given/paths.ts'
import { booleanFromText, numberFromText } from './semantic.ts'

/** Either the input, as the tool may use it, or what is wrong with it. */
export type ParsedInput<T> = { success: true; data: T } | { success: false; error: z.ZodError<T> }

/**
 * Checks what a model sent against the schema of a tool, after mending what models are known to get wrong.
 *
 * - No input (undefined, null, a blank text) is `{}`. An input that is JSON text of an object is that object.
 * - Only what the schema refuses is mended, at the place that it names, and only if the mended value is of the type it
 *   wants there: `"20"` for a number, `"false"` for a boolean, JSON text for a list or an object. So text that a string
 *   field takes is never parsed. What counts as a number or a boolean is up to `numberFromText` and `booleanFromText`.
 * - A field that is null where its type refuses null counts as left out: fine if it is optional or has a default, and
 *   missing if it is required. So does an entry of a record. An element of a list that is null stays null.
 * - What a check of the schema's author refuses (a `custom` issue) is not mended.
 * - Only types are mended: a literal or an enum that is refused (`invalid_value`) is left as it came.
 * - In a union, one option's complaints are mended together or not at all.
 * - All that one parse complains of is mended before the next. What was mended is checked again, and mended again if
 *   need be. The error is about what is still wrong in the end, and carries the values (`issue.input`) for
 *   `formatZodError`.
 *
 * Never changes `raw`. Throws only what the schema's own code throws.
 */
export function parseInput<S extends z.ZodType>(schema: S, raw: unknown): ParsedInput<z.infer<S>> {
  // #region task 3: Parse; while that fails and something can be mended, mend a copy and parse again.
  let input = rootOf(raw)
  while (true) {
    const parsed = schema.safeParse(input)
    if (parsed.success) return parsed
    const changes = parsed.error.issues.flatMap((issue) => repairsOf(issue, input))
    // Only an error that is handed out needs the values, which make Zod several times slower.
    if (changes.length === 0) return schema.safeParse(input, { reportInput: true })
    input = withChanges(input, changes)
  }
  // #endregion
}

/** The input itself: `{}` for no input (undefined, null, a blank text), and `raw` for anything else. */
function rootOf(raw: unknown): unknown {
  // #region task 3: Read no input as the empty object.
  const nothing = raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '')
  return nothing ? {} : raw
  // #endregion
}

/**
 * What to change in `input` so that the issue goes away; empty if nobody can tell.
 * The issue's path counts from `at`: those in a union's options start at the union.
 */
function repairsOf(issue: Issue, input: unknown, at: Path = []): Change[] {
  // #region task 3: Find the value that the schema refused, and say what it should have been.
  const path = [...at, ...issue.path]
  const value = valueAt(input, path)
  if (issue.code === 'custom') return []
  if (value === null) return typeof path.at(-1) === 'string' ? [{ path, value: undefined }] : []
  if (issue.code === 'invalid_union') {
    const options = issue.errors.map((issues) => issues.map((part) => repairsOf(part, input, path)))
    return options.find((repairs) => repairs.length > 0 && repairs.every((repair) => repair.length > 0))?.flat() ?? []
  }
  if (issue.code !== 'invalid_type' || typeof value !== 'string') return []
  const meant = fromText(issue.expected, value)
  return meant === undefined ? [] : [{ path, value: meant }]
  // #endregion
}

/**
 * What a text stands for where Zod expected another type (`issue.expected`), or undefined if it is nothing of the kind.
 */
function fromText(expected: string, text: string): unknown {
  // #region task 3: Read the text as the type that was expected: a number, a boolean, a list or an object.
  if (expected === 'number') return numberFromText(text)
  if (expected === 'boolean') return booleanFromText(text)
  const isList = expected === 'array' || expected === 'tuple'
  if (!isList && expected !== 'object' && expected !== 'record') return undefined
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && Array.isArray(value) === isList ? value : undefined
  } catch {
    return undefined
  }
  // #endregion
}
