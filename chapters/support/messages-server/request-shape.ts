import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'

/** Returns the body as a request, or what the API would say of the first field that is missing, wrong or unknown. */
export function readRequest(body: unknown): Anthropic.MessageCreateParams | { complaint: string } {
  const read = requestShape.safeParse(body, { reportInput: true })
  if (read.success) return body as Anthropic.MessageCreateParams
  const [issue] = read.error.issues.map(innermost)
  const at = (...more: string[]) => [...issue.path, ...more].join('.') || 'request'
  if (issue.code === 'unrecognized_keys') return { complaint: `${at(issue.keys[0])}: Extra inputs are not permitted` }
  return { complaint: `${at()}: ${issue.input === undefined ? 'Field required' : issue.message}` }
}

/** Where a value may be a string or a list and is neither: what is wrong in the one that it comes closest to. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().map((error) => innermost({ ...error, path: [...issue.path, ...error.path] }))
  return inner.reduce((best, one) => (one.path.length > best.path.length ? one : best), issue as z.core.$ZodIssue)
}

const mark = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish()
const anything = z.unknown().optional()

const text = z.strictObject({ type: z.literal('text'), text: z.string(), citations: anything, cache_control: mark })

/** Blocks that a tool system passes on, and does not write. */
const other = z.looseObject({
  type: z.enum(['image', 'document', 'search_result', 'tool_reference', 'thinking', 'redacted_thinking']),
  cache_control: mark,
})

const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  // Whether it is a dictionary, `checkRequest` says.
  input: anything,
  caller: anything,
  toolset_name: anything,
  cache_control: mark,
})

const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, other]))]).optional(),
  is_error: z.boolean().optional(),
  toolset_name: anything,
  cache_control: mark,
})

const message = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, toolUse, toolResult, other]))]),
})

const tool = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  input_schema: z.looseObject({}),
  cache_control: mark,
  type: z.literal('custom').nullish(),
  strict: anything,
  defer_loading: anything,
  eager_input_streaming: anything,
  input_examples: anything,
  allowed_callers: anything,
})

/** The fields that the API documents. Those that a tool system writes are looked into. */
const requestShape = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1),
  messages: z.array(message),
  system: z.union([z.string(), z.array(text)]).optional(),
  tools: z.array(tool).optional(),
  stream: z.boolean().optional(),
  cache_control: mark,
  container: anything,
  diagnostics: anything,
  inference_geo: anything,
  metadata: anything,
  output_config: anything,
  service_tier: anything,
  speed: anything,
  stop_sequences: anything,
  temperature: anything,
  thinking: anything,
  tool_choice: anything,
  top_k: anything,
  top_p: anything,
})
