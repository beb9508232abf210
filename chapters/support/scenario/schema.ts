import { z } from 'zod'

const pattern = z.string().min(1).refine(isPattern, { error: 'expected a regular expression' })
const count = z.int().min(0)

const callSchema = z.strictObject({
  name: z.string().min(1),
  /** `{{cwd}}` in it is the sample's folder. No input is `{}`. */
  input: z.record(z.string(), z.unknown()).optional(),
  /** In place of `input`: what the model writes, letter by letter. It may be cut, or no JSON at all. */
  json: z.string().optional(),
})

const turnSchema = z.strictObject({
  /** A text of the first message of a sub-agent: the turn is one of its conversation, not of the main one. */
  for: z.string().min(1).optional(),
  /** The turn is left out unless the last message of the request fits. */
  when: pattern.optional(),
  /** The turn is left out if the last message of the request fits. */
  unless: pattern.optional(),
  /** The last message of the request must fit each of them, or the server says what is wrong. */
  expect: z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(pattern)).optional(),
  text: z.string().optional(),
  calls: z.array(callSchema).min(1).optional(),
  /** Why the model stops: `tool_use` when there are calls, else `end_turn`, unless it is said. */
  stop: z.enum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal']).optional(),
  /** Between two events of the stream, in ms. */
  pace: count.optional(),
  /** Breaks the connection after so many events. */
  cut_after: count.optional(),
  error: z
    .strictObject({
      status: z.int().min(400).max(599),
      type: z.string().optional(),
      message: z.string().optional(),
      /** In seconds. */
      retry_after: z.number().min(0).optional(),
      /** Comes in the stream, after so many events of the turn's message. */
      after: count.optional(),
    })
    .optional(),
  /** What a proxy answers that stands in the way. */
  html: z
    .strictObject({
      status: z.int().min(200).max(599).default(502),
      body: z.string().default('<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>'),
    })
    .optional(),
})

export const scenarioSchema = z.strictObject({
  /** Kebab-case, and the file's name without `.yaml`. */
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'expected lower-case words with dashes between them' }),
  /** One line for a list of scenarios. */
  about: z.string().regex(/^[^\n]+$/, { error: 'expected one line' }),
  /** What the user asks. */
  task: z.string().min(1),
  /** The name of a folder in `samples/`: the agent works in a copy of it. */
  sample: z.string().min(1),
  /** Between two events, in ms, for turns that do not say. */
  pace: count.optional(),
  /** Permission rules beside the user's own. */
  permissions: z
    .strictObject({ allow: z.array(z.string()), ask: z.array(z.string()), deny: z.array(z.string()) })
    .partial()
    .optional(),
  /** What is switched on: `sleep` for the tool Sleep. */
  features: z.strictObject({ sleep: z.boolean() }).partial().optional(),
  turns: z.array(turnSchema).min(1),
})

/** What a model says, turn by turn, on a task in a sample project. */
export type Scenario = z.infer<typeof scenarioSchema>
export type Turn = Scenario['turns'][number]

/** A pattern of a scenario: upper and lower case are the same, and `^` and `$` fit at each line. */
export function toPattern(source: string): RegExp {
  return new RegExp(source, 'im')
}

function isPattern(source: string): boolean {
  try {
    return toPattern(source) instanceof RegExp
  } catch {
    return false
  }
}
