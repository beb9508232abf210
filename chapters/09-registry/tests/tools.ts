import { z } from 'zod'
import { type AnyTool, buildTool, type ToolDefinition } from '#05-build-tool/tool.ts'

/** A tool that does nothing, called `name`. */
export function tool(name: string, more: Partial<ToolDefinition<z.ZodType<any>, any>> = {}): AnyTool {
  return buildTool<z.ZodType<any>, any>({
    name,
    inputSchema: z.strictObject({}),
    maxResultSizeChars: 1_000,
    prompt: async () => `What ${name.length} letters do.`,
    call: async () => ({ data: name }),
    ...more,
  })
}

export function namesOf(tools: readonly AnyTool[]): string[] {
  return tools.map(({ name }) => name)
}

/** All orders in which a few things can stand. */
export function ordersOf<T>(things: readonly T[]): T[][] {
  if (things.length < 2) return [[...things]]
  return things.flatMap((thing, index) =>
    ordersOf(things.filter((_, other) => other !== index)).map((rest) => [thing, ...rest]),
  )
}
