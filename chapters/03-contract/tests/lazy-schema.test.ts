import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import {
  type BashInput,
  bashInput,
  bashModelInput,
  lazySchema,
  parseInput,
  toInputSchema,
} from '#03-contract/contract.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'

describe('given: types of lazy schemas', () => {
  it('the type comes from the schema, also with an internal field left out', () => {
    expectTypeOf<BashInput['timeout']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<BashInput>().toHaveProperty('_simulatedSedEdit')
    expectTypeOf<z.infer<ReturnType<typeof bashModelInput>>>().not.toHaveProperty('_simulatedSedEdit')
  })
})

describe('task 5: lazySchema', () => {
  it('builds nothing until it is asked, then once', () => {
    let built = 0
    const schema = lazySchema(() => {
      built++
      return z.object({ path: z.string() })
    })
    expect(built, 'importing a module must not build its schemas').toBe(0)
    expect(schema().parse({ path: 'a' })).toEqual({ path: 'a' })
    schema()
    expect(built).toBe(1)
  })

  it('hands out the same schema every time, so that toInputSchema converts it once', () => {
    const schema = lazySchema(() => z.object({ path: z.string() }))
    expect(schema()).toBe(schema())
    expect(toInputSchema(schema())).toBe(toInputSchema(schema()))
  })

  it('keeps two lazy schemas apart', () => {
    const one = lazySchema(() => z.object({ a: z.string() }))
    const two = lazySchema(() => z.object({ b: z.string() }))
    expect(Object.keys(one().shape)).toEqual(['a'])
    expect(Object.keys(two().shape)).toEqual(['b'])
  })

  it('sees the settings of the moment it is first asked, and keeps them', () => {
    let limit = 1000
    const schema = lazySchema(() => z.object({ timeout: z.number().describe(`At most ${limit} ms.`) }))
    limit = 2000
    const text = () => schema().shape.timeout.description
    expect(text()).toBe('At most 2000 ms.')
    limit = 3000
    expect(text(), 'a text that changes in mid-session makes the prompt cache useless').toBe('At most 2000 ms.')
  })

  it('throws what make throws, keeps nothing, and tries again at the next call', async () => {
    let attempts = 0
    const schema = lazySchema(() => {
      attempts++
      if (attempts < 3) throw new Error(`no settings yet (${attempts})`)
      return z.object({ path: z.string() })
    })
    expect(await errorOf(schema)).toBe('no settings yet (1)')
    expect(await errorOf(schema)).toBe('no settings yet (2)')
    expect(schema()).toBe(schema())
    expect(attempts).toBe(3)
  })

  it('says so when a schema asks for itself while it is being built', async () => {
    const schema: () => z.ZodType = lazySchema(() => z.object({ child: schema() }))
    const message = await errorOf(schema)
    expect(message, 'a stack overflow tells nobody what to do').not.toMatch(/call stack/i)
    expect(message).toMatch(/itself|recurs|circular|being built|while/i)
  })

  it('may ask for itself later, through a getter', () => {
    const schema: () => z.ZodType = lazySchema(() =>
      z.object({
        name: z.string(),
        get children() {
          return z.array(schema())
        },
      }),
    )
    const tree = { name: 'a', children: [{ name: 'b', children: [] }] }
    expect(schema().parse(tree)).toEqual(tree)
  })

  it('may ask for another lazy schema while it is being built', () => {
    const inner = lazySchema(() => z.object({ a: z.string() }))
    const outer = lazySchema(() => z.object({ inner: inner() }))
    expect(outer().shape.inner).toBe(inner())
  })
})

describe('task 5: bashModelInput', () => {
  it('builds bashModelInput late, too: not when the module is imported', () => {
    expect(bashModelInput(), 'what is built once is handed out again').toBe(bashModelInput())
    expect(typeof bashModelInput).toBe('function')
  })

  it('does not show the model the internal field', () => {
    expect(Object.keys(toInputSchema(bashModelInput()).properties!)).not.toContain('_simulatedSedEdit')
    expect(JSON.stringify(toInputSchema(bashModelInput()))).not.toContain('_simulatedSedEdit')
  })

  it('does not take the internal field from the model', () => {
    const raw = { command: 'true', _simulatedSedEdit: { file_path: '/etc/passwd', content: 'root::0:0' } }
    const parsed = parseInput(bashModelInput(), raw)
    expect(parsed).toMatchObject({
      success: false,
      error: { issues: [{ code: 'unrecognized_keys', keys: ['_simulatedSedEdit'] }] },
    })
  })

  it('still has every other field, and the model sees them described', () => {
    const { properties, required } = toInputSchema(bashModelInput())
    expect(properties).toMatchObject({
      command: { type: 'string' },
      timeout: { type: 'integer', description: expect.stringContaining('milliseconds') },
      description: { type: 'string' },
      run_in_background: { type: 'boolean' },
    })
    expect(required).toEqual(['command'])
  })

  it('leaves bashInput as it is: the program itself may still set the field', () => {
    bashModelInput()
    const edit = { file_path: 'a.txt', content: 'new' }
    expect(bashInput().parse({ command: 'sed -i s/a/b/ a.txt', _simulatedSedEdit: edit })).toMatchObject({
      _simulatedSedEdit: edit,
    })
  })

  it('takes what models send for the fields that are left', () => {
    const raw = { command: 'make', timeout: '5000', run_in_background: 'false' }
    expect(bashModelInput().parse(raw)).toEqual({ command: 'make', timeout: 5000, run_in_background: false })
  })
})
