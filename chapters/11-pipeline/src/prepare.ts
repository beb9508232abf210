import { formatZodError, parseInput } from '#03-contract/contract.ts'
import type { AnyTool } from '#05-build-tool/tool.ts'
import { explainUnknownTool, findToolByName } from '#09-registry/registry.ts'
import { type Call, enter, failed } from '../given/call.ts'
import type { Failed, Prepared } from '../given/types.ts'

/** Stage `find`: the tool that the call means (`findToolByName`), or what `explainUnknownTool` says. */
export function find(call: Call): { type: 'found'; tool: AnyTool } | Failed {
  enter(call, 'find')
  // TODO(task 1): Find the tool among those of the session.
  throw new Error('TODO(task 1): find')
}

/** Stage `parse`: the input as the tool's schema gives it (`parseInput`), or what `formatZodError` says. */
export function parse(
  call: Call,
  tool: AnyTool,
  raw: unknown,
): { type: 'parsed'; input: Record<string, unknown> } | Failed {
  enter(call, 'parse')
  // TODO(task 1): Parse the input with the tool's schema.
  throw new Error('TODO(task 1): parse')
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
  // TODO(task 1): Ask the tool about its input, and take nothing but a clear yes.
  throw new Error('TODO(task 1): validate')
}

/** Parses and validates: what every input goes through, whoever wrote it, before it may run. The first failure ends it. */
export async function checkInput(call: Call, tool: AnyTool, raw: unknown): Promise<Prepared | Failed> {
  // TODO(task 1): Parse first, validate what came of it, and stop where one of them did.
  throw new Error('TODO(task 1): checkInput')
}

/** Stages `find`, `parse` and `validate`: the tool, and the model's input checked. */
export async function prepare(call: Call): Promise<Prepared | Failed> {
  // TODO(task 1): Find the tool, then check the input that the model sent.
  throw new Error('TODO(task 1): prepare')
}
