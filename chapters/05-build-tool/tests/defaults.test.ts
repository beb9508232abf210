import type { Tool } from '#05-build-tool/tool.ts'
import { TOOL_DEFAULTS } from '#05-build-tool/tool.ts'
import { createContext } from '#support/context.ts'
import { describe, expect, it } from '#support/test.ts'

/** The defaults as a tool has them. Until task 1 is written, most are not there. */
const defaults: Partial<Tool> = TOOL_DEFAULTS
const context = createContext('/proj')
const input = { command: 'rm -r build', force: true }

describe('given: what a tool says where its author says nothing', () => {
  it('the result is the output: text as it is, anything else as JSON', () => {
    const block = (output: unknown) => TOOL_DEFAULTS.mapToolResultToToolResultBlockParam(output, 'toolu_1')
    expect(block('a\nb')).toEqual({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a\nb' })
    expect(block({ found: 2 }).content).toBe('{"found":2}')
    expect(block(0).content).toBe('0')
  })

  it('a result without any text says so, since the model must read something', () => {
    for (const output of ['', undefined]) {
      expect(TOOL_DEFAULTS.mapToolResultToToolResultBlockParam(output, 'toolu_1').content).toBe('(no output)')
    }
  })

  it('people read the input and the output as text', () => {
    expect(TOOL_DEFAULTS.renderToolUseMessage({ path: 'a.ts' })).toBe('{"path":"a.ts"}')
    expect(TOOL_DEFAULTS.renderToolResultMessage('Edited a.ts.')).toBe('Edited a.ts.')
    expect(TOOL_DEFAULTS.renderToolResultMessage({ size: 1n })).toContain('1n')
  })

  it('nothing is left out, and no line is broken, where JSON fails', () => {
    const deep = { a: { b: { c: { d: { e: 'the end' } } } } }
    const list = Array.from({ length: 200 }, (_, index) => `item ${index}`)
    const long = `${'x'.repeat(20_000)}\nlast words`
    const text = TOOL_DEFAULTS.renderToolUseMessage({ size: 1n, deep, list, long, map: new Map([['key', deep]]) })
    for (const part of ['1n', 'the end', 'item 199', 'last words', 'key']) expect(text).toContain(part)
    expect(text).not.toMatch(/\n|\[Object\]|more item/)
  })

  it('no aliases, and nobody can add one to all tools at once', () => {
    expect(TOOL_DEFAULTS.aliases).toEqual([])
    expect(() => (TOOL_DEFAULTS.aliases as string[]).push('x')).toThrow(TypeError)
  })
})

describe('given: the context', () => {
  it('holds a folder, an empty record of files, and a state that updates are made of', () => {
    expect(context.cwd).toBe('/proj')
    expect(context.readFileState.size).toBe(0)
    const { getAppState, setAppState } = createContext('/proj')
    setAppState((state) => ({ ...state, todos: 1 }))
    setAppState((state) => ({ ...state, tasks: 2 }))
    expect(getAppState()).toEqual({ todos: 1, tasks: 2 })
  })

  it('can be replaced part by part, and shares nothing with another one', () => {
    const abortController = new AbortController()
    expect(createContext('/proj', { abortController }).abortController).toBe(abortController)
    createContext('/proj').setAppState(() => ({ seen: true }))
    expect(createContext('/proj').getAppState()).toEqual({})
  })
})

describe('task 1: where the author says nothing', () => {
  it('the tool is enabled', () => {
    expect(defaults.isEnabled?.()).toBe(true)
  })

  it('it is not safe beside other calls', () => {
    expect(defaults.isConcurrencySafe?.(input)).toBe(false)
  })

  it('it is not read-only', () => {
    expect(defaults.isReadOnly?.(input)).toBe(false)
  })

  it('it is destructive: nobody has said that it is not', () => {
    expect(defaults.isDestructive?.(input)).toBe(true)
  })

  it('a new message of the user waits for it', () => {
    expect(defaults.interruptBehavior?.(), 'work that is cut short may be half done').toBe('block')
  })

  it('a classifier sees all of the input, in one line', () => {
    const text = defaults.toAutoClassifierInput?.({ ...input, lines: 'a\nb' }) ?? ''
    expect(text, 'the empty text means "nothing of interest"').toContain('rm -r build')
    for (const part of ['force', 'true', 'lines']) expect(text).toContain(part)
    expect(text).not.toContain('\n')
  })

  it('a classifier sees an input that JSON has no words for', () => {
    const loop: Record<string, unknown> = { id: 12n }
    loop.self = loop
    loop.files = { first: { second: { third: { path: 'deep.txt' } } } }
    const text = defaults.toAutoClassifierInput?.(loop) ?? ''
    for (const part of ['12', 'deep.txt']) expect(text).toContain(part)
    expect(text).not.toContain('\n')
  })

  it('its input needs no check beyond the schema', async () => {
    expect(await defaults.validateInput?.(input, context)).toEqual({ result: true })
  })

  it('it has no objection to running with the input as it came', async () => {
    const answer: any = await defaults.checkPermissions?.(input, context)
    expect(answer).toEqual({ behavior: 'allow', updatedInput: input })
  })
})
