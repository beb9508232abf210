import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { type ParsedInput, parseInput } from '#03-contract/contract.ts'
import { describe, expect, it } from '#support/test.ts'
import { valueAt, withChanges } from '../given/paths.ts'

const ReadInput = z.strictObject({
  path: z.string(),
  limit: z.number().int().min(1).optional(),
  numbered: z.boolean().default(true),
  mode: z.enum(['content', 'count']).optional(),
})

const TodoInput = z.strictObject({
  todos: z.array(
    z.strictObject({ content: z.string(), priority: z.number().optional(), done: z.boolean().default(false) }),
  ),
})

/** What the tool would get. Fails the test, with Zod's reasons, if the input is refused. */
function accepted(schema: z.ZodType, raw: unknown): unknown {
  const parsed = parseInput(schema, raw)
  return parsed.success ? parsed.data : expect.fail(`refused: ${parsed.error.message}`)
}

/** What Zod has against the input. Fails the test if the input is accepted. */
function issuesOf(schema: z.ZodType, raw: unknown): z.core.$ZodIssue[] {
  const parsed = parseInput(schema, raw)
  return parsed.success ? expect.fail(`accepted: ${JSON.stringify(parsed.data)}`) : parsed.error.issues
}

/** The paths that the error is about. */
function refused(schema: z.ZodType, raw: unknown): string[] {
  return issuesOf(schema, raw).map((issue) => issue.path.join('.'))
}

describe('given: paths, and the type of a parsed input', () => {
  it('valueAt sees own fields only and never looks into a string', () => {
    expect(valueAt({ todos: [{ content: 'a' }] }, ['todos', 0, 'content'])).toBe('a')
    expect(valueAt({}, ['constructor'])).toBeUndefined()
    expect(valueAt({ text: 'abc' }, ['text', 0])).toBeUndefined()
  })

  it('withChanges changes a copy, and leaves out places that are not there', () => {
    const before = { list: [{ n: '1', gone: null }] }
    const changes = [
      { path: ['list', 0, 'n'], value: 1 },
      { path: ['list', 0, 'gone'], value: undefined },
      { path: ['nowhere', 'n'], value: 1 },
    ]
    expect(withChanges(before, changes)).toEqual({ list: [{ n: 1 }] })
    expect(before).toEqual({ list: [{ n: '1', gone: null }] })
  })

  it('a parsed input has the type that the schema infers', () => {
    type Expected = {
      path: string
      limit?: number | undefined
      numbered: boolean
      mode?: 'content' | 'count' | undefined
    }
    expectTypeOf<ReturnType<typeof parseInput<typeof ReadInput>>>().toEqualTypeOf<ParsedInput<Expected>>()
  })
})

describe('task 3: parseInput checks', () => {
  it('returns the data of an input that is right, with defaults filled in', () => {
    expect(parseInput(ReadInput, { path: 'a.ts', limit: 3 })).toEqual({
      success: true,
      data: { path: 'a.ts', limit: 3, numbered: true },
    })
  })

  it('refuses a missing field', () => {
    expect(refused(ReadInput, { limit: 3 })).toEqual(['path'])
  })

  it('refuses a wrong type that nothing can mend', () => {
    expect(refused(ReadInput, { path: 7 }), 'a number is never turned into a string').toEqual(['path'])
    expect(refused(ReadInput, { path: 'a', limit: [3] })).toEqual(['limit'])
    expect(refused(ReadInput, { path: 'a', limit: true })).toEqual(['limit'])
    expect(refused(ReadInput, { path: 'a', numbered: 1 })).toEqual(['numbered'])
  })

  it('refuses an unknown field of a strictObject, also beside something that was mended', () => {
    const raw = { path: 'a', limit: '3', filepath: 'b' }
    expect(issuesOf(ReadInput, raw)).toMatchObject([{ code: 'unrecognized_keys', keys: ['filepath'] }])
  })

  it('gives an error, and no exception, for what is no object at all', () => {
    for (const raw of [7, true, [], [{ path: 'a' }], 'not JSON', '{"path":', '"text"', '["path"]', '7']) {
      expect(refused(ReadInput, raw), JSON.stringify(raw)).toEqual([''])
    }
  })

  it('keeps the values that came in the error, for the text that the model gets', () => {
    const values = issuesOf(ReadInput, { path: 7, mode: 'text' }).map((issue) => issue.input)
    expect(values, 'see reportInput').toEqual([7, 'text'])
  })
})

describe('task 3: parseInput reads no input as the empty object', () => {
  it.for<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['an empty text', ''],
    ['a blank text', '  \n'],
    ['the text {}', '{}'],
    ['the empty object itself', {}],
  ])('for %s', ([, raw]) => {
    expect(accepted(z.strictObject({ limit: z.number().optional() }), raw)).toEqual({})
  })

  it('and then still asks for the fields that are required', () => {
    for (const raw of [undefined, null, '', ' ', '{}', {}]) expect(refused(ReadInput, raw)).toEqual(['path'])
  })

  it('and reads JSON text of the whole input', () => {
    expect(accepted(ReadInput, '{"path":"a.ts","limit":"3"}')).toEqual({ path: 'a.ts', limit: 3, numbered: true })
    expect(refused(ReadInput, '{"path":7}')).toEqual(['path'])
  })
})

describe('task 3: parseInput takes nothing else for no input', () => {
  it.for<[string, unknown]>([
    ['the text null', 'null'],
    ['false', false],
    ['the number 0', 0],
  ])('such as %s', ([, raw]) => {
    expect(refused(z.strictObject({ limit: z.number().optional() }), raw)).toEqual([''])
  })
})

describe('task 3: parseInput mends', () => {
  it('text where a number belongs', () => {
    expect(accepted(ReadInput, { path: 'a', limit: '20' })).toMatchObject({ limit: 20 })
    expect(accepted(z.strictObject({ n: z.int() }), { n: '-3' })).toEqual({ n: -3 })
    expect(accepted(z.strictObject({ n: z.number().nullable() }), { n: '0.5' })).toEqual({ n: 0.5 })
  })

  it('but no text that only looks a little like a number', () => {
    for (const limit of ['', ' ', '12abc', 'abc', '1e3', '0x10', 'NaN', 'Infinity', ' 20 ']) {
      expect(refused(ReadInput, { path: 'a', limit }), JSON.stringify(limit)).toEqual(['limit'])
    }
  })

  it('"true" and "false" where a boolean belongs', () => {
    expect(accepted(ReadInput, { path: 'a', numbered: 'false' })).toMatchObject({ numbered: false })
    expect(accepted(ReadInput, { path: 'a', numbered: 'true' })).toMatchObject({ numbered: true })
  })

  it('but no other text for a boolean', () => {
    for (const numbered of ['yes', 'no', 'False', '1', '0', '']) {
      expect(refused(ReadInput, { path: 'a', numbered }), JSON.stringify(numbered)).toEqual(['numbered'])
    }
  })

  it('null for a field that may be left out', () => {
    const raw = { path: 'a', limit: null, numbered: null, mode: null }
    expect(accepted(ReadInput, raw)).toEqual({ path: 'a', numbered: true })
  })

  it('null deep inside, too', () => {
    const raw = { todos: [{ content: 'a', priority: null, done: null }] }
    expect(accepted(TodoInput, raw)).toEqual({ todos: [{ content: 'a', done: false }] })
    const env = z.strictObject({ env: z.record(z.string(), z.string()) })
    expect(accepted(env, { env: { HOME: '/root', DEBUG: null } })).toEqual({ env: { HOME: '/root' } })
  })

  it('but not null for a required field', () => {
    expect(refused(ReadInput, { path: null })).toEqual(['path'])
    expect(refused(TodoInput, { todos: [{ content: null }] })).toEqual(['todos.0.content'])
  })

  it('and leaves null where null is a value', () => {
    const schema = z.strictObject({ cell: z.string().nullable(), other: z.number().nullable().optional() })
    expect(accepted(schema, { cell: null, other: null })).toEqual({ cell: null, other: null })
    const checked = z.strictObject({
      cell: z
        .string()
        .nullable()
        .optional()
        .refine((cell) => cell !== null),
    })
    expect(refused(checked, { cell: null }), 'a check of its author refuses it, not its type').toEqual(['cell'])
  })

  it('and leaves null in a list: taking it out would move the others', () => {
    expect(refused(z.strictObject({ list: z.array(z.string()) }), { list: ['a', null] })).toEqual(['list.1'])
    expect(refused(z.strictObject({ list: z.array(z.string().optional()) }), { list: [null, 'a'] })).toEqual(['list.0'])
  })

  it('JSON text where a list or an object belongs', () => {
    const schema = z.strictObject({
      list: z.array(z.string()).optional(),
      object: z.strictObject({ a: z.string() }).optional(),
      record: z.record(z.string(), z.number()).optional(),
      tuple: z.tuple([z.string(), z.number()]).optional(),
    })
    expect(accepted(schema, { list: '["a","20"]' })).toEqual({ list: ['a', '20'] })
    expect(accepted(schema, { list: '[]' })).toEqual({ list: [] })
    expect(accepted(schema, { object: '{"a":"b"}' })).toEqual({ object: { a: 'b' } })
    expect(accepted(schema, { record: '{"a":1}' })).toEqual({ record: { a: 1 } })
    expect(accepted(schema, { tuple: '["a",1]' })).toEqual({ tuple: ['a', 1] })
  })

  it('but no text that is not JSON, and no JSON of another kind', () => {
    const schema = z.strictObject({ list: z.array(z.string()).optional(), object: z.looseObject({}).optional() })
    for (const list of ['', 'a', 'a,b', '["a"', '{"a":"b"}', '"a"', 'null', '7']) {
      expect(refused(schema, { list }), list).toEqual(['list'])
    }
    for (const object of ['[]', '["a"]', 'null', '{', '7'])
      expect(refused(schema, { object }), object).toEqual(['object'])
    expect(issuesOf(schema, { list: '{"a":"b"}' })[0].input, 'the text stays what came').toBe('{"a":"b"}')
  })

  it('what is inside such text, as well', () => {
    const raw = { todos: '[{"content":"a","priority":"2","done":"true"},{"content":"b","priority":null}]' }
    expect(accepted(TodoInput, raw)).toEqual({
      todos: [
        { content: 'a', priority: 2, done: true },
        { content: 'b', done: false },
      ],
    })
  })

  it('several fields of several elements', () => {
    const raw = {
      todos: [{ content: '1', priority: '1' }, { content: '2' }, { content: '3', done: 'true', priority: '3' }],
    }
    expect(accepted(TodoInput, raw)).toEqual({
      todos: [
        { content: '1', priority: 1, done: false },
        { content: '2', done: false },
        { content: '3', priority: 3, done: true },
      ],
    })
  })

  it('and reports what is still wrong then, not what was mended', () => {
    expect(refused(ReadInput, { path: 7, limit: '3', numbered: null })).toEqual(['path'])
    expect(issuesOf(ReadInput, { path: 'a', limit: '0' })).toMatchObject([{ code: 'too_small' }])
    expect(refused(TodoInput, { todos: '[{"content":7}]' })).toEqual(['todos.0.content'])
  })
})

describe('task 3: parseInput never parses text that the schema takes as text', () => {
  it.for(['20', 'true', 'null', '["a"]', '{"a":1}', '', ' x '])('such as %j', (path) => {
    expect(accepted(ReadInput, { path })).toMatchObject({ path })
  })

  it('also in a union where text is one of the options', () => {
    const schema = z.strictObject({ value: z.union([z.number(), z.array(z.string()), z.string()]) })
    for (const value of ['20', '["a"]', 'null']) expect(accepted(schema, { value })).toEqual({ value })
  })

  it('also in one option of a union when another option would like a number', () => {
    const edit = z.union([
      z.strictObject({ kind: z.literal('cut'), value: z.number() }),
      z.strictObject({ kind: z.literal('set'), value: z.union([z.number(), z.string()]), line: z.number() }),
    ])
    const raw = { edit: { kind: 'set', value: '20', line: '3' } }
    expect(accepted(z.strictObject({ edit }), raw), 'mend for one option at a time').toEqual({
      edit: { kind: 'set', value: '20', line: 3 },
    })
  })
})

describe('task 3: parseInput and unions', () => {
  it('mends for the option that the text fits', () => {
    const schema = z.strictObject({ value: z.union([z.boolean(), z.number(), z.array(z.string())]).optional() })
    expect(accepted(schema, { value: '20' })).toEqual({ value: 20 })
    expect(accepted(schema, { value: 'false' })).toEqual({ value: false })
    expect(accepted(schema, { value: '["20"]' })).toEqual({ value: ['20'] })
    expect(accepted(schema, { value: null })).toEqual({})
    expect(refused(schema, { value: 'abc' })).toEqual(['value'])
  })

  it('mends inside the matching option of a discriminated union', () => {
    const edit = z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('line'), line: z.number() }),
      z.strictObject({ kind: z.literal('text'), line: z.string() }),
    ])
    const schema = z.strictObject({ edits: z.array(edit) })
    const raw = {
      edits: [
        { kind: 'line', line: '3' },
        { kind: 'text', line: '3' },
      ],
    }
    expect(accepted(schema, raw)).toEqual({
      edits: [
        { kind: 'line', line: 3 },
        { kind: 'text', line: '3' },
      ],
    })
  })
})

describe('task 3: parseInput and unions inside others', () => {
  it('mends at the place that the outer union and the inner one name together', () => {
    const inner = z.union([z.strictObject({ b: z.number() }), z.strictObject({ c: z.boolean() })])
    const schema = z.strictObject({ outer: z.union([z.strictObject({ a: inner }), z.boolean()]) })
    expect(accepted(schema, { outer: { a: { b: '20' } } })).toEqual({ outer: { a: { b: 20 } } })
  })

  it('mends the first of two options that could both be mended', () => {
    const schema = z.strictObject({
      value: z.union([
        z.strictObject({ id: z.number(), all: z.string() }),
        z.strictObject({ id: z.string(), all: z.boolean() }),
      ]),
    })
    const first = z.strictObject({ a: z.number() }).or(z.strictObject({ a: z.boolean() }))
    expect(accepted(schema, { value: { id: '1', all: 'true' } })).toEqual({ value: { id: 1, all: 'true' } })
    expect(accepted(z.strictObject({ value: first }), { value: { a: '1' } })).toEqual({ value: { a: 1 } })
  })

  it('leaves a literal alone: its type is not what is wrong', () => {
    expect(refused(z.strictObject({ version: z.literal(3) }), { version: '3' })).toEqual(['version'])
  })

  it('mends text inside text, however deep', () => {
    const schema = z.strictObject({ a: z.strictObject({ b: z.strictObject({ c: z.array(z.number()) }) }) })
    const text = (value: unknown) => JSON.stringify(value)
    expect(accepted(schema, { a: text({ b: text({ c: text(['1', '2']) }) }) })).toEqual({ a: { b: { c: [1, 2] } } })
  })
})

describe('task 3: parseInput is safe', () => {
  it('never changes what it was given, at any depth', () => {
    const raw = { todos: [{ content: 'a', priority: '2', done: null }] }
    accepted(TodoInput, Object.freeze({ todos: Object.freeze([Object.freeze(raw.todos[0])]) }))
    accepted(TodoInput, raw)
    expect(raw).toEqual({ todos: [{ content: 'a', priority: '2', done: null }] })
  })

  it('lets no __proto__ or constructor from JSON reach a prototype', () => {
    const raw = JSON.parse(
      '{"path":"a","limit":"3","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
    )
    expect(refused(ReadInput, raw)).toEqual([''])
    const data = accepted(z.object({ path: z.string(), limit: z.number() }), raw)
    expect(data).toEqual({ path: 'a', limit: 3 })
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
    expect((data as any).admin).toBeUndefined()
    expect(({} as any).admin).toBeUndefined()
  })

  it('does not care how deep something is that it need not look at', () => {
    let deep: unknown = []
    for (let depth = 0; depth < 50_000; depth++) deep = [deep]
    const schema = z.strictObject({ limit: z.number(), deep: z.unknown() })
    expect(parseInput(schema, { limit: '3', deep }).success).toBe(true)
    expect((accepted(schema, { limit: '3', deep }) as any).limit).toBe(3)
  })

  it('mends a thousand numbers in one go', () => {
    let checks = 0
    const list = z.array(z.number()).refine(() => ++checks > 0)
    const schema = z.strictObject({ start: z.unknown().refine(() => ++checks > 0), list })
    const numbers = Array.from({ length: 1000 }, (_, index) => index)
    expect(accepted(schema, { start: 0, list: numbers.map(String) })).toEqual({ start: 0, list: numbers })
    expect(checks, 'mend all that one parse complains of before you parse again').toBeLessThan(10)
  })
})
