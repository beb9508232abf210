import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import { zodToJsonSchema } from 'zod-to-json-schema'
import { toInputSchema } from '#03-contract/contract.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'

describe('given: what the two converters do with the wrong major', () => {
  it('zod-to-json-schema writes an empty schema for one of Zod 4, and says nothing', () => {
    const { $schema, ...json } = zodToJsonSchema(z.object({ path: z.string() }) as never)
    expect(json).toEqual({})
  })

  it('z.toJSONSchema throws for a schema of Zod 3', () => {
    expect(() => z.toJSONSchema(z3.object({ path: z3.string() }) as never)).toThrow()
  })
})

describe('task 1: toInputSchema', () => {
  it('writes type, fields, required and descriptions of a Zod 4 object', () => {
    const schema = z.object({ path: z.string().describe('Where to read.'), limit: z.number().optional() })
    expect(toInputSchema(schema)).toMatchObject({
      type: 'object',
      properties: { path: { type: 'string', description: 'Where to read.' }, limit: { type: 'number' } },
      required: ['path'],
    })
  })

  it('writes a Zod 3 object through the converter made for it', () => {
    const schema = z3.object({ path: z3.string().describe('Where to read.'), limit: z3.number().default(5) }).strict()
    expect(toInputSchema(schema)).toEqual({
      type: 'object',
      properties: { path: { type: 'string', description: 'Where to read.' }, limit: { type: 'number', default: 5 } },
      required: ['path'],
      additionalProperties: false,
    })
  })

  it('leaves $schema out, for either major', () => {
    expect(toInputSchema(z.object({ a: z.string() }))).not.toHaveProperty('$schema')
    expect(toInputSchema(z3.object({ a: z3.string() }))).not.toHaveProperty('$schema')
  })

  it('shows the input side: a field with a default need not be sent, and a transform shows what goes in', () => {
    const schema = z.object({ limit: z.number().default(5), size: z.string().transform(Number) })
    expect(toInputSchema(schema)).toMatchObject({
      properties: { limit: { type: 'number', default: 5 }, size: { type: 'string' } },
      required: ['size'],
    })
  })

  it('says additionalProperties: false for a strictObject, also for one inside', () => {
    const schema = z.strictObject({ inner: z.strictObject({ a: z.string() }) })
    expect(toInputSchema(schema)).toMatchObject({
      additionalProperties: false,
      properties: { inner: { additionalProperties: false } },
    })
  })

  it('takes an object without fields: some tools need no input', () => {
    expect(toInputSchema(z.strictObject({}))).toMatchObject({ type: 'object', properties: {} })
    expect(toInputSchema(z3.object({}))).toMatchObject({ type: 'object', properties: {} })
  })

  it('takes an object with a refinement or a transform behind it', () => {
    const fields = { properties: { a: { type: 'string' } } }
    expect(toInputSchema(z.object({ a: z.string() }).refine(() => true))).toMatchObject(fields)
    expect(toInputSchema(z.object({ a: z.string() }).transform(({ a }) => a))).toMatchObject(fields)
    expect(toInputSchema(z3.object({ a: z3.string() }).refine(() => true))).toMatchObject(fields)
  })

  it('keeps $defs at the root and local references to them', () => {
    const query = z.object({ text: z.string() }).meta({ id: 'Query' })
    const schema = toInputSchema(z.object({ query, other: query }))
    expect(schema).toMatchObject({
      properties: { query: { $ref: '#/$defs/Query' }, other: { $ref: '#/$defs/Query' } },
      $defs: { Query: { type: 'object', properties: { text: { type: 'string' } } } },
    })
  })

  it('has type: object at the root also where the root has an id of its own', () => {
    const schema = toInputSchema(z.object({ a: z.string() }).meta({ id: 'ReadInput' }))
    expect(schema).toMatchObject({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] })
    expect(schema, 'a reference at the root hides the type from the API').not.toHaveProperty('$ref')
  })

  it('writes a schema that contains itself', () => {
    const node: z.ZodType = z.object({
      name: z.string(),
      get children() {
        return z.array(node)
      },
    })
    const node3: z3.ZodTypeAny = z3.object({ name: z3.string(), children: z3.lazy(() => z3.array(node3)) })
    for (const schema of [node, node3]) {
      const json = toInputSchema(schema)
      expect(json).toMatchObject({ type: 'object', properties: { children: { type: 'array' } } })
      expect(JSON.stringify(json), 'a list of itself is a local reference').toMatch(/"\$ref":"#/)
    }
  })

  it('writes draft 2020-12: a tuple has prefixItems, for either major', () => {
    const prefixItems = [{ type: 'string' }, { type: 'number' }]
    const expected = { properties: { range: { type: 'array', prefixItems } } }
    expect(toInputSchema(z.object({ range: z.tuple([z.string(), z.number()]) }))).toMatchObject(expected)
    expect(toInputSchema(z3.object({ range: z3.tuple([z3.string(), z3.number()]) }))).toMatchObject(expected)
  })

  const a = z.object({ mode: z.literal('a') })
  const b = z.object({ mode: z.literal('b') })
  it.for<[string, unknown]>([
    ['a union', z.union([a, b])],
    ['a discriminated union', z.discriminatedUnion('mode', [a, b])],
    ['an intersection', a.and(z.object({ n: z.number() }))],
    ['a record', z.record(z.string(), z.string())],
    ['an array', z.array(a)],
    ['a string', z.string()],
    ['z.any()', z.any()],
    ['z.unknown()', z.unknown()],
    ['an object or null', a.nullable()],
    ['a union of Zod 3', z3.union([z3.object({ a: z3.string() }), z3.object({ b: z3.string() })])],
    ['an intersection of Zod 3', z3.object({ a: z3.string() }).and(z3.object({ b: z3.string() }))],
    ['a string of Zod 3', z3.string()],
    ['a JSON Schema in place of a Zod schema', { type: 'object', properties: { a: { type: 'string' } } }],
    ['undefined', undefined],
    ['null', null],
  ])('refuses %s at the root and asks for an object', async ([, schema]) => {
    expect(await errorOf(() => toInputSchema(schema as z.ZodType))).toMatch(/object/i)
    expect(() => toInputSchema(schema as z.ZodType)).toThrow(TypeError)
  })

  it('says what came in place of an object', async () => {
    expect(await errorOf(() => toInputSchema(z.union([a, b])))).toMatch(/union/i)
    expect(await errorOf(() => toInputSchema(z.array(a)))).toMatch(/array/i)
    expect(await errorOf(() => toInputSchema(z3.string()))).toMatch(/string/i)
  })

  it.for(['with space', 'ü', 'a/b', '$ref', '', 'x'.repeat(65)])(
    'refuses a field called %j: the API does not take the name',
    async (name) => {
      expect(await errorOf(() => toInputSchema(z.object({ ok: z.string(), [name]: z.string() })))).toContain(name)
      expect(() => toInputSchema(z.object({ [name]: z.string() }))).toThrow(TypeError)
    },
  )

  it('takes every name that the API takes', () => {
    const names = ['_simulatedSedEdit', '-i', 'a.b', 'A9', 'x'.repeat(64)]
    const schema = z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
    expect(Object.keys(toInputSchema(schema).properties!)).toEqual(names)
  })

  it('names the field that has no form in JSON, also where it is deep inside', async () => {
    const refused = (schema: Parameters<typeof toInputSchema>[0]) => errorOf(() => toInputSchema(schema))
    expect(await refused(z.object({ fine: z.string(), since: z.date() }))).toContain('since')
    expect(await refused(z.object({ fine: z.string(), big: z.bigint().optional() }))).toContain('big')
    expect(await refused(z.object({ fine: z.string(), list: z.array(z.object({ at: z.date() })) }))).toContain('list')
    expect(await refused(z3.object({ fine: z3.string(), since: z3.date() }))).toContain('since')
    expect(() => toInputSchema(z.object({ since: z.date() }))).toThrow(TypeError)
  })

  it('refuses a schema of which the converter dropped a field, and names the field', async () => {
    const schema = z3.object({ path: z3.string(), callback: z3.function() })
    expect(await errorOf(() => toInputSchema(schema)), 'compare the names').toContain('callback')
    expect(() => toInputSchema(schema)).toThrow(TypeError)
  })

  it('converts a schema once: the same object comes back every time', () => {
    let conversions = 0
    const field = z.string()
    field._zod.toJSONSchema = () => {
      conversions++
      return { type: 'string' }
    }
    const schema = z.object({ path: field })
    const first = toInputSchema(schema)
    const conversionsForOne = conversions
    expect(toInputSchema(schema) === first, 'the second call must hand out the very object of the first').toBe(true)
    expect(conversions).toBe(conversionsForOne)
    const old = z3.object({ path: z3.string() })
    expect(toInputSchema(old)).toBe(toInputSchema(old))
  })

  it('keeps schemas apart that look alike', () => {
    const describe = (text: string) => z.object({ path: z.string().describe(text) })
    expect(toInputSchema(describe('one'))).not.toEqual(toInputSchema(describe('two')))
  })

  it('hands out an object that nobody can damage, at any depth', () => {
    const schema = z.object({ path: z.string(), mode: z.enum(['a', 'b']) })
    const before = structuredClone(toInputSchema(schema))
    const json = toInputSchema(schema) as any
    for (const damage of [
      () => (json.type = 'string'),
      () => json.required.push('extra'),
      () => (json.properties.extra = {}),
      () => (json.properties.path.type = 'number'),
      () => json.properties.mode.enum.pop(),
    ]) {
      expect(damage).toThrow(TypeError)
    }
    expect(toInputSchema(schema)).toEqual(before)
  })
})
