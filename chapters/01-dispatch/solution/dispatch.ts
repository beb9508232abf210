import { inspect } from 'node:util'
import type { RawInput } from '../given/input.ts'
import { runBash, runEdit, runRead, runWrite } from './handlers.ts'

/** A tool: it gets the project's root and what the model sent, and answers with text for the model. It may throw. */
export type ToolHandler = (root: string, input: RawInput) => Promise<string>

/** Every tool there is, by the name that the model calls it. */
export const TOOL_HANDLERS: Record<string, ToolHandler> = {
  // #region task 5, entries: Name the four tools: bash, read_file, write_file, edit_file.
  bash: runBash,
  read_file: runRead,
  write_file: runWrite,
  edit_file: runEdit,
  // #endregion
}

/**
 * Runs the tool called `name` and returns text for the model, whatever happens: it never throws.
 *
 * A name that is no tool's (also one that every object has, such as `constructor`) gets a text that names it and lists
 * the tools there are. A tool that throws, whatever it throws, gets a text that starts with `Error:` and says what went
 * wrong.
 */
export async function dispatch(root: string, name: string, input: RawInput): Promise<string> {
  // #region task 5: Look the name up and run the handler. Whatever happens comes back as text.
  if (!Object.hasOwn(TOOL_HANDLERS, name)) {
    return `Error: unknown tool "${name}". Available: ${Object.keys(TOOL_HANDLERS).join(', ')}`
  }
  try {
    return await TOOL_HANDLERS[name](root, input)
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : inspect(error)}`
  }
  // #endregion
}
