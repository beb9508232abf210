import { z } from 'zod'
import { lazySchema } from './lazy-schema.ts'
import { semanticBoolean, semanticNumber } from './semantic.ts'

/** The longest that a command may ask for, in milliseconds. Users set it, so it is not known at import. */
const maxTimeoutMs = () => Number(process.env.BASH_MAX_TIMEOUT_MS ?? 600_000)

/**
 * Bash's whole input. `_simulatedSedEdit` is internal: the program puts it there when it has worked out what a `sed -i`
 * would write and somebody has agreed to exactly that. A model that could send it would write to any file it likes.
 */
export const bashInput = lazySchema(() =>
  z.strictObject({
    command: z.string().describe('The command to run.'),
    timeout: semanticNumber(
      z.number().int().min(1).optional().describe(`Time limit in milliseconds, at most ${maxTimeoutMs()}.`),
    ),
    description: z.string().optional().describe('What the command does, in five to ten words.'),
    run_in_background: semanticBoolean(z.boolean().optional().describe('Go on without waiting for it to end.')),
    _simulatedSedEdit: z.strictObject({ file_path: z.string(), content: z.string() }).optional(),
  }),
)

/** What Bash's `call` gets: the type is the schema's, written nowhere else. */
export type BashInput = z.infer<ReturnType<typeof bashInput>>

/** The schema of what the model may send: all fields but the internal one, and still strict. */
type BashModelSchema = z.ZodObject<Omit<ReturnType<typeof bashInput>['shape'], '_simulatedSedEdit'>, z.core.$strict>

/**
 * `bashInput` without its internal field: what the model is shown, and what its input is checked against. Built once.
 */
export const bashModelInput = lazySchema((): BashModelSchema => {
  // TODO(task 5): Take the internal field out of bashInput.
  throw new Error('TODO(task 5): bashModelInput')
})
