import { readFile } from 'node:fs/promises'
import { vi } from 'vitest'
import { BashTool } from '#08-bash/bash.ts'
import type { ResultUpdate } from '#11-pipeline/run-tool-use.ts'
import { StreamingToolExecutor } from '#12-streaming-executor/executor.ts'
import {
  AGENT,
  type AgentCall,
  type AgentToolOptions,
  type AgentType,
  createAgentTool,
  runAgent,
} from '#13-one-interface/agent-tool.ts'
import { allowEverything } from '#support/run-tool.ts'
import { type ScriptedTurn, scriptedModel } from '#support/scripted-model.ts'
import { describe, expect } from '#support/test.ts'
import { countWaiting } from '../../11-pipeline/given/on-abort.ts'
import { bindPipeline } from '../../12-streaming-executor/given/bind.ts'
import {
  begun,
  heldTool,
  isRunning,
  it,
  parentMessage,
  perform,
  pipelineContext,
  scriptedModels,
  settle,
  task,
  tool,
  use,
} from './setup.ts'

const reader: AgentType = { name: 'reader', description: 'reads', system: 'You read.', readOnly: true }
const call = (input: object = {}) => use('t1', AGENT, { ...task, ...input })

/** Like `perform`, for a test that has more to do before it waits for the result. */
const run: typeof perform = (...args) => begun(perform(...args))

/** The calls and the last word of a sub-agent. */
function script(names: string[], text = 'It is in src/a.ts:12.') {
  return [{ text: 'I will look.', calls: names.map((name) => ({ name, input: {} })) }, { text }]
}

function contextWith(root: string, tools: Parameters<typeof pipelineContext>[1], options: AgentToolOptions, more = {}) {
  const agent = createAgentTool(options)
  return pipelineContext(root, [agent, ...tools], more)
}

describe('task 2: a sub-agent is a call', () => {
  it('gives back what the sub-agent said last, and nothing of the way there', async ({ workspace }) => {
    const { createModel } = scriptedModels(script(['Read']))
    const context = contextWith(workspace.root, [tool('Read')], { createModel })
    const { text, isError } = await perform(context, { call: call() })
    expect(text).toBe('It is in src/a.ts:12.')
    expect(isError).toBe(false)
  })

  it('starts it with the prompt alone', async ({ workspace }) => {
    const { createModel, models } = scriptedModels([{ text: 'ok' }])
    await perform(contextWith(workspace.root, [], { createModel }), { call: call({ prompt: 'Count the files.' }) })
    expect(models[0].requests[0].messages).toEqual([{ role: 'user', content: 'Count the files.' }])
  })

  it('shows it its own tools in every turn, those that it has searched for too', async ({ workspace }) => {
    const { createToolSearch } = await import('#09-registry/registry.ts')
    const turns = [{ calls: [{ name: 'ToolSearch', input: { query: 'select:mcp__a__b' } }] }, { text: 'ok' }]
    const { createModel, models } = scriptedModels(turns)
    const tools = [tool('Read'), createToolSearch(), tool('mcp__a__b')]
    await perform(contextWith(workspace.root, tools, { createModel }), { call: call() })
    const shown = models[0].requests.map((request) => request.tools.map(({ name }: { name: string }) => name))
    expect(shown).toEqual([
      ['Read', 'ToolSearch'],
      ['Read', 'ToolSearch', 'mcp__a__b'],
    ])
  })

  it("lets it talk to the model that gave its parent's answer, unless its type names another", async ({
    workspace,
  }) => {
    const { createModel, made } = scriptedModels([{ text: 'a' }], [{ text: 'b' }])
    const types = [reader, { ...reader, name: 'small', model: 'small-model', system: 'Be brief.' }]
    const context = contextWith(workspace.root, [], { createModel, types })
    await perform(context, { call: call() })
    await perform(context, { call: call({ subagent_type: 'small' }) })
    expect(made).toMatchObject([
      { model: 'parent-model', system: 'You read.' },
      { model: 'small-model', system: 'Be brief.' },
    ])
  })

  it('adds up what its answers cost, and counts its turns', async ({ workspace }) => {
    const usage = { input_tokens: 10, output_tokens: 3, cache_read_input_tokens: 100 }
    const { createModel, models } = scriptedModels(script(['Read']))
    const counting: AgentToolOptions['createModel'] = (options) => {
      createModel(options)
      return async (request, more) => ({ ...(await models[0](request, more)), usage: usage as never })
    }
    const { result } = await perform(contextWith(workspace.root, [tool('Read')], { createModel: counting }), {
      call: call(),
    })
    expect(result.end).toMatchObject({
      data: { turns: 2, usage: { input_tokens: 20, output_tokens: 6, cache_read_input_tokens: 200 } },
    })
  })

  it('counts every answer of its model as a turn, also two that are one message after pause_turn', async ({
    workspace,
  }) => {
    const { createModel } = scriptedModels([{ text: 'It is', stop: 'pause_turn' }, { text: ' here.' }])
    const { result } = await perform(contextWith(workspace.root, [], { createModel }), { call: call() })
    expect(result.end).toMatchObject({ data: { turns: 2 } })
  })

  it('counts for each sub-agent anew', async ({ workspace }) => {
    const { createModel } = scriptedModels(script(['Read']), script(['Read']))
    const context = contextWith(workspace.root, [tool('Read')], { createModel })
    await perform(context, { call: call() })
    expect((await perform(context, { call: call() })).result.end).toMatchObject({ data: { turns: 2 } })
  })

  it("asks its parent's judge about each of its calls, and tells it no when that says no", async ({ workspace }) => {
    const { createModel, models } = scriptedModels(script(['Read', 'Edit']))
    const edit = vi.fn(async () => ({ data: 'edited' }))
    const context = contextWith(workspace.root, [tool('Read'), tool('Edit', { call: edit })], { createModel })
    const asked: string[] = []
    await perform(context, {
      call: call(),
      canUseTool: async (candidate, input) => {
        asked.push(candidate.name)
        if (candidate.name === 'Edit') return { behavior: 'deny', message: 'no edits today' }
        return { behavior: 'allow', updatedInput: input }
      },
    })
    expect(asked).toEqual([AGENT, 'Read', 'Edit'])
    expect(edit).not.toHaveBeenCalled()
    expect(JSON.stringify(models[0].requests[1].messages)).toContain('no edits today')
  })

  it("runs its calls past its parent's hooks", async ({ workspace }) => {
    const { createModel, models } = scriptedModels(script(['Read']))
    const block = { matcher: 'Read', run: async () => ({ decision: 'deny' as const, reason: 'the hook says no' }) }
    const hooks = { PreToolUse: [block] }
    await perform(contextWith(workspace.root, [tool('Read')], { createModel }, { hooks }), { call: call() })
    expect(JSON.stringify(models[0].requests[1].messages)).toContain('the hook says no')
  })

  it('refuses an edit of a read-only agent that its parent would allow', async ({ workspace }) => {
    const { createModel, models } = scriptedModels(script(['Edit']))
    const edit = vi.fn(async () => ({ data: 'edited' }))
    const tools = [tool('Edit', { isReadOnly: () => false, call: edit })]
    await perform(contextWith(workspace.root, tools, { createModel, types: [reader] }), { call: call() })
    expect(edit).not.toHaveBeenCalled()
    expect(JSON.stringify(models[0].requests[1].messages)).toContain('is_error')
  })

  it('has an Agent of its own only as deep as it is allowed', async ({ workspace }) => {
    const inner = [{ calls: [{ name: AGENT, input: task }] }, { text: 'inner' }]
    const { createModel, models } = scriptedModels(inner, [{ text: 'innermost' }])
    await perform(contextWith(workspace.root, [tool('Read')], { createModel, maxDepth: 2 }), { call: call() })
    const shown = models.map(({ requests }) => requests[0].tools.map(({ name }: { name: string }) => name))
    expect(shown).toEqual([[AGENT, 'Read'], ['Read']])
    expect(JSON.stringify(models[0].requests[1].messages)).toContain('innermost')
  })

  it('tells its parent what it does: each call, what that says, and that it is over', async ({ workspace }) => {
    const { createModel } = scriptedModels(script(['Read', 'Nothing']))
    const read = tool('Read', {
      call: async (_input, _context, _canUseTool, _message, onProgress) => {
        onProgress({ type: 'text', text: 'half' })
        return { data: 'whole' }
      },
    })
    const { progress } = await perform(contextWith(workspace.root, [read], { createModel }), { call: call() })
    const of = (name: string) => progress.filter((update) => update.name === name)
    const about = { agent: 'general-purpose', toolUseID: 'toolu_1', name: 'Read' }
    expect(of('Read')).toEqual([
      { ...about, type: 'agent_call', input: {} },
      { ...about, type: 'agent_progress', data: { type: 'text', text: 'half' } },
      { ...about, type: 'agent_result', isError: false },
    ])
    expect(of('Nothing')).toMatchObject([{ type: 'agent_call' }, { type: 'agent_result', isError: true }])
  })

  it.for([
    ['its tool has failed', 'Broken'],
    ['it was refused', 'Edit'],
  ])('tells its parent of an error when %s', async ([, name], { workspace }) => {
    const { createModel } = scriptedModels(script([name]))
    const broken = tool('Broken', { call: () => Promise.reject(new Error('broken')) })
    const tools = [broken, tool('Edit', { isReadOnly: () => false })]
    const context = contextWith(workspace.root, tools, { createModel, types: [reader] })
    const { progress } = await perform(context, { call: call() })
    expect(progress).toMatchObject([{ type: 'agent_call' }, { type: 'agent_result', isError: true }])
  })

  it('tells its parent of a call before the pipeline has it, and of its end before the next turn', async ({
    workspace,
  }) => {
    const log: string[] = []
    const turns = script(['Read']).map((turn) => () => {
      log.push('model')
      return turn
    })
    const { createModel } = scriptedModels(turns)
    const read = tool('Read', {
      validateInput: async () => {
        log.push('checked')
        return { result: true }
      },
      call: async () => {
        log.push('runs')
        return { data: 'whole' }
      },
    })
    const context = pipelineContext(workspace.root, [read])
    const agentCall: AgentCall = {
      type: reader,
      prompt: 'Find it.',
      nested: undefined,
      context,
      canUseTool: async (_tool, input) => {
        log.push('asked')
        return { behavior: 'allow', updatedInput: input }
      },
      parentMessage,
      onProgress: ({ type }) => void log.push(type),
    }
    await runAgent(agentCall, { createModel })
    expect(log).toEqual(['model', 'agent_call', 'checked', 'asked', 'runs', 'agent_result', 'model'])
  })

  it('ends what its shell has in the background', async ({ workspace }) => {
    const input = { command: 'echo $$ > pid; sleep 1000', run_in_background: true }
    const until = 'while [ ! -s pid ]; do :; done'
    const turns = [
      { calls: [{ name: 'Bash', input }] },
      { calls: [{ name: 'Bash', input: { command: until } }] },
      { text: 'It runs.' },
    ]
    const { createModel } = scriptedModels(turns)
    const { text } = await perform(contextWith(workspace.root, [BashTool], { createModel }), { call: call() })
    expect(text).toBe('It runs.')
    const pid = Number(await readFile(workspace.path('pid'), 'utf8'))
    try {
      expect(isRunning(pid), 'the command in the background').toBe(false)
    } finally {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    }
  })
})

describe('task 2: a sub-agent leaves nothing behind', () => {
  const until = 'while [ ! -s pid ]; do :; done'
  const inBackground = [
    { calls: [{ name: 'Bash', input: { command: 'echo $$ > pid; sleep 1000', run_in_background: true } }] },
    { calls: [{ name: 'Bash', input: { command: until } }] },
  ]

  it.for([
    ['its model fails', () => Promise.reject(new Error('529'))],
    ['its model refuses', () => ({ text: 'No.', stop: 'refusal' as const })],
    [
      'its parent is aborted',
      (controller: AbortController) => {
        controller.abort(new Error('Ctrl-C'))
        return { text: 'too late' }
      },
    ],
  ] as const)('in the background of its shell, also when %s', async ([, last], { workspace }) => {
    const context = contextWith(workspace.root, [BashTool], {
      createModel: () => scriptedModel<any>([...inBackground, () => last(context.abortController)]),
    })
    await perform(context, { call: call() })
    const pid = Number(await readFile(workspace.path('pid'), 'utf8'))
    try {
      await vi.waitFor(() => expect(isRunning(pid), 'the command in the background').toBe(false), { timeout: 3_000 })
    } finally {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    }
  })

  it.for<[string, Array<ScriptedTurn<any>> | undefined]>([
    ['it has called a tool', [{ calls: [{ name: 'Read', input: {} }] }, { text: 'done' }]],
    ['its call has failed', [{ calls: [{ name: 'Broken', input: {} }] }, { text: 'done' }]],
    ['its model has failed', [() => Promise.reject(new Error('529'))]],
    ['its model could not be made', undefined],
  ])("no timer, and no listener on its parent's signal: %s", async ([, turns], { workspace }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const createModel: AgentToolOptions['createModel'] = () => {
        if (!turns) throw new Error('no such model')
        return scriptedModel(turns)
      }
      const broken = tool('Broken', { call: () => Promise.reject(new Error('broken')) })
      const context = contextWith(workspace.root, [tool('Read'), broken], { createModel, maxCallMs: 5_000 })
      const { signal } = context.abortController
      const before = countWaiting(signal)
      await perform(context, { call: call() })
      expect(vi.getTimerCount(), 'timers that are left').toBe(0)
      expect(countWaiting(signal), 'listeners that are left').toBe(before)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('task 2: a sub-agent comes to an end', () => {
  it('is an error that says why when its model cannot be asked', async ({ workspace }) => {
    const fails = [
      { text: 'I will look.', calls: [{ name: 'Read', input: {} }] },
      () => Promise.reject(new Error('529')),
    ]
    const { createModel } = scriptedModels(fails)
    const { text, isError } = await perform(contextWith(workspace.root, [tool('Read')], { createModel }), {
      call: call(),
    })
    expect(isError).toBe(true)
    expect(text).toMatch(/529/)
    expect(text, 'and what it had said').toMatch(/I will look/)
  })

  it('is an error when its model cannot even be made', async ({ workspace }) => {
    const createModel = () => {
      throw new Error('no such model')
    }
    const { text, isError } = await perform(contextWith(workspace.root, [], { createModel }), { call: call() })
    expect(isError).toBe(true)
    expect(text).toMatch(/no such model/)
  })

  it('is stopped after its turns, with what it had said and a word about that', async ({ workspace }) => {
    const { createModel } = scriptedModels([{ text: 'Still looking.', calls: [{ name: 'Read', input: {} }] }])
    const types = [{ ...reader, maxTurns: 1 }]
    const { text, isError } = await perform(contextWith(workspace.root, [tool('Read')], { createModel, types }), {
      call: call(),
    })
    expect(isError).toBe(false)
    expect(text).toMatch(/Still looking\.[\s\S]*not done/)
  })

  it('says so when it ended without a word', async ({ workspace }) => {
    const { createModel } = scriptedModels([{ text: '' }])
    const { text, isError } = await perform(contextWith(workspace.root, [], { createModel }), { call: call() })
    expect(isError).toBe(false)
    expect(text).toMatch(/without a word/)
  })

  it('ends with its parent, and so do its calls', async ({ workspace }) => {
    const held = heldTool('Read')
    const { createModel, models } = scriptedModels(script(['Read']))
    const context = contextWith(workspace.root, [held.tool], { createModel })
    const done = run(context, { call: call() })
    await vi.waitFor(() => expect(held.signals).toHaveLength(1))
    context.abortController.abort(new Error('Ctrl-C'))
    expect((await done).result.end.type).toBe('interrupted')
    await settle()
    expect(held.signals[0].aborted, 'the call of the sub-agent').toBe(true)
    expect(models[0].requests, 'its model was not asked again').toHaveLength(1)
  })

  it('is stopped when it takes too long, with an error and what it had said', async ({ workspace }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const held = heldTool('Read')
      const { createModel } = scriptedModels(script(['Read']))
      const context = contextWith(workspace.root, [held.tool], { createModel, maxAgentMs: 10_000 })
      const done = run(context, { call: call() })
      await settle()
      expect(held.signals).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(10_000)
      const { text, isError } = await done
      expect(isError).toBe(true)
      expect(text).toMatch(/time was up[\s\S]*I will look/)
      expect(held.signals[0].aborted, 'its call was told').toBe(true)
      expect(context.abortController.signal.aborted, 'its parent goes on').toBe(false)
      expect(vi.getTimerCount(), 'timers that are left').toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('goes on when a call of it hangs: that call alone is stopped and answered', async ({ workspace }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const held = heldTool('Bash')
      const { createModel, models } = scriptedModels(script(['Bash', 'Read']))
      const options = { createModel, maxCallMs: 5_000, maxAgentMs: 60_000 }
      const done = run(contextWith(workspace.root, [held.tool, tool('Read')], options), { call: call() })
      await settle()
      await vi.advanceTimersByTimeAsync(5_000)
      expect((await done).text).toBe('It is in src/a.ts:12.')
      const [hung, read] = models[0].requests[1].messages.at(-1).content
      expect(hung).toMatchObject({ is_error: true, content: expect.stringMatching(/Bash.*5000 ms/) })
      expect(read).toMatchObject({ content: 'Read is done' })
      expect(held.signals[0].aborted, 'the call that hung was told').toBe(true)
      expect(vi.getTimerCount(), 'timers that are left').toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('tells its parent that a call which was stopped is an error', async ({ workspace }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const held = heldTool('Bash')
      const { createModel } = scriptedModels(script(['Bash']))
      const done = run(contextWith(workspace.root, [held.tool], { createModel, maxCallMs: 5_000 }), { call: call() })
      await settle()
      await vi.advanceTimersByTimeAsync(5_000)
      expect((await done).progress).toMatchObject([{ type: 'agent_call' }, { type: 'agent_result', isError: true }])
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not count the time in which a person is asked about a call', async ({ workspace }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      let say = (_answer: unknown) => {}
      const askUser = () => new Promise<any>((resolve) => (say = resolve))
      const { createModel, models } = scriptedModels(script(['Read']))
      const options = { createModel, maxCallMs: 5_000, maxAgentMs: 10_000 }
      const context = contextWith(workspace.root, [tool('Read')], options, { askUser })
      const done = run(context, {
        call: call(),
        canUseTool: async (candidate, input) =>
          candidate.name === AGENT
            ? { behavior: 'allow', updatedInput: input }
            : { behavior: 'ask', message: 'may it?' },
      })
      await settle()
      await vi.advanceTimersByTimeAsync(3_600_000)
      say({ behavior: 'allow', updatedInput: {} })
      expect((await done).text).toBe('It is in src/a.ts:12.')
      expect(models[0].requests[1].messages.at(-1).content).toMatchObject([{ content: 'Read is done' }])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('task 2: many sub-agents', () => {
  it('runs the safe calls of one at the same time, in an executor of its own', async ({ workspace }) => {
    const held = heldTool('Read')
    const { createModel } = scriptedModels(script(['Read', 'Read', 'Read']))
    const done = run(contextWith(workspace.root, [held.tool], { createModel, maxParallel: 2 }), { call: call() })
    await settle()
    expect(held.signals, 'calls that run').toHaveLength(2)
    held.release()
    await settle()
    held.release()
    expect((await done).text).toBe('It is in src/a.ts:12.')
  })

  it('lets ten of them work where two calls may run at a time: nobody waits for ever', async ({ workspace }) => {
    const { createModel } = scriptedModels(
      ...Array.from({ length: 10 }, (_, i) => script(['Read', 'Read', 'Read'], `answer ${i + 1}`)),
    )
    const context = contextWith(workspace.root, [tool('Read')], { createModel, types: [reader], maxParallel: 2 })
    const executor = new StreamingToolExecutor({ ...bindPipeline(context, allowEverything), maxParallel: 2 })
    for (let i = 1; i <= 10; i++) executor.addTool(use(`t${i}`, AGENT, task), parentMessage)
    executor.end()
    const answers: unknown[] = []
    for await (const update of executor.results()) if (update.type === 'result') answers.push(update.block.content)
    expect(answers).toEqual(Array.from({ length: 10 }, (_, i) => `answer ${i + 1}`))
  })

  it('delivers the answer of one while a call of the other hangs, and the other in the end', async ({ workspace }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const held = heldTool('Bash')
      const { createModel } = scriptedModels(script(['Bash'], 'the slow one'), script(['Read'], 'the quick one'))
      const options = { createModel, types: [reader], maxCallMs: 60_000 }
      const context = contextWith(workspace.root, [held.tool, tool('Read')], options)
      const answered: string[] = []
      const executor = new StreamingToolExecutor({
        ...bindPipeline(context, allowEverything),
        onEvent: (event) => void (event.type === 'answered' && answered.push(event.call.block.id)),
      })
      executor.addTool(use('slow', AGENT, task), parentMessage)
      executor.addTool(use('quick', AGENT, task), parentMessage)
      executor.end()
      await settle()
      expect(answered, 'while the other hangs').toEqual(['quick'])
      await vi.advanceTimersByTimeAsync(60_000)
      const results: ResultUpdate[] = []
      for await (const update of executor.results()) if (update.type === 'result') results.push(update)
      expect(results.map(({ block }) => block.content)).toEqual(['the slow one', 'the quick one'])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('given: what Agent says of itself', () => {
  const { createModel } = scriptedModels()
  const agent = createAgentTool({ createModel })

  it('names the kinds that there are when it is asked for one that there is not', async ({ workspace }) => {
    const { text, isError } = await perform(contextWith(workspace.root, [], { createModel }), {
      call: call({ subagent_type: 'Wizard' }),
    })
    expect(isError).toBe(true)
    expect(text).toMatch(/Wizard.*general-purpose.*Explore/)
  })

  it('refuses a prompt that is blank', async ({ workspace }) => {
    const { isError } = await perform(contextWith(workspace.root, [], { createModel }), { call: call({ prompt: ' ' }) })
    expect(isError).toBe(true)
  })

  it('is read-only, and may run beside others, only for a kind that is held to it', () => {
    expect(agent.isReadOnly({ ...task, subagent_type: 'Explore' })).toBe(true)
    expect(agent.isConcurrencySafe({ ...task, subagent_type: 'Explore' })).toBe(true)
    for (const subagent_type of [undefined, 'general-purpose', 'Wizard']) {
      expect(agent.isReadOnly({ ...task, subagent_type })).toBe(false)
      expect(agent.isConcurrencySafe({ ...task, subagent_type })).toBe(false)
    }
  })
})
