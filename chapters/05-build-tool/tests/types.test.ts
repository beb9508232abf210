import { describe, expect, it } from '#support/test.ts'
import { typeTests } from '#support/type-tests.ts'

/** A definition in which `n` is a number. What is undefined is left out. */
function tool(parts: Record<string, string | undefined> = {}): string {
  const all = {
    name: `name: 'Double'`,
    inputSchema: 'inputSchema: z.object({ n: z.number() })',
    maxResultSizeChars: 'maxResultSizeChars: 1000',
    prompt: `prompt: async () => 'Doubles a number.'`,
    call: 'call: async ({ n }) => ({ data: `${n * 2}` })',
    ...parts,
  }
  const lines = Object.values(all).filter((part) => part !== undefined)
  return `${PRELUDE}const tool = buildTool({ ${lines.join(', ')} })\nexport const tools: AnyTool[] = [tool]\n`
}

/** `is<T>(value)` compiles only where the type of the value is just `T`: neither wider, nor `any`. */
const PRELUDE = `import { z } from 'zod'
import { type AnyTool, answerFor, buildTool, type Predicate, toApiTool } from '../code/tool.ts'
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function is<T>(): <V>(value: V, ...no: Same<V, T> extends true ? [] : ['another type']) => true
`

/** In each method, `n` has the type that the schema gives it. */
const typed = {
  call: 'call: async ({ n }) => ({ data: String(is<number>()(n)) })',
  validateInput: 'validateInput: async ({ n }) => ({ result: is<number>()(n) })',
  checkPermissions:
    'checkPermissions: async (input) => { is<number>()(input.n); return { behavior: "allow", updatedInput: input } }',
  isConcurrencySafe: 'isConcurrencySafe: ({ n }) => is<number>()(n)',
  isReadOnly: 'isReadOnly: ({ n }) => is<number>()(n)',
  isDestructive: 'isDestructive: ({ n }) => is<number>()(n)',
  toAutoClassifierInput: 'toAutoClassifierInput: ({ n }) => String(is<number>()(n))',
  description: 'description: async ({ n }) => String(is<number | undefined>()(n))',
  renderToolUseMessage: 'renderToolUseMessage: ({ n }) => String(is<number | undefined>()(n))',
  userFacingName: 'userFacingName: (input) => String(is<{ n: number } | undefined>()(input))',
}

const outputs = {
  mapToolResultToToolResultBlockParam: `mapToolResultToToolResultBlockParam: (output, tool_use_id) => {
    is<string>()(output)
    return { type: 'tool_result', tool_use_id, content: output }
  }`,
  renderToolResultMessage: 'renderToolResultMessage: (output) => String(is<string>()(output))',
}

const wrong = {
  'a permission that is no behaviour': `checkPermissions: async () => ({ behavior: 'maybe', message: 'Hm.' })`,
  'a permission to go on without an input': `checkPermissions: async () => ({ behavior: 'allow' })`,
  'a refusal without a message': `checkPermissions: async () => ({ behavior: 'deny' })`,
  'a permission that is a boolean': 'checkPermissions: async () => true',
  'a failed validation without a message': 'validateInput: async () => ({ result: false })',
  'a predicate that gives a promise': 'isReadOnly: async () => true',
  'a call that returns a bare text': `call: async () => 'done'`,
  'a maxResultSizeChars that is a text': `maxResultSizeChars: '1000'`,
}

const required = ['name', 'inputSchema', 'maxResultSizeChars', 'prompt', 'call']

const complaints = typeTests<string>('05-build-tool', {
  minimal: tool(),
  ...Object.fromEntries(required.map((part) => [`without ${part}`, tool({ [part]: undefined })])),
  ...Object.fromEntries(Object.entries({ ...typed, ...outputs }).map(([part, text]) => [part, tool({ [part]: text })])),
  getter: tool({ ...typed, inputSchema: 'get inputSchema() { return z.object({ n: z.number() }) }' }),
  wrongUse: tool({ call: 'call: async ({ m }) => ({ data: m })' }),
  ...Object.fromEntries(Object.entries(wrong).map(([what, part]) => [what, tool({ [part.split(':')[0]]: part })])),
  request: `${tool()}import Anthropic from '@anthropic-ai/sdk'
    export const send = async (client: Anthropic) => client.messages.create({
      model: 'any', max_tokens: 10, messages: [], tools: [await toApiTool(tool, { tools })],
    })\n`,
  required: `${PRELUDE}import type { ToolDefinition } from '../code/tool.ts'
    type Definition = ToolDefinition<z.ZodObject, string>
    type Needed = { [K in keyof Definition]-?: {} extends Pick<Definition, K> ? never : K }[keyof Definition]
    export const needed = is<${required.map((part) => `'${part}'`).join(' | ')}>()(undefined as unknown as Needed)
    export type Unused = [AnyTool, Predicate, typeof answerFor, typeof buildTool, typeof toApiTool]\n`,
  predicates: `${tool()}answerFor(tool, 'isReadOnly', {}) satisfies boolean
    is<Predicate>()('isReadOnly' as 'isReadOnly' | 'isDestructive' | 'isConcurrencySafe')\n`,
})

describe('task 1: what only the author can know', () => {
  it.for(required)('a definition without %s does not compile', (part) => {
    expect(complaints(`without ${part}`).join('\n'), 'TypeScript should complain of the part').toContain(`'${part}'`)
  })

  it('these five parts are required, and no other part is', () => {
    expect(complaints('required')).toEqual([])
  })
})

describe('given: the types of buildTool', () => {
  it('a definition compiles with the five required parts and no other', () => {
    expect(complaints('minimal')).toEqual([])
  })

  it.for(Object.keys(typed))('the type of the input flows from the schema into %s', (part) => {
    expect(complaints(part)).toEqual([])
  })

  it.for(Object.keys(outputs))('the type of the output flows from call into %s', (part) => {
    expect(complaints(part)).toEqual([])
  })

  it('the type of the input also flows from a schema that is a getter', () => {
    expect(complaints('getter')).toEqual([])
  })

  it('a field that the schema does not have does not compile', () => {
    expect(complaints('wrongUse').join('\n')).toContain(`'m'`)
  })

  it.for(Object.keys(wrong))('%s does not compile', (what) => {
    expect(complaints(what)).not.toEqual([])
  })

  it('what toApiTool gives is what messages.create takes', () => {
    expect(complaints('request')).toEqual([])
  })

  it('answerFor knows three predicates and gives a boolean', () => {
    expect(complaints('predicates')).toEqual([])
  })
})
