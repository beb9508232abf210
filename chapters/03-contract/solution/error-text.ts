import type { z } from 'zod'
import { cameText, expectedText, fieldText, type Issue, quoted, short, withoutUnions } from '../given/issues.ts'

/** How many problems are told. Whoever mends that many has done enough for one call. */
const MAX_PROBLEMS = 8

/**
 * What is wrong with an input, as text for the model that sent it: which tool, then a line for each problem, then how
 * to call again.
 *
 * - A problem names the field (`todos[2].content`), what was expected (for an enum: the allowed values) and what came,
 *   its type and its value. A field for which nothing came is called `missing`.
 * - A field that the schema does not know is called `unexpected`, with the object that it is in.
 * - A limit that is broken is told in the schema's own message, with the value that came.
 * - The last line names the tool again, and says which fields to `Add`, to `Correct` and to `Leave out`: only the steps
 *   that are needed.
 * - The order is the schema's; unexpected fields are sorted. The same mistakes make the same text.
 * - Long values are cut, and after MAX_PROBLEMS only `N more` is said: at most 4,000 characters, whatever came.
 */
export function formatZodError(toolName: string, error: z.ZodError): string {
  // #region task 4: Say which tool, what is wrong line by line, and how to call again.
  const issues = withoutUnions(error.issues)
  const told = issues.slice(0, MAX_PROBLEMS)
  const lines = told.map((issue) => `- ${problemText(issue)}`)
  if (issues.length > told.length) lines.push(`- and ${issues.length - told.length} more`)

  const todo = { Add: new Set<string>(), Correct: new Set<string>(), 'Leave out': new Set<string>() }
  for (const issue of told) {
    if (issue.code === 'unrecognized_keys') todo['Leave out'].add(unexpectedText(issue))
    else todo[isMissing(issue) ? 'Add' : 'Correct'].add(fieldText(issue.path))
  }
  const steps = Object.entries(todo).flatMap(([step, fields]) =>
    fields.size > 0 ? `${step}: ${[...fields].join(', ')}.` : [],
  )
  return `${toolName} did not run: its input is wrong.\n${lines.join('\n')}\nCall ${toolName} again. ${steps.join(' ')}`
  // #endregion
}

/** One problem in one line, without a line end. */
function problemText(issue: Issue): string {
  // #region task 4: Tell missing, unexpected and wrong apart: the field, what was expected, what came.
  if (issue.code === 'unrecognized_keys') return `unexpected in ${fieldText(issue.path)}: ${unexpectedText(issue)}`
  const field = fieldText(issue.path)
  const came = cameText(issue)
  if (isMissing(issue)) return `${field}: missing, expected ${expectedText(issue)}`
  if (issue.code === 'invalid_type' || issue.code === 'invalid_value') {
    return `${field}: expected ${expectedText(issue)}${came === undefined ? '' : `, got ${came}`}`
  }
  return `${field}: ${expectedText(issue)}${came === undefined ? '' : ` (got ${came})`}`
  // #endregion
}

/** A required field for which nothing came. */
function isMissing(issue: Issue): boolean {
  return issue.path.length > 0 && cameText(issue) === 'nothing'
}

/** The names of the fields that the schema does not know, sorted. */
function unexpectedText(issue: Issue & { code: 'unrecognized_keys' }): string {
  return short(issue.keys.toSorted().map(quoted).join(', '), 120)
}
