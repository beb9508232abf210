import { vi } from 'vitest'
import { AGENT, childContext, childPermissions, childTools } from '#13-one-interface/child-context.ts'
import { describe, expect } from '#support/test.ts'
import { startTimeLimit } from '../given/time-limit.ts'
import { it, parentMessage, pipelineContext, tool } from './setup.ts'

const type = { name: 'Finder', description: 'finds', system: 'You find.' }
const agent = tool(AGENT)
const nested = tool(AGENT)
const [read, grep, edit] = [tool('Read'), tool('Grep'), tool('Edit', { isReadOnly: () => false })]
const all = [agent, edit, grep, read]

describe('task 1: the tools of a sub-agent', () => {
  it('has all tools of its parent but Agent where its type has no list', () => {
    expect(childTools(all, type, undefined)).toEqual([edit, grep, read])
  })

  it("has only the tools that its type names, in its parent's order, and none that its parent lacks", () => {
    const tools = ['Read', 'Grep', 'Bash']
    expect(childTools(all, { ...type, tools }, undefined)).toEqual([grep, read])
  })

  it("has the nested Agent in the place of its parent's", () => {
    const tools = childTools(all, type, nested)
    expect(tools).toHaveLength(4)
    expect(tools[0] === nested, 'the same object').toBe(true)
  })

  it('has no nested Agent where the list of its type does not name it', () => {
    expect(childTools(all, { ...type, tools: ['Read'] }, nested)).toEqual([read])
    expect(childTools(all, { ...type, tools: ['Read', AGENT] }, nested)).toHaveLength(2)
  })

  it("leaves its parent's list as it was", () => {
    const before = [...all]
    childTools(all, { ...type, tools: ['Read'] }, nested)
    expect(all).toEqual(before)
  })
})

describe('task 1: the context of a sub-agent', () => {
  const contexts = (root: string, more: Parameters<typeof pipelineContext>[2] = {}) => {
    const parent = pipelineContext(root, all, more)
    const limit = startTimeLimit(60_000, parent.abortController.signal)
    return { parent, limit, child: childContext(parent, { tools: [read], limit }) }
  }

  it('is aborted with its limit, for the same reason', ({ workspace }) => {
    const { parent, child, limit } = contexts(workspace.root)
    expect(child.abortController.signal.aborted).toBe(false)
    parent.abortController.abort('Ctrl-C')
    expect(child.abortController.signal.reason).toBe('Ctrl-C')
    limit.stop()
  })

  it('is aborted from the start when its limit was aborted before', ({ workspace }) => {
    const parent = pipelineContext(workspace.root, all)
    parent.abortController.abort('too late')
    const limit = startTimeLimit(60_000, parent.abortController.signal)
    expect(childContext(parent, { tools: [], limit }).abortController.signal.reason).toBe('too late')
    limit.stop()
  })

  it('does not abort its parent when it is aborted itself', ({ workspace }) => {
    const { parent, child, limit } = contexts(workspace.root)
    child.abortController.abort('I am done')
    expect(child.abortController.signal.aborted).toBe(true)
    expect(parent.abortController.signal.aborted, "its parent's controller").toBe(false)
    limit.stop()
  })

  it('has read no file yet, and what it reads its parent has not read', ({ workspace }) => {
    const readFileState = new Map([['/a', { mtimeMs: 1, size: 1 }]])
    const { parent, child, limit } = contexts(workspace.root, { readFileState })
    expect([...child.readFileState.keys()], 'its model has not seen the file').toEqual([])
    child.readFileState.set('/b', { mtimeMs: 2, size: 2 })
    expect([...parent.readFileState.keys()]).toEqual(['/a'])
    limit.stop()
  })

  it('keeps its app state to itself', ({ workspace }) => {
    const { parent, child, limit } = contexts(workspace.root)
    parent.setAppState(() => ({ bash: 'of the parent' }))
    expect(child.getAppState()).toEqual({})
    child.setAppState((state) => ({ ...state, mine: 1 }))
    child.setAppState((state) => ({ ...state, more: 2 }))
    expect(child.getAppState()).toEqual({ mine: 1, more: 2 })
    expect(parent.getAppState()).toEqual({ bash: 'of the parent' })
    limit.stop()
  })

  it('shares neither files nor state with a sibling', ({ workspace }) => {
    const { parent, child, limit } = contexts(workspace.root)
    child.readFileState.set('/a', { mtimeMs: 1, size: 1 })
    child.setAppState(() => ({ bash: 'of the first' }))
    const sibling = childContext(parent, { tools: [read], limit })
    expect([...sibling.readFileState.keys()]).toEqual([])
    expect(sibling.getAppState()).toEqual({})
    limit.stop()
  })

  it('has the tools that it is given, and all else of its parent', ({ workspace }) => {
    const hooks = { PreToolUse: [] }
    const { parent, child, limit } = contexts(workspace.root, { hooks })
    expect(child.options.tools).toEqual([read])
    expect(parent.options.tools, "its parent's").toEqual(all)
    expect(child.options.isNonInteractiveSession).toBe(true)
    expect(child.cwd).toBe(parent.cwd)
    expect(child.hooks === hooks, 'the same hooks').toBe(true)
    expect(child.resultsDir).toBe(parent.resultsDir)
    expect(child.askUser, 'nobody is there to ask').toBeUndefined()
    limit.stop()
  })

  it('does not count the time in which a person thinks', async ({ workspace }) => {
    vi.useFakeTimers()
    try {
      let say = (_answer: { behavior: 'deny'; message: string }) => {}
      const askUser = () => new Promise<any>((resolve) => (say = resolve))
      const parent = pipelineContext(workspace.root, all, { askUser })
      const limit = startTimeLimit(1_000, undefined)
      const child = childContext(parent, { tools: [read], limit })
      await vi.advanceTimersByTimeAsync(600)
      const asked = child.askUser!({} as never, child)
      await vi.advanceTimersByTimeAsync(3_600_000)
      expect(child.abortController.signal.aborted, 'while the person thinks').toBe(false)
      say({ behavior: 'deny', message: 'no' })
      expect(await asked).toEqual({ behavior: 'deny', message: 'no' })
      await vi.advanceTimersByTimeAsync(300)
      expect(child.abortController.signal.aborted, 'after 900 of 1000 ms').toBe(false)
      await vi.advanceTimersByTimeAsync(200)
      expect(child.abortController.signal.aborted, 'after 1100 of 1000 ms').toBe(true)
      limit.stop()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('task 1: who decides about the calls of a sub-agent', () => {
  const judge = vi.fn(async (candidate: { name: string }) => ({ behavior: 'deny' as const, message: candidate.name }))

  it("asks its parent's judge, with the call as it is", async ({ workspace }) => {
    judge.mockClear()
    const context = pipelineContext(workspace.root, all)
    const answer = await childPermissions(judge, type)(edit, { file: 'a' }, context, parentMessage)
    expect(answer).toEqual({ behavior: 'deny', message: 'Edit' })
    expect(judge).toHaveBeenCalledExactlyOnceWith(edit, { file: 'a' }, context, parentMessage)
  })

  it('refuses what is not read-only where the type is, before anybody is asked', async ({ workspace }) => {
    judge.mockClear()
    const context = pipelineContext(workspace.root, all)
    const answer = await childPermissions(judge, { ...type, readOnly: true })(edit, {}, context, parentMessage)
    expect(answer).toMatchObject({ behavior: 'deny', message: expect.stringMatching(/Edit/) })
    expect(judge, 'nobody was asked').not.toHaveBeenCalled()
  })

  it.for([
    ['it destroys nothing', tool('Write', { isReadOnly: () => false, isDestructive: () => false }), {}],
    [
      'the same tool may be read-only',
      tool('Shell', { isReadOnly: ({ command }) => command === 'ls' }),
      { command: 'rm' },
    ],
  ] as const)('refuses a call that is not read-only, though %s', async ([, candidate, input], { workspace }) => {
    judge.mockClear()
    const context = pipelineContext(workspace.root, all)
    const answer = await childPermissions(judge, { ...type, readOnly: true })(candidate, input, context, parentMessage)
    expect(answer).toMatchObject({ behavior: 'deny', message: expect.stringContaining(candidate.name) })
    expect(judge, 'nobody was asked').not.toHaveBeenCalled()
  })

  it('asks about a call that is read-only, though the same tool may change something', async ({ workspace }) => {
    judge.mockClear()
    const context = pipelineContext(workspace.root, all)
    const shell = tool('Shell', { isReadOnly: ({ command }) => command === 'ls', isDestructive: () => true })
    const decide = childPermissions(judge, { ...type, readOnly: true })
    expect(await decide(shell, { command: 'ls' }, context, parentMessage)).toEqual({
      behavior: 'deny',
      message: 'Shell',
    })
    expect(judge).toHaveBeenCalledOnce()
  })

  it("leaves what is read-only to its parent's judge, who may deny it", async ({ workspace }) => {
    judge.mockClear()
    const context = pipelineContext(workspace.root, all)
    const answer = await childPermissions(judge, { ...type, readOnly: true })(read, {}, context, parentMessage)
    expect(answer).toEqual({ behavior: 'deny', message: 'Read' })
  })
})
