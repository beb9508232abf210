import { inspect } from 'node:util'
import { z } from 'zod'
import type { ToolResult } from './tools.ts'

/** The type ToolResult, for values that no compiler has seen. */
const toolResultSchema = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), output: z.string() }),
  z.object({ success: z.literal(false), error: z.string() }),
])

/**
 * The failure that tells the model of what was thrown: the message of an Error, anything else as a text that shows it,
 * an object with its fields. `error` is never empty. It never throws itself, though what was thrown may be anything: undefined, an object without
 * a prototype, an Error whose `message` throws when it is read or is no string.
 */
export function failure(thrown: unknown): ToolResult {
  // #region task 1: Make a text of whatever was thrown, also when reading it throws.
  try {
    const message = thrown instanceof Error ? thrown.message || thrown.name : `It threw ${inspect(thrown)}.`
    return { success: false, error: String(message) || 'It threw an Error without a message.' }
  } catch {
    return { success: false, error: 'It threw something that cannot be shown.' }
  }
  // #endregion
}

/**
 * Checks what a tool returned: a ToolResult comes back, and anything else is a failure that says that the tool is at
 * fault (the word `tool` is in it). The types promise a ToolResult, but nobody has made sure of it at run time. It may throw where reading
 * `returned` does.
 */
export function asToolResult(returned: unknown): ToolResult {
  // #region task 1: Let a ToolResult through, and nothing else.
  const checked = toolResultSchema.safeParse(returned)
  if (checked.success) return checked.data
  return { success: false, error: `The tool is broken: it returned ${inspect(returned)}, which is no ToolResult.` }
  // #endregion
}
