import { z } from 'zod'
import { type AnyTool, buildTool, type PromptOptions, toApiTool } from '#05-build-tool/tool.ts'
import { checkRequest } from '#support/api-rules.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { minimal, toolWith } from './definitions.ts'

const noTools: PromptOptions = { tools: [] }

/** What an MCP server says of its tool, with things in it that no Zod schema would write like this. */
const foreign = {
  type: 'object' as const,
  properties: { q: { $ref: '#/$defs/Query' }, 'x-y': { type: 'string', format: 'uri' } },
  $defs: { Query: { type: 'string', minLength: 1 } },
  required: ['q'],
}

describe('task 5: toApiTool', () => {
  it('gives the name, the prompt and the JSON Schema of the input, and nothing else', async () => {
    const tool = buildTool({
      ...minimal,
      aliases: ['Twice'],
      userFacingName: () => 'Doubling',
      searchHint: 'multiply',
      inputSchema: z.strictObject({ n: z.number().describe('What to double.') }),
    })
    expect(await toApiTool(tool, noTools)).toEqual({
      name: 'Double',
      description: 'Doubles a number.',
      input_schema: {
        type: 'object',
        properties: { n: { type: 'number', description: 'What to double.' } },
        required: ['n'],
        additionalProperties: false,
      },
    })
  })

  it('gives what the API takes', async () => {
    const tools = await Promise.all([toolWith({}), toolWith({ name: 'Other', inputJSONSchema: foreign })].map(entry))
    expect(() => checkRequest({ messages: [{ role: 'user', content: 'Hi' }], tools })).not.toThrow()
  })

  it('lets the prompt depend on the tools of the session', async () => {
    const prompt = async ({ tools }: PromptOptions) =>
      tools.some(({ name }) => name === 'Read') ? 'Use Read first.' : 'Use cat first.'
    const tool = toolWith({ prompt })
    const [read, other] = [toolWith({ name: 'Read' }), toolWith({ name: 'Other' })]
    expect((await toApiTool(tool, { tools: [other, read] })).description).toBe('Use Read first.')
    expect((await toApiTool(tool, { tools: [other] })).description).toBe('Use cat first.')
  })

  it('prefers inputJSONSchema, and leaves it as it came', async () => {
    const before = structuredClone(foreign)
    const { input_schema } = await entry(toolWith({ inputJSONSchema: foreign }))
    expect(input_schema).toEqual(before)
    expect(foreign).toEqual(before)
  })

  it('does not convert inputSchema when there is an inputJSONSchema: it may be anything', async () => {
    const inputSchema = z.record(z.string(), z.unknown())
    expect((await entry(toolWith({ inputSchema, inputJSONSchema: foreign }))).input_schema).toEqual(foreign)
  })

  it('asks a schema that is a getter', async () => {
    const tool = toolWith({
      get inputSchema() {
        return z.strictObject({ late: z.string() })
      },
    })
    expect((await entry(tool)).input_schema.properties).toHaveProperty('late')
  })

  it('rejects when the prompt does, or when the schema is none for the API', async () => {
    const noPrompt = toolWith({
      prompt: async () => {
        throw new Error('settings are not loaded')
      },
    })
    expect(await errorOf(() => entry(noPrompt))).toContain('settings are not loaded')
    expect(await errorOf(() => entry(toolWith({ inputSchema: z.string() })))).toMatch(/object/)
  })
})

function entry(tool: AnyTool) {
  return toApiTool(tool, noTools)
}
