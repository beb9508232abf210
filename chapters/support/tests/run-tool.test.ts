import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildTool } from '#05-build-tool/tool.ts'
import { createContext } from '../context.ts'
import { textOf, toolDispatch } from '../run-tool.ts'

const sum = buildTool({
  name: 'Sum',
  inputSchema: z.strictObject({ numbers: z.array(z.number()) }),
  maxResultSizeChars: 1000,
  prompt: async () => 'Adds numbers up.',
  validateInput: async ({ numbers }) =>
    numbers.length > 0 ? { result: true } : { result: false, message: 'numbers is empty' },
  async call({ numbers }, { abortController }) {
    if (numbers.includes(-1)) throw new Error('negative')
    if (numbers.includes(13)) await untilAborted(abortController.signal)
    return { data: numbers.reduce((total, number) => total + number, 0) }
  },
})

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(new Error('stopped'))
    signal.addEventListener('abort', () => reject(new Error('stopped')))
  })
}

const run = (input: unknown, call: { id: string; signal?: AbortSignal } = { id: 'toolu_1' }, name = 'Sum') =>
  toolDispatch([sum], createContext('/'))(name, input, call)

describe('textOf', () => {
  it('names what is no text, and throws an error result', () => {
    const image = { type: 'image' as const, source: { type: 'url' as const, url: 'https://example.com/a.png' } }
    expect(textOf({ content: [{ type: 'text', text: 'a' }, image] })).toBe('a\n[image]')
    expect(() => textOf({ content: 'gone', is_error: true })).toThrow('gone')
  })
})

describe('toolDispatch', () => {
  it('gives the mapped result of the call', async () => {
    expect(await run({ numbers: [1, 2] })).toEqual({ content: '3', is_error: undefined })
    expect(textOf(await run({ numbers: '[1, 2]' })), 'a list that came as text').toBe('3')
  })

  it('makes an error result of an unknown name, a wrong input, a refusal and a throw', async () => {
    expect(await run({}, undefined, 'constructor')).toMatchObject({
      is_error: true,
      content: expect.stringMatching(/Sum/),
    })
    expect(await run({ numbers: 'x' })).toMatchObject({ is_error: true, content: expect.stringMatching(/numbers/) })
    expect(await run({ numbers: [] })).toEqual({ is_error: true, content: 'numbers is empty' })
    expect(await run({ numbers: [-1] })).toEqual({ is_error: true, content: 'negative' })
  })

  it('hands the abort of the call to the tool, and rejects with its reason', async () => {
    const controller = new AbortController()
    const running = run({ numbers: [13] }, { id: 'toolu_1', signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})
