import { inspect } from 'node:util'
import type Anthropic from '@anthropic-ai/sdk'
import type { z } from 'zod'
import { parseInput, toInputSchema } from '#03-contract/contract.ts'
import type { AnyTool, PromptOptions, Tool } from '../given/tool-types.ts'

export type * from '../given/tool-types.ts'

/** What only the tool's author can know: a definition must have these parts, and no default stands in for one. */
const REQUIRED = [
  // TODO(task 1): Name the parts that nobody but the author can supply.
] as const satisfies ReadonlyArray<keyof AnyTool>

type RequiredKey = (typeof REQUIRED)[number]

/** What `buildTool` takes: the required parts, and whichever of the others the author has an answer to. */
export type ToolDefinition<Input extends z.ZodType, Output> = Pick<Tool<Input, Output>, RequiredKey> &
  Partial<Omit<Tool<Input, Output>, RequiredKey>> &
  ThisType<Tool<Input, Output>>

/** The questions about a call that are answered with yes or no. */
export type Predicate = 'isConcurrencySafe' | 'isReadOnly' | 'isDestructive'

/** A tool's name as the Messages API takes it. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/

/**
 * What holds where a definition says nothing. The tool is there (`isEnabled`), and whatever could do harm is assumed:
 * not safe beside others, not read-only, destructive, not to be cut short. A classifier is shown all of the input
 * (`textOf`).
 * The tool itself has no objection: `validateInput` finds nothing wrong, and `checkPermissions` allows the input as it
 * came. That decides nothing yet.
 */
export const TOOL_DEFAULTS = {
  aliases: Object.freeze([]) as readonly string[],
  searchHint: undefined,
  outputSchema: undefined,
  inputJSONSchema: undefined,
  // TODO(task 1): Give the cautious answer to every question that an author may leave open.
  mapToolResultToToolResultBlockParam: (output: unknown, toolUseID: string): Anthropic.ToolResultBlockParam => ({
    type: 'tool_result',
    tool_use_id: toolUseID,
    content: textOf(output) || '(no output)',
  }),
  renderToolUseMessage: (input: unknown) => textOf(input),
  renderToolResultMessage: (output: unknown) => textOf(output),
} satisfies Partial<AnyTool>

/**
 * Makes a tool of a definition: the author's answers where there are any, TOOL_DEFAULTS everywhere else.
 *
 * - A key whose value is `undefined` counts as left out.
 * - A getter stays a getter: it is not asked when the tool is made, only when somebody wants its value.
 * - `userFacingName` is the name, and `description` too, unless the definition says something else.
 * - The predicates and `isEnabled` are those of `cautiously`.
 * - The definition is not changed (it may be frozen), and giving its keys other values later does not change the tool.
 *
 * Throws a TypeError that names the tool and the fault when
 * - the name is not one that the API takes (TOOL_NAME);
 * - required parts are missing (REQUIRED): all of them are named;
 * - the definition is no plain object. An instance of a class keeps its methods, and its safety checks, where a copy
 *   does not find them.
 */
export function buildTool<Input extends z.ZodType, Output>(
  definition: ToolDefinition<Input, Output>,
): Tool<Input, Output> {
  // TODO(task 2): Put the definition over the defaults, key by key, and refuse one that is no tool.
  throw new Error('TODO(task 2): buildTool')
}

/**
 * The predicates and `isEnabled` of `answers`, made safe to ask: they never throw, and answer with a boolean.
 *
 * - Where the author's function throws, or gives anything but `true` or `false` (a promise, say), the answer is the
 *   cautious one: not enabled, not concurrency-safe, not read-only, destructive.
 * - Nobody waits for such a promise, so its rejection is caught: an unhandled one would end the program.
 * - A read-only call is never destructive, whatever the author says.
 * - The author's functions are called as methods of `answers`, so that in them `this.isReadOnly(input)` works.
 * - Nothing is asked before the safe function is called.
 */
function cautiously<Input extends z.ZodType>(answers: Tool<Input>): Pick<Tool<Input>, Predicate | 'isEnabled'> {
  // TODO(task 3): Ask the author's functions in such a way that a fault in them is a cautious answer.
  throw new Error('TODO(task 3): cautiously')
}

/**
 * Asks a predicate about a call as the model sent it. Never throws.
 * A predicate only sees parsed input. Where the input does not parse, the answer is the cautious one of TOOL_DEFAULTS.
 */
export function answerFor(tool: AnyTool, predicate: Predicate, rawInput: unknown): boolean {
  // TODO(task 4): Parse the input first, and let the predicate see nothing else.
  throw new Error('TODO(task 4): answerFor')
}

/**
 * The tool's entry in `tools[]` of a request: its name, its `prompt` in this session, and the schema of its input.
 * An `inputJSONSchema` goes out as it came; otherwise `inputSchema` is converted. Throws what these throw.
 */
export async function toApiTool(tool: AnyTool, options: PromptOptions): Promise<Anthropic.Tool> {
  // TODO(task 5): Say to the API what the tool is.
  throw new Error('TODO(task 5): toApiTool')
}

/** A text as it is, nothing as the empty text, anything else as JSON in one line; what JSON cannot say, as Node shows it. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return inspect(value, { breakLength: Number.POSITIVE_INFINITY })
  }
}
