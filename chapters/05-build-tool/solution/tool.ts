import { type InspectOptions, inspect } from 'node:util'
import type Anthropic from '@anthropic-ai/sdk'
import type { z } from 'zod'
import { parseInput, toInputSchema } from '#03-contract/contract.ts'
import type { AnyTool, PromptOptions, Tool } from '../given/tool-types.ts'

export type * from '../given/tool-types.ts'

/**
 * What only the tool's author can know: a definition must have these parts, and no default stands in for one.
 * All other parts have a default. `userFacingName` and `description` have theirs in `answersOf`: it is the name.
 */
const REQUIRED = [
  // #region task 1, entries: Name the parts that nobody but the author can supply.
  'name',
  'inputSchema',
  'maxResultSizeChars',
  'prompt',
  'call',
  // #endregion
] as const satisfies ReadonlyArray<keyof AnyTool>

type RequiredKey = (typeof REQUIRED)[number]

/** What `buildTool` takes: the required parts, and whichever of the others the author has an answer to. */
export type ToolDefinition<Input extends z.ZodType, Output> = Pick<Tool<Input, Output>, RequiredKey> &
  Partial<Omit<Tool<Input, Output>, RequiredKey>> &
  ThisType<Tool<Input, Output>>

/** The questions about a call that are answered with yes or no. */
export type Predicate = 'isConcurrencySafe' | 'isReadOnly' | 'isDestructive'

type Question = Predicate | 'isEnabled'

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
  // #region task 1, entries: Give the cautious answer to every question that an author may leave open.
  isEnabled: () => true,
  isConcurrencySafe: () => false,
  isReadOnly: () => false,
  isDestructive: () => true,
  interruptBehavior: () => 'block' as const,
  toAutoClassifierInput: (input: unknown) => textOf(input),
  validateInput: async () => ({ result: true as const }),
  checkPermissions: async <Input>(input: Input) => ({ behavior: 'allow' as const, updatedInput: input }),
  // #endregion
  mapToolResultToToolResultBlockParam: (output: unknown, toolUseID: string): Anthropic.ToolResultBlockParam => ({
    type: 'tool_result',
    tool_use_id: toolUseID,
    content: textOf(output) || '(no output)',
  }),
  renderToolUseMessage: (input: unknown) => textOf(input),
  renderToolResultMessage: (output: unknown) => textOf(output),
} satisfies Partial<AnyTool>

/**
 * Makes a tool of a definition: the author's answers where there are any, TOOL_DEFAULTS everywhere else (`answersOf`),
 * and the questions with yes or no made safe to ask (`cautiously`). Throws what `answersOf` throws.
 */
export function buildTool<Input extends z.ZodType, Output>(
  definition: ToolDefinition<Input, Output>,
): Tool<Input, Output> {
  const answers = answersOf(definition)
  const ask = (question: Question, input?: unknown) => cautiously(question, input, { answers, tool })
  const safe: Pick<Tool, Question> = {
    isEnabled: () => ask('isEnabled'),
    isConcurrencySafe: (input) => ask('isConcurrencySafe', input),
    isReadOnly: (input) => ask('isReadOnly', input),
    isDestructive: (input) => ask('isDestructive', input),
  }
  const parts = { ...Object.getOwnPropertyDescriptors(answers), ...Object.getOwnPropertyDescriptors(safe) }
  const tool: Tool<Input, Output> = Object.defineProperties({} as any, parts)
  return tool
}

/**
 * Every part of a tool, as its author says or as TOOL_DEFAULTS say.
 *
 * - A key whose value is `undefined` counts as left out. No other value does: `null` is an answer.
 * - A getter stays a getter: it is not asked when the tool is made, only when somebody wants its value. `name` is the
 *   exception, since it is checked.
 * - `userFacingName` is the name, and `description` too, unless the definition says something else.
 * - The definition is not changed (it may be frozen), and giving its keys other values later does not change the tool.
 *
 * Throws a TypeError that names the tool and the fault when
 * - the name is not one that the API takes (TOOL_NAME);
 * - required parts are missing (REQUIRED): all of them are named;
 * - the definition is no plain object. Plain is what has the prototype of `{}`, or none; `null`, a list and an instance
 *   of a class are not. An instance keeps its methods, and its safety checks, where a copy does not find them.
 */
function answersOf<Input extends z.ZodType, Output>(definition: ToolDefinition<Input, Output>): Tool<Input, Output> {
  // #region task 2: Put the definition over the defaults, key by key, and refuse one that is no tool.
  const { name } = definition
  if (typeof name !== 'string' || !TOOL_NAME.test(name)) {
    throw new TypeError(`A tool's name must match ${TOOL_NAME}, got ${inspect(name)}.`)
  }
  if (![Object.prototype, null].includes(Object.getPrototypeOf(definition))) {
    throw new TypeError(`The definition of ${name} must be a plain object, not a list or an instance of a class.`)
  }
  const own = Object.entries(Object.getOwnPropertyDescriptors(definition))
  const given = Object.fromEntries(own.filter(([, { get, value }]) => get !== undefined || value !== undefined))
  const missing = REQUIRED.filter((key) => !Object.hasOwn(given, key))
  if (missing.length > 0) throw new TypeError(`The tool ${name} has no ${missing.join(', no ')}.`)

  const defaults = { ...TOOL_DEFAULTS, userFacingName: () => name, description: async () => name }
  return Object.defineProperties(defaults, given) as unknown as Tool<Input, Output>
  // #endregion
}

/**
 * The answer of a tool to a question with yes or no. Never throws.
 * `answers` is what `answersOf` gave, with the author's own functions; `tool` is what `buildTool` returns, in which each
 * of these functions has been replaced by a call of this one.
 *
 * - Where the author's function throws, or gives anything but `true` or `false` (a promise, say), the answer is the
 *   cautious one: not enabled, not concurrency-safe, not read-only, destructive. The same where it is no function.
 * - Nobody waits for such a promise, so its rejection is caught: an unhandled one would end the program.
 * - A read-only call is never destructive, whatever the author says.
 * - In the author's function `this` is `tool`: `this.isReadOnly(input)` gives the safe answer, never a promise.
 */
function cautiously(
  question: Question,
  input: unknown,
  { answers, tool }: Record<'answers' | 'tool', AnyTool>,
): boolean {
  // #region task 3: Ask the author's function in such a way that a fault in it is a cautious answer.
  if (question === 'isDestructive' && tool.isReadOnly(input)) return false
  const cautious = question === 'isDestructive'
  try {
    const answer: unknown = answers[question].call(tool, input)
    if (typeof answer === 'boolean') return answer
    Promise.resolve(answer).catch(() => {})
    return cautious
  } catch {
    return cautious
  }
  // #endregion
}

/**
 * Asks a predicate about a call as the model sent it. A predicate only sees parsed input.
 * Never throws. The answer is the cautious one of TOOL_DEFAULTS where the input does not parse, and where anything
 * throws: the schema, or the predicate of a tool that `buildTool` has not made.
 */
export function answerFor(tool: AnyTool, predicate: Predicate, rawInput: unknown): boolean {
  // #region task 4: Parse the input first, and let the predicate see nothing else.
  try {
    const parsed = parseInput(tool.inputSchema, rawInput)
    return parsed.success ? tool[predicate](parsed.data) : TOOL_DEFAULTS[predicate]()
  } catch {
    return TOOL_DEFAULTS[predicate]()
  }
  // #endregion
}

/**
 * The tool's entry in `tools[]` of a request: its name, its `prompt` in this session, and the schema of its input.
 * An `inputJSONSchema` goes out as it came; otherwise `inputSchema` is converted. Throws what these throw.
 */
export async function toApiTool(tool: AnyTool, options: PromptOptions): Promise<Anthropic.Tool> {
  // #region task 5: Say to the API what the tool is.
  return {
    name: tool.name,
    description: await tool.prompt(options),
    input_schema: tool.inputJSONSchema ?? toInputSchema(tool.inputSchema),
  }
  // #endregion
}

/** How Node shows a value when nothing is left out and no line is broken. */
const ALL_IN_ONE_LINE = {
  depth: Number.POSITIVE_INFINITY,
  maxArrayLength: null,
  maxStringLength: null,
  compact: true,
  breakLength: Number.POSITIVE_INFINITY,
} satisfies InspectOptions

/** A text as it is, nothing as the empty text, anything else as JSON in one line; where JSON fails, as Node shows it. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return inspect(value, ALL_IN_ONE_LINE)
  }
}
