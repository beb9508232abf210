import { z } from 'zod'
import { semanticNumber } from '#03-contract/contract.ts'
import { type AnyTool, buildTool } from '#05-build-tool/tool.ts'

/** The parts that every definition has, and no other. */
export const minimal = {
  name: 'Double',
  inputSchema: z.strictObject({ n: semanticNumber() }),
  maxResultSizeChars: 1000,
  prompt: async () => 'Doubles a number.',
  call: async ({ n }: { n: number }) => ({ data: n * 2 }),
}

/** A tool with these parts besides the minimal ones. They may be wrong: authors make mistakes. */
export function toolWith(parts: object): AnyTool {
  return buildTool(definitionWith(parts))
}

/** A definition with these parts besides the minimal ones. Getters stay getters. */
export function definitionWith(parts: object): any {
  return Object.defineProperties({ ...minimal }, Object.getOwnPropertyDescriptors(parts))
}
