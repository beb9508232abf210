import { inspect } from 'node:util'
import type Anthropic from '@anthropic-ai/sdk'
import { vi } from 'vitest'
import { z } from 'zod'
import {
  BashTool,
  callTool,
  getToolSchemas,
  ReadFileTool,
  TOOL_REGISTRY,
  type Tool,
  type ToolContext,
  WriteFileTool,
} from '#04-tool-engine/tools.ts'
import { checkRequest } from '#support/api-rules.ts'
import { it as base, describe, expect } from '#support/test.ts'

/** Puts a tool called `probe` into the registry for one test; parts that are left out are harmless ones. */
type Register = (parts: { [Part in keyof Tool]?: unknown }) => void

/** What is printed during one test, caught before it gets to the terminal. */
type Terminal = { stdout: string[]; stderr: string[] }

const it = base.extend<{ ctx: ToolContext; register: Register; terminal: Terminal }>({
  ctx: ({ workspace }, use) => use({ cwd: workspace.root, verbose: false }),
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures it needs from this pattern
  register: async ({}, use) => {
    await use((parts) => {
      const harmless = {
        name: 'probe',
        description: 'Does nothing.',
        inputSchema: z.object({}),
        call: async () => ({ success: true, output: 'done' }),
      }
      TOOL_REGISTRY.set('probe', Object.assign(harmless, parts) as Tool<any>)
    })
    TOOL_REGISTRY.delete('probe')
  },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures it needs from this pattern
  terminal: async ({}, use) => {
    const terminal: Terminal = { stdout: [], stderr: [] }
    const noteIn =
      (lines: string[]) =>
      (...words: unknown[]) =>
        lines.push(words.map((word) => (typeof word === 'string' ? word : inspect(word))).join(' ')) > 0
    const spies = [
      ...(['log', 'info', 'debug'] as const).map((name) =>
        vi.spyOn(console, name).mockImplementation(noteIn(terminal.stdout)),
      ),
      ...(['error', 'warn'] as const).map((name) =>
        vi.spyOn(console, name).mockImplementation(noteIn(terminal.stderr)),
      ),
      vi.spyOn(process.stdout, 'write').mockImplementation(noteIn(terminal.stdout)),
      vi.spyOn(process.stderr, 'write').mockImplementation(noteIn(terminal.stderr)),
    ]
    await use(terminal)
    for (const spy of spies) spy.mockRestore()
  },
})

/** An object that throws at whatever is done with it. */
const untouchable = new Proxy(
  {},
  {
    get(_, key) {
      throw new Error(`you asked for ${String(key)}`)
    },
    getPrototypeOf() {
      throw new Error('you asked what it is')
    },
    ownKeys() {
      throw new Error('you asked for its keys')
    },
  },
)

describe('task 1: callTool', () => {
  it('returns what the tool returned', async ({ ctx, register }) => {
    register({ call: async () => ({ success: true, output: 'all well' }) })
    expect(await callTool('probe', {}, ctx)).toEqual({ success: true, output: 'all well' })
    register({ call: async () => ({ success: false, error: 'not today' }) })
    expect(await callTool('probe', {}, ctx)).toEqual({ success: false, error: 'not today' })
  })

  it('hands the input and the context to the tool', async ({ ctx, register }) => {
    const calls: unknown[][] = []
    register({
      inputSchema: z.object({ path: z.string() }),
      call: async (...args: unknown[]) => {
        calls.push(args)
        return { success: true, output: '' }
      },
    })
    await callTool('probe', { path: 'a.txt' }, ctx)
    expect(calls).toEqual([[{ path: 'a.txt' }, ctx]])
  })

  it('hands over what the schema made of the input: defaults filled in', async ({ ctx, register }) => {
    register({
      inputSchema: z.object({ depth: z.number().default(3) }),
      call: async ({ depth }: { depth: number }) => ({ success: true, output: `depth ${depth}` }),
    })
    expect(await callTool('probe', {}, ctx)).toEqual({ success: true, output: 'depth 3' })
  })

  it('repairs what a model gets nearly right, as parseInput does', async ({ ctx, register }) => {
    register({
      inputSchema: z.object({ depth: z.number(), name: z.string().optional() }),
      call: async (input: unknown) => ({ success: true, output: JSON.stringify(input) }),
    })
    expect(await callTool('probe', { depth: '3', name: null }, ctx)).toEqual({ success: true, output: '{"depth":3}' })
  })

  it('calls a tool that is an instance of a class, which needs its this', async ({ ctx, register }) => {
    class Greeter {
      name = 'probe'
      description = 'Greets.'
      inputSchema = z.object({})
      greeting = 'hello'
      async call() {
        return { success: true, output: this.greeting }
      }
    }
    register({})
    TOOL_REGISTRY.set('probe', new Greeter() as Tool<any>)
    expect(await callTool('probe', {}, ctx)).toEqual({ success: true, output: 'hello' })
  })

  it('fails with the wrong name and the list of tools when the name is unknown', async ({ ctx, register }) => {
    register({})
    const error = await failureOf(() => callTool('delete_everything', {}, ctx))
    expect(error).toContain('delete_everything')
    expect(error, 'the model can only choose another when it sees which there are').toContain('probe')
  })

  it.for(['constructor', '__proto__', 'toString', 'size', 'get', ''])(
    'treats %j as an unknown tool, though an object may have it',
    async (name, { ctx, register }) => {
      register({})
      expect(await failureOf(() => callTool(name, {}, ctx)), 'list the real tools').toContain('probe')
    },
  )

  it('names the tool and the field when the input is wrong, and does not call the tool', async ({ ctx, register }) => {
    let called = false
    register({
      inputSchema: z.object({ path: z.string() }),
      call: async () => {
        called = true
        return { success: true, output: '' }
      },
    })
    for (const input of [{}, { path: 7 }, { path: null }, undefined, null, 'text', 7, []]) {
      const error = await failureOf(() => callTool('probe', input, ctx))
      expect(error, `input: ${JSON.stringify(input)}`).toContain('probe')
    }
    expect(await failureOf(() => callTool('probe', { path: 7 }, ctx))).toContain('path')
    expect(called, 'the tool must never see input that its schema refuses').toBe(false)
  })

  it('fails with the message of an Error that the tool throws, now or later', async ({ ctx, register }) => {
    register({
      call() {
        throw new Error('thrown at once')
      },
    })
    expect(await failureOf(() => callTool('probe', {}, ctx))).toContain('thrown at once')
    register({ call: () => Promise.reject(new Error('rejected later')) })
    expect(await failureOf(() => callTool('probe', {}, ctx))).toContain('rejected later')
  })

  it('shows a thrown value that is no Error', async ({ ctx, register }) => {
    for (const thrown of ['odd thing', 42, null, undefined, false]) {
      register({ call: () => Promise.reject(thrown) })
      expect(await failureOf(() => callTool('probe', {}, ctx))).toContain(String(thrown))
    }
  })

  it('shows what is in an object that is thrown', async ({ ctx, register }) => {
    register({ call: () => Promise.reject({ code: 1 }) })
    expect(await failureOf(() => callTool('probe', {}, ctx)), 'what was in it?').toMatch(/code\W+1/)
  })

  it('says something when an Error has no message', async ({ ctx, register }) => {
    register({ call: () => Promise.reject(new Error('')) })
    await failureOf(() => callTool('probe', {}, ctx))
  })

  it.for<[string, unknown]>([
    ['an object without a prototype', Object.create(null)],
    ['a symbol', Symbol('odd')],
    ['an Error whose message cannot be read', withGetter(new Error('x'), 'message')],
    ['an Error whose message is no string', Object.assign(new Error('x'), { message: Object.create(null) })],
    ['an object that throws at each touch', untouchable],
  ])('survives a tool that throws %s', async ([, thrown], { ctx, register }) => {
    register({ call: () => Promise.reject(thrown) })
    await failureOf(() => callTool('probe', {}, ctx))
  })

  it.for<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a bare string', 'all well'],
    ['an empty object', {}],
    ['success that is no boolean', { success: 'yes', output: 'x' }],
    ['success without output', { success: true }],
    ['success whose output is no string', { success: true, output: { lines: 3 } }],
    ['success with an error in place of the output', { success: true, error: 'x' }],
    ['failure without error', { success: false, output: 'x' }],
    ['failure whose error is an Error', { success: false, error: new Error('x') }],
  ])('makes a failure of a tool that returns %s', async ([, returned], { ctx, register }) => {
    register({ call: async () => returned })
    expect(await failureOf(() => callTool('probe', {}, ctx)), 'what is at fault?').toMatch(/\btool|probe/i)
  })

  it('makes a failure of a result that throws when it is read', async ({ ctx, register }) => {
    register({ call: async () => withGetter({ success: true }, 'output') })
    await failureOf(() => callTool('probe', {}, ctx))
    register({ call: () => untouchable })
    await failureOf(() => callTool('probe', {}, ctx))
  })

  it('makes a failure of a tool that is itself broken', async ({ ctx, register }) => {
    register({ call: undefined })
    await failureOf(() => callTool('probe', {}, ctx))
    register({ inputSchema: undefined })
    await failureOf(() => callTool('probe', {}, ctx))
    TOOL_REGISTRY.set('probe', untouchable as Tool<any>)
    await failureOf(() => callTool('probe', {}, ctx))
  })

  it('makes a failure of a schema that throws', async ({ ctx, register }) => {
    const refine = () => {
      throw new Error('the check is broken')
    }
    register({ inputSchema: z.object({ path: z.string().refine(refine) }) })
    expect(await failureOf(() => callTool('probe', { path: 'a' }, ctx))).toContain('the check is broken')
  })

  it('makes a failure of input that throws when it is read', async ({ ctx, register }) => {
    register({ inputSchema: z.object({ path: z.string() }) })
    await failureOf(() => callTool('probe', withGetter({}, 'path'), ctx))
    await failureOf(() => callTool('probe', untouchable, ctx))
  })

  it('prints nothing unless it is asked to be verbose', async ({ ctx, register, terminal }) => {
    register({})
    await callTool('probe', {}, ctx)
    await callTool('probe', 7, ctx)
    await callTool('nobody', {}, ctx)
    expect(terminal).toEqual({ stdout: [], stderr: [] })
  })

  it('names the tool on stderr before it calls it when verbose', async ({ ctx, register, terminal }) => {
    let before = ''
    register({
      call: async () => {
        before = terminal.stderr.join('\n')
        return { success: true, output: '' }
      },
    })
    await callTool('probe', {}, { ...ctx, verbose: true })
    expect(before, 'printed when the call began').toContain('probe')
    expect(terminal.stdout, 'stdout is for the output of the program').toEqual([])
  })

  it('prints the name of the tool when verbose, and nothing of its input', async ({ ctx, register, terminal }) => {
    register({ inputSchema: z.object({ password: z.string() }) })
    await callTool('probe', { password: 'hunter2' }, { ...ctx, verbose: true })
    expect(terminal.stderr.join('\n')).toContain('probe')
    expect(inspect(terminal), 'a file to be written would fill the screen').not.toMatch(/password|hunter2/)
  })
})

describe('task 2: the registry and getToolSchemas', () => {
  it('holds the three tools, each under its name', () => {
    expect([...TOOL_REGISTRY.keys()]).toEqual(['bash', 'read_file', 'write_file'])
    expect(TOOL_REGISTRY.get('bash')).toBe(BashTool)
    expect(TOOL_REGISTRY.get('read_file')).toBe(ReadFileTool)
    expect(TOOL_REGISTRY.get('write_file')).toBe(WriteFileTool)
  })

  it('tells the model name, description and input of each tool, and nothing else', () => {
    const schemas = getToolSchemas()
    expect(schemas.map(({ name }) => name)).toEqual([...TOOL_REGISTRY.keys()])
    for (const schema of schemas) {
      expect(Object.keys(schema).sort()).toEqual(['description', 'input_schema', 'name'])
      expect(schema.description).toBe(TOOL_REGISTRY.get(schema.name)?.description)
      expect(schema.description, `${schema.name}: the model chooses a tool by its description`).toMatch(/\w+ \w+/)
    }
  })

  it('gives the input as a JSON Schema, with the words for each field', ({ register }) => {
    const inputSchema = z.strictObject({ path: z.string().describe('Where to look.'), depth: z.number().optional() })
    register({ inputSchema })
    expect(getToolSchemas().at(-1)?.input_schema).toMatchObject({
      type: 'object',
      properties: { path: { type: 'string', description: 'Where to look.' }, depth: { type: 'number' } },
      required: ['path'],
      additionalProperties: false,
    })
  })

  it('describes every field of bash and read_file to the model', () => {
    for (const tool of ['bash', 'read_file']) {
      const schema = getToolSchemas().find(({ name }) => name === tool)
      const fields = Object.entries((schema?.input_schema.properties ?? {}) as Record<string, object>)
      expect(fields, `${tool} has fields`).not.toEqual([])
      for (const [field, { description }] of fields as Array<[string, { description?: string }]>) {
        expect(description, `${tool}.${field}`).toEqual(expect.stringMatching(/\w+ \w+/))
      }
    }
  })

  it('follows the registry: a tool that joins later is told of, last, and one that leaves is not', ({ register }) => {
    const before = getToolSchemas().map(({ name }) => name)
    register({})
    expect(getToolSchemas().map(({ name }) => name)).toEqual([...before, 'probe'])
    TOOL_REGISTRY.delete('probe')
    expect(getToolSchemas().map(({ name }) => name)).toEqual(before)
  })

  it('is what the API takes as the tools of a request', () => {
    const tools = getToolSchemas() satisfies Anthropic.Tool[]
    checkRequest({ messages: [{ role: 'user', content: 'Hello.' }], tools })
    expect(JSON.parse(JSON.stringify(tools)), 'what is sent must survive the wire').toEqual(tools)
    expect(tools, 'without tools the model can do nothing').not.toEqual([])
  })
})

describe('given: the inputs of bash and read_file', () => {
  it.for([
    ['bash', { command: 'ls' }, true],
    ['bash', { command: 'ls', timeout: 500 }, true],
    ['bash', { command: 'ls', timeout: 0 }, false],
    ['bash', { cmd: 'ls' }, false],
    ['read_file', { path: 'a', start_line: 2, end_line: 3 }, true],
    ['read_file', { path: 'a', start_line: 0 }, false],
    ['read_file', { path: 'a', startline: 2 }, false],
  ] as const)('%s with %j: accepted is %s', ([name, input, accepted]) => {
    const tool: Tool = name === 'bash' ? BashTool : ReadFileTool
    expect(tool.inputSchema.safeParse(input).success).toBe(accepted)
  })
})

/** The error of a call that must fail without throwing, with a text for the model. An unwritten task's TODO goes through. */
async function failureOf(call: () => Promise<unknown>): Promise<string> {
  let result: unknown
  try {
    result = await call()
  } catch (thrown) {
    const [text] = inspect(thrown).split('\n')
    if (text.startsWith('Error: TODO(task')) throw thrown
    return expect.fail(`callTool must never throw, and it threw ${text}`)
  }
  expect(result, 'a ToolResult says whether it is a success').toMatchObject({ success: false })
  const { error } = result as { error: unknown }
  expect(error, 'the model needs a text to go on').toEqual(expect.stringMatching(/\S/))
  return error as string
}

/** `object` with a field that throws when it is read. */
function withGetter<T extends object>(object: T, field: string): T {
  return Object.defineProperty(object, field, {
    enumerable: true,
    get() {
      throw new Error(`${field} cannot be read`)
    },
  })
}
