import { z } from 'zod'
import { matches, runPostHooks, runPreHooks } from '#11-pipeline/hooks.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import type { FunctionHook, Hook, HookInput } from '../given/hook-types.ts'
import { callWith, held, never, rows, type Setup, toolWith } from './calls.ts'

const input = { text: 'a', times: 1 }
const none = () => undefined
/** A hook that says this. */
const saying = (output: unknown, more: Partial<Hook> = {}) => ({ run: () => output, ...more }) as FunctionHook
const broken = (more: Partial<Hook> = {}) =>
  ({
    run() {
      throw new Error('fell over')
    },
    ...more,
  }) as FunctionHook

function pre(hooks: Hook[], { tool = toolWith(), ...setup }: Setup = {}) {
  return runPreHooks(callWith({ ...setup, tool, hooks: { PreToolUse: hooks } }), { type: 'prepared', tool, input })
}

function post(hooks: Hook[], { data = 'aaa', tool = toolWith(), ...setup }: Setup & { data?: unknown } = {}) {
  const call = callWith({ ...setup, tool, hooks: { PostToolUse: hooks } })
  return runPostHooks(call, { type: 'authorized', tool, input }, { type: 'returned', data })
}

describe('task 4: which hooks are asked', () => {
  it.for([
    [undefined, true],
    ['', true],
    ['*', true],
    ['Say', true],
    ['Say|Edit', true],
    ['Edit|Say', true],
    ['S.*', true],
    ['Speak', true],
    ['Sa|Say', true],
    ['S|Spe|Speak', true],
    ['Sa', false],
    ['ay', false],
    ['say', false],
    ['Edit|Sa', false],
    ['Sayer', false],
    ['Edit|ay', false],
    ['Sa|Edit', false],
  ] as const)('the matcher %j fits a tool Say, alias Speak: %j', ([matcher, expected]) => {
    expect(matches({ matcher, run: none }, toolWith({ aliases: ['Speak'] }))).toBe(expected)
  })

  it('refuses a matcher that is no regular expression', async () => {
    expect(await errorOf(() => matches({ matcher: '(Say', run: none }, toolWith()))).toMatch(/\(Say/)
  })
})

describe('task 4: matchers that are broken', () => {
  it.for(['Say)|(Edit', 'Say)(?:', 'Edit)|(?:.*', 'Say\\', '['])(
    'refuses the matcher %j, which is no regular expression as it stands',
    async (matcher) => {
      expect(await errorOf(() => matches({ matcher, run: none }, toolWith()))).toMatch(/\w/)
    },
  )
})

describe('task 4: pre-hooks', () => {
  it('hands a call on as it is when there are no hooks, or none that fits', async () => {
    const expected = { type: 'hooked', input, original: input, notes: [] }
    expect(await pre([])).toMatchObject(expected)
    expect(await pre([broken({ matcher: 'Edit' })])).toMatchObject(expected)
  })

  it('tells a hook which call it is, and gives it a copy of the input', async () => {
    const seen: HookInput[] = []
    const hooked = await pre([
      {
        run(about) {
          seen.push(structuredClone(about))
          about.tool_input.text = 'changed on the sly'
          return undefined
        },
      },
    ])
    const about = {
      hook_event_name: 'PreToolUse',
      tool_name: 'Say',
      tool_input: input,
      tool_use_id: 'toolu_1',
      cwd: '/',
    }
    expect(seen).toEqual([about])
    expect(hooked, 'only updatedInput changes the input').toMatchObject({ input: { text: 'a' } })
  })

  it('ends the call at the first hook that denies, and asks no other', async () => {
    let asked = 0
    const counting = { run: () => void asked++ } as FunctionHook
    const hooked = await pre([counting, saying({ decision: 'deny', reason: 'Too loud.' }), counting])
    expect(hooked).toMatchObject({ type: 'failed', stage: 'pre-hooks', message: expect.stringContaining('Too loud.') })
    expect(asked).toBe(1)
  })

  it.for(
    rows([
      { decision: 'block' },
      { permissionDecision: 'deny' },
      { decision: 'allow', permissionDecision: 'deny' },
      { hookSpecificOutput: { permissionDecision: 'deny' } },
      { continue: false },
    ]),
  )('takes $what of a hook for a denial', async ({ value }) => {
    expect(await pre([saying(value)])).toMatchObject({ type: 'failed', stage: 'pre-hooks' })
  })

  it('runs what a hook made of the input, parsed', async () => {
    const hooked = await pre([saying({ updatedInput: { text: 'b', times: '2' } })])
    expect(hooked).toMatchObject({ type: 'hooked', input: { text: 'b', times: 2 }, original: input })
  })

  it('shows each hook the input as the ones before it left it', async () => {
    const seen: unknown[] = []
    await pre([saying({ updatedInput: { text: 'b' } }), { run: (about) => void seen.push(about.tool_input) }])
    expect(seen).toEqual([{ text: 'b', times: 1 }])
  })

  it('fails a call whose rewritten input does not parse, and says that a hook wrote it', async () => {
    let asked = 0
    const hooked = await pre([
      saying({ decision: 'allow', updatedInput: { txt: 'b' } }),
      { run: () => void asked++ } as FunctionHook,
    ])
    expect(hooked, 'neither the original nor the rewrite may run').toMatchObject({ type: 'failed', stage: 'parse' })
    expect(hooked).toMatchObject({ message: expect.stringMatching(/hook[\s\S]*txt/i) })
    expect(asked).toBe(0)
  })

  it('fails a call whose rewritten input is wrong also when the hook may fail', async () => {
    const tool = toolWith({
      validateInput: async ({ text }: { text: string }) => ({ result: text === 'a', message: 'Only a.' }),
    })
    const rewriting = (updatedInput: object) => pre([saying({ updatedInput }, { onFailure: 'ignore' })], { tool })
    expect(await rewriting({ txt: 'b' }), 'neither form may run').toMatchObject({ type: 'failed', stage: 'parse' })
    expect(await rewriting({ text: 'b' })).toMatchObject({ type: 'failed', stage: 'validate' })
  })

  it('keeps what the model asked for as the original, however often hooks rewrite it', async () => {
    const hooked = await pre([saying({ updatedInput: { text: 'b' } }), saying({ updatedInput: { text: 'c' } })])
    expect(hooked).toMatchObject({ input: { text: 'c', times: 1 }, original: input })
  })

  it('takes an input that a hook gives back as it was for no rewrite', async () => {
    const echo: FunctionHook = { run: ({ tool_input }) => ({ updatedInput: tool_input }) }
    expect(await pre([saying({ decision: 'allow' }), echo]), 'the allow was for this input').toMatchObject({
      input,
      verdict: { behavior: 'allow' },
    })
    const tool = toolWith({ inputSchema: z.strictObject({ unparsed: z.string() }) })
    expect(await pre([echo], { tool }), 'it has been parsed already').toMatchObject({ type: 'hooked', input })
    const second = saying({ updatedInput: { text: 'b', times: 1 } })
    expect(await pre([second, saying({ decision: 'allow' }), echo])).toMatchObject({
      input: { text: 'b' },
      original: input,
      verdict: { behavior: 'allow' },
    })
  })

  it('validates what a hook made of the input', async () => {
    const tool = toolWith({
      validateInput: async ({ text }: { text: string }) =>
        text === 'a' ? { result: true } : { result: false, message: 'Only a.' },
    })
    const hooked = await pre([saying({ updatedInput: { text: 'b' } })], { tool })
    expect(hooked).toMatchObject({
      type: 'failed',
      stage: 'validate',
      message: expect.stringMatching(/hook[\s\S]*Only a/i),
    })
  })

  it('keeps the strictest word on permission', async () => {
    const allow = saying({ decision: 'allow', reason: 'Fine.' })
    const ask = saying({ decision: 'ask', reason: 'Late.' })
    expect(await pre([allow])).toMatchObject({ verdict: { behavior: 'allow', reason: 'Fine.' } })
    expect(await pre([allow, ask, allow])).toMatchObject({ verdict: { behavior: 'ask', reason: 'Late.' } })
    expect(await pre([ask, saying({}), allow])).toMatchObject({ verdict: { behavior: 'ask', reason: 'Late.' } })
    expect(await pre([saying({})])).not.toHaveProperty('verdict.behavior')
  })

  it('drops an allow when a later hook rewrites what was allowed', async () => {
    const allow = saying({ decision: 'allow' })
    const rewrite = saying({ updatedInput: { text: 'b' } })
    expect(await pre([allow, rewrite]), 'the allow was for another input').not.toHaveProperty('verdict.behavior')
    expect(await pre([rewrite, allow])).toMatchObject({ verdict: { behavior: 'allow' } })
    expect(await pre([saying({ decision: 'allow', updatedInput: { text: 'b' } })])).toMatchObject({
      verdict: { behavior: 'allow' },
    })
    expect(await pre([saying({ decision: 'ask' }), rewrite]), 'an ask stays').toMatchObject({
      verdict: { behavior: 'ask' },
    })
  })

  it('keeps the notes of all hooks in order', async () => {
    const hooked = await pre([
      saying({ additionalContext: 'one' }),
      saying({ hookSpecificOutput: { additionalContext: 'two' } }),
    ])
    expect(hooked).toMatchObject({ notes: ['one', 'two'] })
  })

  it('refuses the call when a hook throws, and says so', async () => {
    const hooked = await pre([broken()])
    expect(hooked).toMatchObject({
      type: 'failed',
      stage: 'pre-hooks',
      message: expect.stringMatching(/hook[\s\S]*fell over/i),
    })
  })

  it.for(
    rows<unknown>([
      'allow',
      5,
      [],
      { decision: 'maybe' },
      { updatedInput: 'rm' },
      { updatedInput: null },
      { reason: 1 },
    ]),
  )('refuses the call when a hook answers with $what', async ({ value }) => {
    expect(await pre([saying(value)])).toMatchObject({ type: 'failed', stage: 'pre-hooks' })
  })

  it('refuses the call when a hook gives no answer within its time', async () => {
    let stopped = false
    const hooked = await pre([
      {
        timeoutMs: 5,
        run: (_about, { signal }) => {
          signal.addEventListener('abort', () => {
            stopped = true
          })
          return never()
        },
      },
    ])
    expect(hooked).toMatchObject({ type: 'failed', stage: 'pre-hooks', message: expect.stringContaining('5 ms') })
    expect(stopped, 'the hook is told').toBe(true)
  })

  it('goes on with a note when a hook fails that may', async () => {
    const hooked = await pre([broken({ onFailure: 'ignore' }), saying({ additionalContext: 'next' })])
    expect(hooked).toMatchObject({ type: 'hooked', notes: [expect.stringContaining('fell over'), 'next'] })
  })

  it('lets a hook that may fail still deny', async () => {
    expect(await pre([saying({ decision: 'deny' }, { onFailure: 'ignore' })])).toMatchObject({ type: 'failed' })
  })

  it('asks one hook after the other', async () => {
    const gate = held<undefined>()
    const order: string[] = []
    const running = pre([
      {
        run: async () => {
          order.push('first')
          await gate.promise
          order.push('first is done')
          return undefined
        },
      },
      { run: () => void order.push('second') } as FunctionHook,
    ])
    await Promise.resolve()
    gate.resolve(undefined)
    await running
    expect(order).toEqual(['first', 'first is done', 'second'])
  })

  it('is in stage pre-hooks again after a rewrite', async () => {
    const stages: string[] = []
    await pre([saying({ updatedInput: { text: 'b' } })], {
      observer: ({ type, stage }) => type === 'begin' && stages.push(stage),
    })
    expect(stages).toEqual(['pre-hooks', 'parse', 'validate', 'pre-hooks'])
  })
})

describe('task 4: post-hooks', () => {
  it('tells a hook what was run and what came of it, as copies', async () => {
    const seen: HookInput[] = []
    const data = { lines: [1] }
    const notes = await post([{ run: (about) => void seen.push(about) }], { data })
    expect(notes).toEqual([])
    expect(seen).toMatchObject([{ hook_event_name: 'PostToolUse', tool_input: input, tool_response: data }])
    expect(seen[0].tool_response).not.toBe(data)
  })

  it('makes notes of what hooks add and of what they object to', async () => {
    const notes = await post([
      saying({ additionalContext: 'formatted' }),
      saying({ decision: 'block', reason: 'lint is red' }),
      saying({}),
    ])
    expect(notes).toEqual(['formatted', expect.stringContaining('lint is red')])
  })

  it('does not look at an ask, an allow or a rewrite behind the call', async () => {
    const late = [
      saying({ decision: 'ask', reason: 'May it?' }),
      saying({ decision: 'allow', reason: 'Fine.' }),
      saying({ updatedInput: { txt: 5 } }),
    ]
    expect(await post(late)).toEqual([])
  })

  it('makes notes of both, the objection first, where a hook objects and adds something', async () => {
    const hook = saying({ decision: 'deny', reason: 'lint is red', additionalContext: 'see lint.log' })
    expect(await post([hook])).toEqual([expect.stringContaining('lint is red'), 'see lint.log'])
  })

  it('makes a note of a hook that fails, and asks the next', async () => {
    const notes = await post([broken(), saying('nonsense'), saying({ additionalContext: 'next' })])
    expect(notes).toEqual([expect.stringContaining('fell over'), expect.stringMatching(/\w/), 'next'])
  })

  it('makes a note of a matcher that is no regular expression, and asks the next', async () => {
    const notes = await post([saying({}, { matcher: '(' }), saying({ additionalContext: 'next' })])
    expect(notes).toEqual([expect.stringMatching(/\(/), 'next'])
  })

  it('makes a note when the result cannot be copied for a hook', async () => {
    expect(await post([saying({})], { data: () => 1 })).toEqual([expect.stringMatching(/\w/)])
  })

  it('asks no more hooks once the call is aborted, and keeps the notes that are there', async () => {
    const abortController = new AbortController()
    let asked = 0
    const running = post(
      [
        saying({ additionalContext: 'one' }),
        {
          run: () => {
            abortController.abort()
            return never()
          },
        },
        { run: () => void asked++ } as FunctionHook,
      ],
      { abortController },
    )
    expect(await running).toEqual(['one'])
    expect(asked).toBe(0)
  })

  it('asks only those whose matcher fits', async () => {
    expect(await post([broken({ matcher: 'Edit|Write' })])).toEqual([])
  })
})
