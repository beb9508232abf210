import type { z } from 'zod'
import { formatZodError, parseInput, toInputSchema } from '#03-contract/contract.ts'
import { BashTool } from './bash-tool.ts'
import { ReadFileTool, WriteFileTool } from './file-tools.ts'
import { asToolResult, failure } from './outcome.ts'

export { BashTool, ReadFileTool, WriteFileTool }

/** How a call ended. A failure is a value like any other: the model reads `error` and tries something else. */
export type ToolResult = { success: true; output: string } | { success: false; error: string }

/** What a tool gets to know beside its input. */
export type ToolContext = {
  /** The project's folder, an absolute path. Relative paths count from it, and no file tool leaves it. */
  cwd: string
  /** Whether the person at the terminal wants to be told, on stderr, what is called. */
  verbose: boolean
}

/** A tool in three parts: a name with words for the model, the schema of its input, and the function that does it. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  name: string
  description: string
  inputSchema: Input
  /** Gets input that the schema has passed. Contract: a failure is returned, not thrown. */
  call(input: z.infer<Input>, ctx: ToolContext): Promise<ToolResult>
}

const TOOLS: Array<Tool<any>> = [
  // TODO(task 2): List the three tools: bash, read_file, write_file.
]

/** Every tool there is, by the name that the model calls it, in the order in which the model is told of them. */
export const TOOL_REGISTRY: Map<string, Tool<any>> = new Map(TOOLS.map((tool) => [tool.name, tool]))

/**
 * Calls the tool named `name` with what the model sent. It never throws: whatever happens is a ToolResult.
 *
 * - A name that the registry does not hold is a failure that names it and lists the tools there are.
 * - Input that the tool's schema refuses is a failure in the words of `formatZodError`. The tool is not called then.
 *   It is called with what the schema made of the input, not with what came.
 * - A tool that throws or rejects, with whatever value, is a failure (see `failure`).
 * - A tool that returns something else than a ToolResult is a failure (see `asToolResult`).
 *
 * With `ctx.verbose`, the name of a tool goes to stderr before it is called. Nothing else is printed, ever: nothing of the
 * input, and nothing on stdout.
 */
export async function callTool(name: string, rawInput: unknown, ctx: ToolContext): Promise<ToolResult> {
  // TODO(task 1): Look the tool up, check its input, call it, check its result. Whatever happens is a ToolResult.
  throw new Error('TODO(task 1): callTool')
}

/**
 * What the model is told of the tools: the `tools` of a request, one entry for each tool of the registry as it is now,
 * in the registry's order. `input_schema` is the JSON Schema that `toInputSchema` makes of the tool's schema.
 */
export function getToolSchemas(): ToolSchema[] {
  // TODO(task 2): Describe every tool of the registry to the model.
  throw new Error('TODO(task 2): getToolSchemas')
}

/** One tool as the Messages API takes it. */
type ToolSchema = { name: string; description: string; input_schema: { type: 'object' } & Record<string, unknown> }
