import { formatZodError, parseInput } from '#03-contract/contract.ts'
import type { AnyTool } from '#05-build-tool/tool.ts'
import { explainUnknownTool, findToolByName } from '#09-registry/registry.ts'
import { type Call, enter, failed } from '../given/call.ts'
import type { Failed, Prepared } from '../given/types.ts'

/** Stage `find`: the tool that the call means (`findToolByName`), or what `explainUnknownTool` says. */
export function find(call: Call): { type: 'found'; tool: AnyTool } | Failed {
  enter(call, 'find')
  // #region task 1: Find the tool among those of the session.
  const { tools } = call.context.options
  const tool = findToolByName(tools, call.toolUse.name)
  return tool ? { type: 'found', tool } : failed('find', explainUnknownTool(tools, call.toolUse.name))
  // #endregion
}

/** Stage `parse`: the input as the tool's schema gives it (`parseInput`), or what `formatZodError` says. */
export function parse(
  call: Call,
  tool: AnyTool,
  raw: unknown,
): { type: 'parsed'; input: Record<string, unknown> } | Failed {
  enter(call, 'parse')
  // #region task 1: Parse the input with the tool's schema.
  // Most inputs need no mending, and Zod is ten times as quick when nobody wants a report.
  const asItCame = tool.inputSchema.safeParse(raw)
  const parsed = asItCame.success ? asItCame : parseInput(tool.inputSchema, raw)
  if (parsed.success) return { type: 'parsed', input: parsed.data }
  return failed('parse', formatZodError(tool.name, parsed.error))
  // #endregion
}

/**
 * Stage `validate`: what the tool itself has against the input (`validateInput`). Only `result: true` passes. An answer
 * that is none is a doubt, and a doubt refuses.
 */
export async function validate(
  call: Call,
  tool: AnyTool,
  input: Record<string, unknown>,
): Promise<{ type: 'valid' } | Failed> {
  enter(call, 'validate')
  // #region task 1: Ask the tool about its input, and take nothing but a clear yes.
  const answer = await tool.validateInput(input, call.context)
  if (answer?.result === true) return { type: 'valid' }
  return failed('validate', answer?.message ?? `${tool.name} gave no answer on whether this input is valid.`)
  // #endregion
}

/** Parses and validates: what every input goes through, whoever wrote it, before it may run. The first failure ends it. */
export async function checkInput(call: Call, tool: AnyTool, raw: unknown): Promise<Prepared | Failed> {
  // #region task 1: Parse first, validate what came of it, and stop where one of them did.
  const parsed = parse(call, tool, raw)
  if (parsed.type === 'failed') return parsed
  const valid = await validate(call, tool, parsed.input)
  if (valid.type === 'failed') return valid
  return { type: 'prepared', tool, input: parsed.input }
  // #endregion
}

/** Stages `find`, `parse` and `validate`: the tool, and the model's input checked. */
export async function prepare(call: Call): Promise<Prepared | Failed> {
  // #region task 1: Find the tool, then check the input that the model sent.
  const found = find(call)
  return found.type === 'found' ? checkInput(call, found.tool, call.toolUse.input) : found
  // #endregion
}
