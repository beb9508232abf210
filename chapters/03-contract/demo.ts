import { z } from 'zod'
import { zodToJsonSchema } from 'zod-to-json-schema'
import { formatZodError, parseInput, toInputSchema } from '#03-contract/contract.ts'

// #region schema
/** Written once. From it come the type, the text for the model, and the check of what comes back. */
const TodoWrite = z.strictObject({
  todos: z.array(z.strictObject({ content: z.string().describe('What to do.'), done: z.boolean().default(false) })),
  note: z.string().optional().describe('A remark for the user.'),
})
// #endregion

// #region calls
/** What models have sent for such a schema. */
const calls: unknown[] = [
  { todos: [{ content: 'read the file' }], note: null },
  { todos: '[{"content":"20","done":"false"}]' },
  { todos: [{ content: 'a' }, { content: 7, hue: 'red' }], remark: 'hi' },
  '',
]
// #endregion

if (process.argv[2] === 'before') showBefore()
else showAfter()

/** What people write first. */
function showBefore(): void {
  // #region naive
  const inputSchema = zodToJsonSchema(TodoWrite as any)
  const replaceAll = z.coerce.boolean().parse('false')
  const parsed = TodoWrite.safeParse(calls[0])
  // #endregion
  console.log('What the model is shown:')
  console.log(indent(JSON.stringify(inputSchema)))
  console.log('replace_all: "false" is read as')
  console.log(indent(String(replaceAll)))
  console.log(JSON.stringify(calls[0]))
  console.log(indent(String(parsed.error)))
}

function showAfter(): void {
  console.log('What the model is shown:')
  for (const [key, value] of Object.entries(toInputSchema(TodoWrite))) console.log(indent(`${key}: ${shown(value)}`))
  for (const raw of calls) {
    console.log(JSON.stringify(raw))
    // #region uses
    const parsed = parseInput(TodoWrite, raw)
    const answer = parsed.success ? `todos: ${shown(parsed.data.todos)}` : formatZodError('TodoWrite', parsed.error)
    // #endregion
    console.log(indent(answer))
  }
}

/** JSON in lines of at most 70 characters. */
function shown(value: unknown): string {
  return JSON.stringify(value)
    .replace(/(.{1,70})(?:(?<=[,:{[])|$)/g, '$1\n')
    .trimEnd()
}

function indent(text: string): string {
  return text.trimEnd().replace(/^/gm, '  ')
}
