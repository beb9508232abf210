import { z } from 'zod'
import { buildTool, TOOL_DEFAULTS, type Tool, type ToolDefinition } from '#05-build-tool/tool.ts'
import { createContext } from '#support/context.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { minimal, toolWith } from './definitions.ts'

const context = createContext('/proj')
const options = { tools: [], isNonInteractiveSession: true }

/** Every part that an author may leave out, answered unlike the default. */
const whole = {
  ...minimal,
  aliases: ['Twice'],
  searchHint: 'multiply by two',
  userFacingName: () => 'Doubling',
  outputSchema: z.number(),
  inputJSONSchema: { type: 'object' as const },
  description: async ({ n }: { n?: number }) => `Double ${n}`,
  isEnabled: () => false,
  validateInput: async () => ({ result: false as const, message: 'No.' }),
  checkPermissions: async () => ({ behavior: 'deny' as const, message: 'No.' }),
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  isDestructive: () => false,
  interruptBehavior: () => 'cancel' as const,
  toAutoClassifierInput: () => '',
  mapToolResultToToolResultBlockParam: (output: number, tool_use_id: string) => ({
    type: 'tool_result' as const,
    tool_use_id,
    content: `It is ${output}.`,
  }),
  renderToolUseMessage: () => 'doubling',
  renderToolResultMessage: () => 'doubled',
} satisfies Tool<(typeof minimal)['inputSchema'], number>

type Part = keyof typeof whole
const required: Part[] = ['name', 'inputSchema', 'maxResultSizeChars', 'prompt', 'call']
const optional = (Object.keys(whole) as Part[]).filter((part) => !required.includes(part))

/** The message of the TypeError with which buildTool refuses a definition. */
async function refusalOf(definition: any): Promise<string> {
  let refusal: unknown
  const message = await errorOf(() => {
    try {
      return buildTool(definition)
    } catch (error) {
      refusal = error
      throw error
    }
  })
  expect(refusal, 'a wrong definition is a TypeError').toBeInstanceOf(TypeError)
  return message
}

describe('task 2: buildTool puts the definition over the defaults', () => {
  it('keeps all that the author says', async () => {
    const tool = buildTool(whole)
    const asked = ['isEnabled', 'isConcurrencySafe', 'isReadOnly', 'isDestructive']
    for (const part of Object.keys(whole) as Part[]) {
      if (!asked.includes(part)) expect(tool[part], part).toBe(whole[part])
    }
    expect(await tool.call({ n: 4 }, context, undefined as any, undefined as any, () => {})).toEqual({ data: 8 })
  })

  it('has every part of a tool when only the required ones are given', async () => {
    const tool = buildTool(minimal)
    for (const part of Object.keys(whole)) expect(tool).toHaveProperty(part)
    expect(tool.interruptBehavior()).toBe('block')
    expect(tool.mapToolResultToToolResultBlockParam(8, 'toolu_1').content).toBe('8')
    expect(await tool.checkPermissions({ n: 1 }, context)).toEqual({ behavior: 'allow', updatedInput: { n: 1 } })
  })

  it('is called by its name, and described by it, where nothing else is said', async () => {
    const tool = buildTool(minimal)
    expect(tool.userFacingName()).toBe('Double')
    expect(await tool.description({}, options)).toBe('Double')
    expect(await buildTool(whole).description({ n: 3 }, options)).toBe('Double 3')
  })

  it.for(optional)('takes %s for left out when it is undefined', async (part) => {
    const tool = toolWith({ [part]: undefined })
    const [given, left] = [tool[part], buildTool(minimal)[part]]
    expect(typeof given, 'undefined must not erase a default').toBe(typeof left)
    if (typeof given !== 'function') expect(given).toEqual(left)
  })

  it('takes null for an answer, since only undefined is left out', () => {
    const tool = toolWith({ searchHint: null, outputSchema: null })
    expect([tool.searchHint, tool.outputSchema]).toEqual([null, null])
  })

  it('asks no getter while it makes the tool', () => {
    const asked: string[] = []
    const getters = Object.fromEntries(
      Object.entries(whole).map(([part, value]) => [part, { enumerable: true, get: () => asked.push(part) && value }]),
    )
    buildTool(Object.defineProperties({}, { ...getters, name: { value: 'Double', enumerable: true } }) as any)
    expect(asked, 'whoever reads a getter gets its value, and has asked it').toEqual([])
  })

  it('asks a getter when somebody wants to know, each time', () => {
    let limit = 10
    let made = 0
    const tool = toolWith({
      get maxResultSizeChars() {
        return limit
      },
      get inputSchema() {
        made++
        return minimal.inputSchema
      },
    })
    expect([tool.maxResultSizeChars, made]).toEqual([10, 0])
    limit = 20
    expect([tool.maxResultSizeChars, tool.inputSchema, made]).toEqual([20, minimal.inputSchema, 1])
  })

  it('leaves the definition as it was', () => {
    const { name, inputSchema, maxResultSizeChars, prompt, call } = minimal
    const definition = { name, inputSchema, maxResultSizeChars, prompt, call, searchHint: undefined }
    const before = Object.getOwnPropertyDescriptors(definition)
    expect(buildTool(definition)).not.toBe(definition)
    expect(Object.getOwnPropertyDescriptors(definition)).toEqual(before)
  })

  it('takes a frozen definition', () => {
    const tool = buildTool(Object.freeze({ ...whole }))
    expect([tool.name, tool.interruptBehavior()]).toEqual(['Double', 'cancel'])
    expect(buildTool(Object.freeze({ ...minimal })).interruptBehavior()).toBe('block')
  })

  it('does not follow a definition that is changed later', async () => {
    const definition: ToolDefinition<(typeof minimal)['inputSchema'], number> = { ...whole }
    const tool = buildTool(definition)
    definition.interruptBehavior = () => 'block'
    definition.prompt = async () => 'Another text.'
    expect(tool.interruptBehavior()).toBe('cancel')
    expect(await tool.prompt(options)).toBe('Doubles a number.')
  })

  it('leaves TOOL_DEFAULTS as they were', () => {
    const before = Object.getOwnPropertyDescriptors(TOOL_DEFAULTS)
    buildTool(whole)
    expect(Object.getOwnPropertyDescriptors(TOOL_DEFAULTS)).toEqual(before)
    expect(buildTool(minimal).aliases).toEqual([])
  })
})

describe('task 2: buildTool refuses what is no tool', () => {
  it.for<[string, unknown]>([
    ['the empty text', ''],
    ['two words', 'Read file'],
    ['a letter beyond ASCII', 'Größe'],
    ['a dot', 'fs.read'],
    ['a line end', 'Read\n'],
    ['129 letters', 'x'.repeat(129)],
    ['a number', 7],
    ['null', null],
    ['undefined', undefined],
  ])('a name that is %s', async ([, name]) => {
    expect(await refusalOf({ ...minimal, name })).toMatch(/name/)
  })

  it('no name that the API takes', () => {
    for (const name of ['a', 'mcp__git-hub__list_issues', 'x'.repeat(128)]) expect(toolWith({ name }).name).toBe(name)
  })

  it.for(required.slice(1))('a definition without %s, and names the tool and the part', async (part) => {
    const { [part]: _, ...rest } = minimal as Record<string, unknown>
    const message = await refusalOf(rest)
    expect(message).toContain('Double')
    expect(message).toContain(part)
  })

  it('a definition whose required part is undefined', async () => {
    expect(await refusalOf({ ...minimal, call: undefined })).toContain('call')
  })

  it('a definition that is a name and nothing more, and names all that is missing', async () => {
    const message = await refusalOf({ name: 'Half', call: minimal.call })
    for (const word of ['Half', 'inputSchema', 'maxResultSizeChars', 'prompt']) expect(message).toContain(word)
    expect(message, 'call is there').not.toMatch(/\bcall\b/)
  })

  it('an instance of a class: a check that it inherits would get lost', async () => {
    class Guarded {
      name = 'Guarded'
      inputSchema = minimal.inputSchema
      maxResultSizeChars = 10
      prompt = minimal.prompt
      call = minimal.call
      async checkPermissions() {
        return { behavior: 'deny', message: 'Never.' }
      }
    }
    expect(await refusalOf(new Guarded())).toContain('Guarded')
    expect(await refusalOf(Object.assign(Object.create(whole), minimal)), 'nor anything that inherits').toContain(
      'Double',
    )
  })

  it('a list: it is no plain object, whatever keys it has', async () => {
    expect(await refusalOf(Object.assign([], minimal))).toContain('Double')
  })

  it('nothing at all', async () => {
    for (const nothing of [null, undefined]) expect(await refusalOf(nothing)).toMatch(/definition|object|name/i)
  })

  it('no object without a prototype: it has nothing that could get lost', () => {
    expect(buildTool(Object.assign(Object.create(null), minimal)).name).toBe('Double')
  })
})
