import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import {
  booleanFromText,
  numberFromText,
  semanticBoolean,
  semanticNumber,
  toInputSchema,
} from '#03-contract/contract.ts'
import { describe, expect, it } from '#support/test.ts'

const problemOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0].message

describe('given: types of the semantic schemas', () => {
  it('infers what the inner schema infers', () => {
    const schema = z.object({
      limit: semanticNumber(z.number().optional()),
      offset: semanticNumber(z.number().default(0)),
      size: semanticNumber(),
      all: semanticBoolean(z.boolean().nullable()),
    })
    expectTypeOf<z.infer<typeof schema>>().toEqualTypeOf<{
      limit?: number | undefined
      offset: number
      size: number
      all: boolean | null
    }>()
  })

  it('z.coerce.boolean reads every text but the empty one as true', () => {
    expect(z.coerce.boolean().parse('false')).toBe(true)
  })
})

describe('task 2: semanticNumber is as strict as numberFromText', () => {
  it.for(['1e3', '0x10', ' 20 ', '007'])('and does not take %j for a number', (text) => {
    expect(problemOf(semanticNumber(), text), 'the inner schema gets the text as it came').toMatch(/number/)
  })
})

describe('task 2: numbers and booleans as text', () => {
  it.for<[string, number]>([
    ['20', 20],
    ['0', 0],
    ['-3', -3],
    ['0.5', 0.5],
    ['-12.75', -12.75],
    ['120000', 120_000],
    ['1.0', 1],
    ['0.50', 0.5],
    ['9007199254740991', 9007199254740991],
  ])('numberFromText reads %j', ([text, number]) => {
    expect(numberFromText(text)).toBe(number)
  })

  it.for([
    '',
    ' ',
    '\n',
    'abc',
    '12abc',
    '1e3',
    '0x10',
    '0b1',
    '007',
    '+5',
    '.5',
    '5.',
    '--5',
    '1,000',
    '1_000',
    '1.2.3',
    ' 20 ',
    '20\n',
    'NaN',
    'Infinity',
    '-Infinity',
    'true',
    'null',
    '[5]',
    '٢٠',
  ])('numberFromText finds no number in %j', (text) => {
    expect(numberFromText(text)).toBeUndefined()
  })

  it('numberFromText finds no number where JavaScript would round the digits', () => {
    expect(numberFromText('12345678901234567890'), 'it would become another id').toBeUndefined()
    expect(numberFromText('9'.repeat(400))).toBeUndefined()
  })

  it('booleanFromText knows true and false, and no other spelling', () => {
    expect(booleanFromText('true')).toBe(true)
    expect(booleanFromText('false')).toBe(false)
    for (const text of ['', 'True', 'FALSE', 'yes', 'no', '0', '1', ' true', 'null', 'toString']) {
      expect(booleanFromText(text), JSON.stringify(text)).toBeUndefined()
    }
  })

  it('semanticNumber takes a number, and text that is one', () => {
    expect(semanticNumber().parse(20)).toBe(20)
    expect(semanticNumber().parse('20')).toBe(20)
    expect(semanticNumber(z.number().int().min(1)).parse('20')).toBe(20)
  })

  it('semanticNumber leaves all else to the inner schema, whose message speaks of a number', () => {
    for (const value of ['', 'abc', '12abc', null, undefined, true, [], ['20'], {}]) {
      expect(problemOf(semanticNumber(), value), JSON.stringify(value)).toMatch(/number/)
    }
    expect(problemOf(semanticNumber(z.number().min(1)), '0')).toMatch(/>=\s*1/)
    expect(problemOf(semanticNumber(z.number().int()), '0.5')).toMatch(/int/)
  })

  it('semanticNumber may be left out, be null, or have a default if the inner schema says so', () => {
    const schema = z.strictObject({
      limit: semanticNumber(z.number().optional()),
      offset: semanticNumber(z.number().default(7)),
      size: semanticNumber(z.number().nullable()),
    })
    expect(schema.parse({ size: null })).toEqual({ offset: 7, size: null })
    expect(schema.parse({ limit: '1', offset: '2', size: '3' })).toEqual({ limit: 1, offset: 2, size: 3 })
  })

  it('semanticNumber may be wrapped in turn', () => {
    const schema = z.strictObject({ limit: semanticNumber().optional(), size: semanticNumber().default(5) })
    expect(schema.parse({ limit: '3' })).toEqual({ limit: 3, size: 5 })
  })

  it('semanticBoolean takes a boolean, and the text of one: "false" is false', () => {
    expect(semanticBoolean().parse(true)).toBe(true)
    expect(semanticBoolean().parse(false)).toBe(false)
    expect(semanticBoolean().parse('true')).toBe(true)
    expect(semanticBoolean().parse('false')).toBe(false)
  })

  it('semanticBoolean refuses everything else, with a message that speaks of a boolean', () => {
    for (const value of ['', 'yes', 'no', 'False', '0', 0, 1, null, undefined, [], {}]) {
      expect(problemOf(semanticBoolean(), value), JSON.stringify(value)).toMatch(/boolean/)
    }
    expect(semanticBoolean().parse('false')).toBe(false)
  })

  it('semanticBoolean may be left out or have a default if the inner schema says so', () => {
    const schema = z.strictObject({
      all: semanticBoolean(z.boolean().optional()),
      replace_all: semanticBoolean(z.boolean().default(false)),
    })
    expect(schema.parse({})).toEqual({ replace_all: false })
    expect(schema.parse({ all: 'false', replace_all: 'true' })).toEqual({ all: false, replace_all: true })
  })

  it('shows the model the inner schema: type, limits and description', () => {
    const schema = z.strictObject({
      limit: semanticNumber(z.number().int().min(1).describe('How many lines.')),
      offset: semanticNumber(z.number().optional()),
      all: semanticBoolean(z.boolean().describe('Every place.').optional()),
    })
    expect(schema.parse({ limit: '3', all: 'true' })).toEqual({ limit: 3, all: true })
    const json = toInputSchema(schema)
    expect(json.properties).toMatchObject({
      limit: { type: 'integer', minimum: 1, description: 'How many lines.' },
      offset: { type: 'number' },
      all: { type: 'boolean', description: 'Every place.' },
    })
    expect(json.required).toEqual(['limit'])
  })
})
