import { z } from 'zod'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { toApiTool } from '#05-build-tool/tool.ts'
import type { StageEvent } from '#11-pipeline/run-tool-use.ts'
import { allowEverything } from '#support/run-tool.ts'
import { scriptedModel } from '#support/scripted-model.ts'
import { describe, expect, it } from '#support/test.ts'
import { end, enter } from '../given/call.ts'
import type { Hook } from '../given/hook-types.ts'
import { pipelineDispatch } from '../given/loop-dispatch.ts'
import { countWaiting } from '../given/on-abort.ts'
import {
  callWith,
  contextWith,
  held,
  INTERRUPTED_BEFORE,
  letTodoThrough,
  never,
  resultOf,
  rows,
  type Setup,
  start,
  toolUse,
  toolWith,
  unheardIn,
  updatesOf,
} from './calls.ts'

const boom = (): never => {
  throw new Error('boom')
}
const throwing = (thrown: unknown) => () => {
  throw thrown
}
/** What no text can be made of. */
const unspeakable = Object.create(null, {
  message: { get: boom },
  toString: { value: boom },
  toJSON: { value: boom },
})

/** Every step of a call, broken in one way. */
const broken: Record<string, (fault: () => any) => Setup> = {
  'the schema': (fault) => ({
    tool: toolWith({ inputSchema: z.strictObject({ text: z.string().refine(() => fault()) }) }),
  }),
  'the schema’s getter': (fault) => ({
    tool: toolWith({
      get inputSchema() {
        return fault()
      },
    }),
  }),
  validateInput: (fault) => ({ tool: toolWith({ validateInput: fault }) }),
  'a pre-hook': (fault) => ({ hooks: { PreToolUse: [{ run: fault }] } }),
  checkPermissions: (fault) => ({ tool: toolWith({ checkPermissions: fault }) }),
  canUseTool: (fault) => ({ canUseTool: fault }),
  askUser: (fault) => ({ canUseTool: async () => ({ behavior: 'ask', message: 'May it?' }), askUser: fault }),
  call: (fault) => ({ tool: toolWith({ call: fault }) }),
  mapToolResultToToolResultBlockParam: (fault) => ({ tool: toolWith({ mapToolResultToToolResultBlockParam: fault }) }),
}
const steps = Object.keys(broken)
const error = { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true }

describe('task 5: one result, whatever happens', () => {
  it('runs a call to its result', async () => {
    expect(await resultOf({ use: toolUse({ text: 'ab', times: '2' }) })).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: 'abab',
    })
  })

  it.for(steps)('makes one error result of it when %s throws', async (step) => {
    expect(await resultOf(broken[step](boom))).toMatchObject({ ...error, content: expect.stringContaining('boom') })
  })

  it.for(steps.slice(2))('makes one error result of it when %s rejects later', async (step) => {
    const later = async () => {
      await Promise.resolve()
      boom()
    }
    expect(await resultOf(broken[step](later))).toMatchObject({ ...error, content: expect.stringMatching(/\w/) })
  })

  it.for([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'boom'],
    ['an Error without a message', new Error('')],
    ['what no text can be made of', unspeakable],
    ['an error of ten million characters', new Error('x'.repeat(1e7))],
  ] as const)('has something to read, and not too much, when the tool throws %s', async ([, thrown]) => {
    const result = await resultOf({ tool: toolWith({ call: throwing(thrown) }) })
    expect(result).toMatchObject({ ...error, content: expect.stringMatching(/\w/) })
    expect(result.content!.length).toBeLessThan(20_000)
  })

  it('keeps the result when a post-hook throws', async () => {
    const result = await resultOf({ hooks: { PostToolUse: [{ run: boom }] } })
    expect(result.is_error).toBeUndefined()
    expect(result.content).toMatch(/^a\n[\s\S]*boom/)
  })

  it('refuses the call when the matcher of a pre-hook is no regular expression', async () => {
    let called = 0
    const tool = toolWith({ call: async () => ({ data: called++ }) })
    const hooks = { PreToolUse: [{ matcher: 'Edit)|(Write', run: () => undefined }] }
    expect(await resultOf({ tool, hooks })).toMatchObject({ ...error, content: expect.stringMatching(/\w/) })
    expect(called).toBe(0)
  })

  it('takes no harm from an observer that throws', async () => {
    expect(await resultOf({ observer: boom })).toMatchObject({ content: 'a' })
  })

  it.for(rows<unknown>([undefined, null, 'x', 5, [], { txt: 1 }]))(
    'answers a call whose input is $what',
    async ({ value }) => {
      expect(await resultOf({ use: toolUse(value) })).toMatchObject({
        ...error,
        content: expect.stringMatching(/text|input/),
      })
    },
  )

  it('answers a call of a tool that is not there', async () => {
    expect(await resultOf({ use: toolUse({}, '__proto__') })).toMatchObject({
      ...error,
      content: expect.stringContaining('Say'),
    })
  })

  it('answers each of two calls with the same id', async () => {
    const [one, two] = await Promise.all([
      resultOf({ use: toolUse({ text: 'one' }) }),
      resultOf({ use: toolUse({ text: 'two' }) }),
    ])
    expect([one.content, two.content]).toEqual(['one', 'two'])
  })

  it('gives the progress of the tool before its result', async () => {
    const tool = toolWith({
      call: async (...[, , , , onProgress]: [unknown, unknown, unknown, unknown, (data: unknown) => void]) => {
        onProgress({ type: 'half' })
        return { data: 'whole' }
      },
    })
    const updates = await updatesOf({ tool })
    expect(updates).toMatchObject([
      { type: 'progress', toolUseID: 'toolu_1', data: { type: 'half' } },
      { type: 'result', block: { content: 'whole' }, end: { type: 'returned', data: 'whole' } },
    ])
  })

  it('does not let a call that fails cost its siblings their results', async () => {
    const results = await Promise.all([
      resultOf({ tool: toolWith({ call: boom }) }),
      resultOf(),
      resultOf({ hooks: { PostToolUse: [{ run: boom }] } }),
    ])
    expect(results.map(({ is_error }) => is_error ?? false)).toEqual([true, false, false])
  })
})

describe('task 5: the order of the steps', () => {
  it('runs the steps in their order, and tells the observer of both ends of each, with the time', async () => {
    const events: StageEvent[] = []
    let time = 0
    await resultOf({ observer: (event) => events.push(event), now: () => time++ })
    const stages = ['find', 'parse', 'validate', 'pre-hooks', 'permission', 'call', 'post-hooks', 'map']
    expect(events.map(({ type, stage }) => `${type} ${stage}`)).toEqual(
      stages.flatMap((stage) => [`begin ${stage}`, `end ${stage}`]),
    )
    expect(events.map(({ at }) => at)).toEqual(events.map((_, n) => n))
    expect(events.at(-1)).toMatchObject({ toolUseID: 'toolu_1', toolName: 'Say', outcome: 'returned' })
  })

  it.for(steps)('ends the stage that it began when %s throws', async (step) => {
    const open = new Set<string>()
    const setup = broken[step](boom)
    await resultOf({
      ...setup,
      observer: ({ type, stage }) => (type === 'begin' ? open.add(stage) : open.delete(stage)),
    })
    expect([...open]).toEqual([])
  })

  it('never calls the tool when a step before it says no', async () => {
    let called = 0
    const call = async () => ({ data: called++ })
    const no: Setup[] = [
      { use: toolUse({}), tool: toolWith({ call }) },
      { tool: toolWith({ call, validateInput: async () => ({ result: false, message: 'no' }) }) },
      { tool: toolWith({ call }), hooks: { PreToolUse: [{ run: () => ({ decision: 'deny' }) }] } },
      { tool: toolWith({ call, checkPermissions: async () => ({ behavior: 'deny', message: 'no' }) }) },
      { tool: toolWith({ call }), canUseTool: async () => ({ behavior: 'deny', message: 'no' }) },
      { tool: toolWith({ call }), canUseTool: async () => ({ behavior: 'ask', message: 'may it?' }) },
    ]
    for (const setup of no) expect(await resultOf(setup)).toMatchObject(error)
    expect(called).toBe(0)
  })

  it('does not validate before it parses, nor ask for permission before it validates', async () => {
    const order: string[] = []
    const tool = toolWith({
      validateInput: async () => {
        order.push('validate')
        return { result: true }
      },
      call: async () => {
        order.push('call')
        return { data: '' }
      },
    })
    const hook = (name: string): Hook => ({ run: () => void order.push(name) as undefined })
    await resultOf({
      tool,
      hooks: { PreToolUse: [hook('pre')], PostToolUse: [hook('post')] },
      canUseTool: async (...args) => {
        order.push('permission')
        return allowEverything(...args)
      },
    })
    expect(order).toEqual(['validate', 'pre', 'permission', 'call', 'post'])
  })

  it('denies a command that a hook has wrapped, by the rule on what the model asked for', async () => {
    const ran: unknown[] = []
    const tool = toolWith({ call: async (input: unknown) => ({ data: ran.push(input) }) })
    const wrap: Hook = { run: () => ({ decision: 'allow', updatedInput: { text: "wrap -c 'rm -rf x'" } }) }
    const result = await resultOf({
      tool,
      use: toolUse({ text: 'rm -rf x' }),
      hooks: { PreToolUse: [wrap] },
      canUseTool: async (_tool, input) =>
        String(input.text).startsWith('rm')
          ? { behavior: 'deny', message: 'A rule denies rm.' }
          : { behavior: 'allow', updatedInput: input },
    })
    expect(result).toMatchObject({ ...error, content: expect.stringContaining('A rule denies rm.') })
    expect(ran).toEqual([])
  })

  it('calls the tool with exactly what was checked', async () => {
    const [checked, ran]: unknown[][] = [[], []]
    const tool = toolWith({
      call: async (input: unknown) => ({ data: ran.push(input) }),
      validateInput: async (input: unknown) => {
        checked.push(input)
        return { result: true }
      },
    })
    const hook: Hook = { run: (about) => ({ updatedInput: { text: `${about.tool_input.text}!` } }) }
    await resultOf({ tool, hooks: { PreToolUse: [hook] } })
    expect(ran).toEqual([{ text: 'a!', times: 1 }])
    expect(checked.at(-1)).toBe(ran[0])
  })

  it('adds what hooks have to say to the result', async () => {
    const note = (additionalContext: string): Hook => ({ run: () => ({ additionalContext }) })
    const result = await resultOf({ hooks: { PreToolUse: [note('before')], PostToolUse: [note('after')] } })
    expect(result.content).toMatch(/^a\n[\s\S]*before[\s\S]*after/)
  })

  it('adds what pre-hooks had to say also when the call fails', async () => {
    const hooks = { PreToolUse: [{ run: () => ({ additionalContext: 'mind the step' }) }] }
    expect(await resultOf({ hooks, tool: toolWith({ call: boom }) })).toMatchObject({
      ...error,
      content: expect.stringMatching(/boom[\s\S]*mind the step/),
    })
  })
})

describe('task 5: abort', () => {
  const hanging = steps.filter((step) => !/schema|mapTool/.test(step))

  it.for(hanging)('answers at once when the call is aborted while %s hangs', async (step) => {
    const abortController = new AbortController()
    const begun = held()
    const hang = () => {
      begun.resolve()
      return never()
    }
    const result = resultOf({ ...broken[step](hang), abortController })
    await Promise.race([begun.promise, result])
    abortController.abort()
    expect(await result).toMatchObject({ ...error, content: expect.stringMatching(/interrupted/i) })
  })

  it('calls nothing of a call that is aborted already', async () => {
    const abortController = new AbortController()
    abortController.abort()
    const ran: string[] = []
    const note = (name: string) => async () => {
      ran.push(name)
      return { result: true } as never
    }
    const result = await resultOf({
      abortController,
      tool: toolWith({ validateInput: note('validate'), call: note('call') }),
      canUseTool: note('permission'),
      hooks: { PreToolUse: [{ run: note('hook') }] },
    })
    expect(result).toMatchObject({ ...error, content: expect.stringMatching(INTERRUPTED_BEFORE) })
    expect(ran).toEqual([])
  })

  it('does not call the tool when permission comes after the abort', async () => {
    const abortController = new AbortController()
    const [gate, asked] = [held(), held()]
    let called = 0
    const result = resultOf({
      abortController,
      tool: toolWith({ call: async () => ({ data: called++ }) }),
      canUseTool: async (_tool, input) => {
        asked.resolve()
        await gate.promise
        return { behavior: 'allow', updatedInput: input }
      },
    })
    await Promise.race([asked.promise, result])
    abortController.abort()
    gate.resolve()
    expect(await result).toMatchObject(error)
    await new Promise(setImmediate)
    expect(called).toBe(0)
  })

  it('ignores a tool that resolves after its abort', async () => {
    const abortController = new AbortController()
    const [gate, begun] = [held<{ data: string }>(), held()]
    const tool = toolWith({
      call: () => {
        begun.resolve()
        return gate.promise
      },
    })
    const updates = updatesOf({ tool, abortController })
    await Promise.race([begun.promise, updates])
    abortController.abort()
    expect(await updates).toMatchObject([{ type: 'result', end: { type: 'interrupted', stage: 'call' } }])
    gate.resolve({ data: 'too late' })
    await new Promise(setImmediate)
  })

  it('says that a tool which failed because of the abort was interrupted', async () => {
    const abortController = new AbortController()
    const tool = toolWith({
      call: async () => {
        abortController.abort()
        throw new Error('stopped')
      },
    })
    expect(await resultOf({ tool, abortController })).toMatchObject({ content: expect.stringMatching(/interrupted/i) })
  })

  it('keeps the result of a tool that had ended when the call was aborted', async () => {
    const abortController = new AbortController()
    const post: Hook = {
      run: () => {
        abortController.abort()
        return never()
      },
    }
    expect(await resultOf({ abortController, hooks: { PostToolUse: [post] } })).toMatchObject({ content: 'a' })
  })

  it('leaves no listener on the signal', async () => {
    const abortController = new AbortController()
    const hooks = { PreToolUse: [{ run: () => undefined }], PostToolUse: [{ run: boom }] }
    await resultOf({ abortController, hooks })
    await resultOf({ abortController, tool: toolWith({ call: boom }) })
    expect(countWaiting(abortController.signal)).toBe(0)
  })

  it('runs fifty calls on one signal without a warning', async () => {
    const warnings: unknown[] = []
    const listen = (warning: unknown) => void warnings.push(warning)
    process.on('warning', listen)
    const abortController = new AbortController()
    const gate = held<{ data: string }>()
    const tool = toolWith({ call: () => gate.promise })
    const hooks = { PreToolUse: [{ run: async () => void (await Promise.resolve()) as undefined }] }
    const running = Promise.all(Array.from({ length: 50 }, () => resultOf({ tool, abortController, hooks })))
    await Promise.race([running, new Promise(setImmediate)])
    gate.resolve({ data: 'a' })
    const results = await running
    await new Promise(setImmediate)
    process.off('warning', listen)
    expect(results).toHaveLength(50)
    expect(warnings).toEqual([])
  })

  it('takes no harm from a consumer that goes away', async () => {
    const abortController = new AbortController()
    const tool = toolWith({
      call: (...[, , , , onProgress]: [unknown, unknown, unknown, unknown, (data: unknown) => void]) => {
        onProgress({ type: 'half' })
        return Promise.reject(new Error('nobody is there'))
      },
    })
    for await (const update of start({ tool, abortController })) {
      letTodoThrough(update)
      break
    }
    await new Promise(setImmediate)
    expect(countWaiting(abortController.signal)).toBe(0)
  })
})

describe('given: the observer', () => {
  it('does no harm when the promise that it gives rejects', async () => {
    const unheard = await unheardIn(() => {
      const call = callWith({ observer: (async () => boom()) as never })
      enter(call, 'find')
      end(call, 'found')
    })
    expect(unheard).toEqual([])
  })
})

describe('task 5: the loop of chapter 02', () => {
  it('runs its calls through the pipeline, in the place of dispatch', async () => {
    const tool = toolWith()
    const context = contextWith({ tools: [tool] })
    const model = scriptedModel([
      {
        calls: [
          { name: 'Say', input: { text: 'a', times: '3' } },
          { name: 'Shout', input: {} },
        ],
      },
      { text: 'Said.' },
    ])
    const seen: string[] = []
    const { messages, outcome } = await agentLoop({
      model,
      tools: [await toApiTool(tool, { tools: [tool] })],
      dispatch: pipelineDispatch(context, { canUseTool: allowEverything, onUpdate: ({ type }) => seen.push(type) }),
      messages: [{ role: 'user', content: 'Say it.' }],
      maxTurns: 3,
    })
    expect(outcome).toEqual({ type: 'finished' })
    expect(letTodoThrough(messages[2]).content).toMatchObject([
      { tool_use_id: 'toolu_1', content: 'aaa' },
      { tool_use_id: 'toolu_2', is_error: true, content: expect.stringContaining('Say') },
    ])
    expect(seen).toEqual(['result', 'result'])
  })

  it('stops the call that is running when the loop is aborted', async () => {
    const loop = new AbortController()
    const tool = toolWith({
      call: (_input: unknown, { abortController }: { abortController: AbortController }) => {
        loop.abort()
        return abortController.signal.aborted ? never() : Promise.reject(new Error('was not told'))
      },
    })
    const context = contextWith({ tools: [tool] })
    const dispatch = pipelineDispatch(context, { canUseTool: allowEverything })
    const output = await dispatch('Say', { text: 'a' }, { id: 'toolu_1', signal: loop.signal })
    expect(letTodoThrough(output)).toMatchObject({ is_error: true, content: expect.stringMatching(/interrupted/i) })
    expect(countWaiting(loop.signal)).toBe(0)
    expect(countWaiting(context.abortController.signal)).toBe(0)
  })
})
