import { z } from 'zod'
import { checkInput, find, parse, prepare, validate } from '#11-pipeline/prepare.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { callWith, contextWith, rows, toolUse, toolWith } from './calls.ts'

describe('task 1: find, parse, validate', () => {
  it('finds the tool that the call names', () => {
    const tool = toolWith()
    expect(find(callWith({ tool }))).toEqual({ type: 'found', tool })
  })

  it('finds a tool by an earlier name', () => {
    const tool = toolWith({ aliases: ['Speak'] })
    expect(find(callWith({ tool, use: toolUse({}, 'Speak') }))).toEqual({ type: 'found', tool })
  })

  it.for(['Shout', 'say', 'constructor', '__proto__', ''])(
    'says which tools there are for the unknown name %j',
    (name) => {
      const found = find(callWith({ use: toolUse({}, name) }))
      expect(found).toMatchObject({ type: 'failed', stage: 'find', message: expect.stringContaining('Say') })
    },
  )

  it('parses the input, and mends what models get wrong', () => {
    const parsed = parse(callWith(), toolWith(), { text: 'a', times: '3' })
    expect(parsed).toEqual({ type: 'parsed', input: { text: 'a', times: 3 } })
  })

  it('gives the defaults of the schema to an input that leaves fields out', () => {
    expect(parse(callWith(), toolWith(), '{"text":"a"}')).toEqual({ type: 'parsed', input: { text: 'a', times: 1 } })
  })

  it('says what is wrong with an input that does not parse', () => {
    const parsed = parse(callWith(), toolWith(), { txt: 'a' })
    expect(parsed).toMatchObject({
      type: 'failed',
      stage: 'parse',
      message: expect.stringMatching(/Say[\s\S]*text[\s\S]*txt/),
    })
  })

  it('asks validateInput about the parsed input, with the context', async () => {
    const seen: unknown[] = []
    const tool = toolWith({
      validateInput: async (...args: unknown[]) => {
        seen.push(...args)
        return { result: true }
      },
    })
    const call = callWith({ tool })
    expect(await validate(call, tool, { text: 'a', times: 1 })).toEqual({ type: 'valid' })
    expect(seen).toEqual([{ text: 'a', times: 1 }, call.context])
  })

  it('hands on what the tool has against an input', async () => {
    const tool = toolWith({ validateInput: async () => ({ result: false, message: 'Nobody is listening.' }) })
    const valid = await validate(callWith({ tool }), tool, { text: 'a' })
    expect(valid).toEqual({ type: 'failed', stage: 'validate', message: 'Nobody is listening.' })
  })

  it.for(rows([undefined, null, true, 'yes', {}, { result: 'true' }, { result: 1 }]))(
    'takes $what for a no when the tool is asked about its input',
    async ({ value: answer }) => {
      const tool = toolWith({ validateInput: async () => answer })
      const valid = await validate(callWith({ tool }), tool, { text: 'a' })
      expect(valid, 'only result: true passes').toMatchObject({ type: 'failed', stage: 'validate' })
      expect((valid as { message: string }).message, 'there is something to read').toMatch(/\w/)
    },
  )

  it('does not validate an input that does not parse', async () => {
    let asked = 0
    const tool = toolWith({
      validateInput: async () => {
        asked++
        return { result: true }
      },
    })
    const checked = await checkInput(callWith({ tool }), tool, { text: 1 })
    expect(checked).toMatchObject({ type: 'failed', stage: 'parse' })
    expect(asked).toBe(0)
  })

  it('gives the tool and the parsed input of a call that is in order', async () => {
    const tool = toolWith()
    const call = callWith({ tool, use: toolUse({ text: 'a', times: '2' }) })
    expect(await prepare(call)).toEqual({ type: 'prepared', tool, input: { text: 'a', times: 2 } })
  })

  it('stops at the first of the three that fails', async () => {
    const tool = toolWith({ validateInput: async () => ({ result: false, message: 'No.' }) })
    const stages = [toolUse({ text: 'a' }, 'X'), toolUse({}), toolUse({ text: 'a' })].map(async (use) => {
      const prepared = await prepare(callWith({ tool, use }))
      return prepared.type === 'failed' && prepared.stage
    })
    expect(await Promise.all(stages)).toEqual(['find', 'parse', 'validate'])
  })

  it('does not change what the model sent', async () => {
    const use = toolUse(Object.freeze({ text: 'a', times: '2' }))
    expect(await prepare(callWith({ use }))).toMatchObject({ type: 'prepared' })
    expect(use.input).toEqual({ text: 'a', times: '2' })
  })

  it('leaves it to the pipeline to catch what a tool throws', async () => {
    const broken = toolWith({
      validateInput: () => {
        throw new Error('disk is gone')
      },
    })
    expect(await errorOf(() => prepare(callWith({ tool: broken })))).toMatch('disk is gone')
    const schema = z.strictObject({
      text: z.string().refine(() => {
        throw new Error('schema is broken')
      }),
    })
    expect(await errorOf(() => prepare(callWith({ tool: toolWith({ inputSchema: schema }) })))).toMatch(
      'schema is broken',
    )
  })

  it('begins each stage when it is its turn', async () => {
    const stages: string[] = []
    const { tools } = contextWith().options
    const call = callWith({ tool: tools[0], observer: ({ type, stage }) => stages.push(`${type} ${stage}`) })
    await prepare(call)
    expect(stages).toEqual(['begin find', 'end find', 'begin parse', 'end parse', 'begin validate'])
  })
})
