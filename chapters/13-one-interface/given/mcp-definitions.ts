import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { lazySchema } from '#03-contract/contract.ts'

/** What a server says of one of its tools. */
export interface McpDefinition {
  /** As the server calls it: any text. */
  name: string
  title: string | undefined
  description: string | undefined
  /** As it came. */
  inputSchema: Anthropic.Tool.InputSchema
  /** Hints. `undefined`: nothing was said, or something that is neither yes nor no. */
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; title?: string }
}

/** One page of `tools/list`. Each tool is read by itself: one that is malformed does not take the others with it. */
export const toolsPage = lazySchema(() =>
  z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish().catch(undefined) }),
)

const text = lazySchema(() => z.string().optional().catch(undefined))
const hint = lazySchema(() => z.boolean().optional().catch(undefined))

/** What the Messages API takes as an `input_schema`: one that it refuses would be the end of the whole request. */
const inputSchema = lazySchema(() =>
  z.looseObject({
    type: z.literal('object'),
    properties: z
      .record(
        z.string().regex(/^[a-zA-Z0-9_.-]{1,64}$/, 'a key may have 1 to 64 letters, digits, "_", "." and "-"'),
        z.union([z.boolean(), z.looseObject({})]),
      )
      .optional(),
    required: z.array(z.string()).optional(),
    ...Object.fromEntries(
      ['anyOf', 'oneOf', 'allOf'].map((key) => [key, z.never(`${key} must not stand at the top level`).optional()]),
    ),
  }),
)

const definition = lazySchema(() =>
  z.looseObject({
    name: z.string(),
    title: text(),
    description: text(),
    inputSchema: inputSchema(),
    annotations: z
      .looseObject({ readOnlyHint: hint(), destructiveHint: hint(), title: text() })
      .optional()
      .catch(undefined),
  }),
)

/** Reads an entry of the list, or says in half a sentence what is wrong with it. */
export function readDefinition(
  entry: unknown,
): { type: 'read'; definition: McpDefinition } | { type: 'refused'; name: string; why: string } {
  const parsed = definition().safeParse(entry)
  const raw = entry as { name?: unknown; inputSchema: Anthropic.Tool.InputSchema } | null
  if (parsed.success) {
    const { name, title, description, annotations = {} } = parsed.data
    return { type: 'read', definition: { name, title, description, annotations, inputSchema: raw!.inputSchema } }
  }
  const [{ path, message }] = parsed.error.issues
  const name = typeof raw?.name === 'string' ? raw.name.slice(0, 100) : 'without a name'
  return { type: 'refused', name, why: `${path.join('.') || 'the entry'}: ${message}` }
}
