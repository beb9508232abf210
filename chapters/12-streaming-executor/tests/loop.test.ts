import { agentLoop } from '#02-agent-loop/loop.ts'
import { StreamingToolExecutor } from '#12-streaming-executor/executor.ts'
import { allowEverything, toolDispatch } from '#support/run-tool.ts'
import { scriptedModel } from '#support/scripted-model.ts'
import { describe, expect, it } from '#support/test.ts'
import { pipelineDispatch } from '../../11-pipeline/given/loop-dispatch.ts'
import { answersOf, bindPipeline } from '../given/bind.ts'
import { executorSchedule } from '../given/loop-schedule.ts'
import { Timeline } from '../given/timeline.ts'
import type { ExecutorEvent } from '../given/types.ts'
import { VirtualClock } from '../given/virtual-clock.ts'
import { message, reading, soon, use } from './stage.ts'
import { pipelineContext, slowTool } from './tools.ts'

const script = ['Read', 'Grep', 'Edit', 'Fail', 'Missing', 'Read'].map((name) => ({ name, input: {} }))

/** Runs the same script in chapter 02's loop, with what `industrial` says or as chapter 02 itself does. */
async function runLoop(root: string, industrial: boolean, onEvent?: (event: ExecutorEvent, abort: () => void) => void) {
  const controller = new AbortController()
  const clock = new VirtualClock()
  const tools = [slowTool('Read', 30, clock), slowTool('Grep', 50, clock), slowTool('Edit', 10, clock)]
  tools.push(slowTool('Fail', 20, clock))
  const context = pipelineContext(root, tools)
  const timeline = new Timeline(clock.now)
  const tell = (event: ExecutorEvent) => {
    timeline.record(event)
    onEvent?.(event, () => controller.abort(new Error('Ctrl-C')))
  }
  const schedule = executorSchedule({ ...answersOf(tools), onEvent: tell })
  /** What the executor throws, a blank too. The loop goes on without it, and nobody would see it. */
  const thrown: unknown[] = []
  const model = scriptedModel([{ calls: script }, { text: 'Done.' }])
  const run = await clock.runUntil(
    agentLoop({
      model,
      tools: tools.map(({ name }) => ({ name, input_schema: { type: 'object' } })),
      messages: [{ role: 'user', content: 'Work.' }],
      maxTurns: 3,
      signal: controller.signal,
      ...(industrial
        ? {
            dispatch: pipelineDispatch(context, { canUseTool: allowEverything }),
            schedule: (calls, run) => schedule(calls, run).catch((error) => void thrown.push(error)),
          }
        : { dispatch: toolDispatch(tools, context) }),
    }),
  )
  if (thrown.length > 0) throw thrown[0]
  return { ...run, took: clock.now(), bars: timeline.bars }
}

describe("task 5: chapter 02's loop, with the pipeline and the executor", () => {
  it('has the same conversation as one call after the other, in less time', async ({ workspace }) => {
    const plain = await runLoop(workspace.root, false)
    const industrial = await runLoop(workspace.root, true)
    expect(industrial.outcome).toEqual({ type: 'finished' })
    const shape = ({ messages }: typeof plain) =>
      messages.map(({ role, content }) => ({
        role,
        blocks: typeof content === 'string' ? content : content.map((block) => ({ ...block, content: undefined })),
      }))
    expect(shape(industrial), 'the same blocks, ids and errors').toEqual(shape(plain))
    expect(plain.took).toBe(30 + 50 + 10 + 20 + 30)
    expect(
      industrial.took,
      'Read and Grep together, then Edit alone, then Fail and Read; a tool that is not there takes no time',
    ).toBe(50 + 10 + 20 + 30)
  })

  it('answers every call when the loop is aborted in the middle', async ({ workspace }) => {
    const { messages, outcome, took } = await runLoop(workspace.root, true, ({ type }, abort) => {
      if (type === 'answered') abort()
    })
    expect(outcome).toMatchObject({ type: 'aborted' })
    expect(took, 'when the first of two has ended').toBe(30)
    expect(messages.at(-1)).toMatchObject({
      role: 'user',
      content: script.map((_, i) => ({ type: 'tool_result', tool_use_id: `toolu_${i + 1}` })),
    })
  })
})

describe("task 5: the executor on chapter 11's pipeline", () => {
  it('runs the calls of an answer while it is streamed, with progress, errors and order', async ({ workspace }) => {
    const clock = new VirtualClock()
    const tools = ['Read', 'Edit', 'Fail'].map((name) => slowTool(name, 10, clock))
    const executor = new StreamingToolExecutor(bindPipeline(pipelineContext(workspace.root, tools), allowEverything))
    const reader = reading(executor.results())
    const speak = async () => {
      executor.addTool(use('a', 'Read'), message)
      await clock.sleep(5)
      executor.addTool(use('b', 'Fail'), message)
      executor.addTool(use('c', 'Missing'), message)
      executor.addTool(use('d', 'Read', { nonsense: 1 }), message)
      executor.addTool(use('e', 'Edit'), message)
      executor.end()
      await reader.done
    }
    await clock.runUntil(speak())
    expect(reader.ids().filter((id) => id.startsWith('~'))).toEqual(['~a', '~b', '~e'])
    const results = reader.read.filter((update) => update.type === 'result')
    expect(results.map(({ block }) => block.tool_use_id)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(results.map(({ block }) => block.is_error === true)).toEqual([false, true, true, true, false])
    expect(clock.now()).toBe(25)
  })

  it('answers a call whose tool ignores its abort, through the real pipeline', async ({ workspace }) => {
    const clock = new VirtualClock() // its time stands still
    const tools = [slowTool('Read', 10, clock), slowTool('Edit', 10, clock)]
    const executor = new StreamingToolExecutor(bindPipeline(pipelineContext(workspace.root, tools), allowEverything))
    const reader = reading(executor.results())
    for (const [id, name] of [
      ['a', 'Read'],
      ['b', 'Edit'],
    ])
      executor.addTool(use(id, name), message)
    await new Promise(setImmediate)
    executor.discard()
    executor.end()
    await soon(reader.done)
    expect(reader.ids().filter((id) => !id.startsWith('~'))).toEqual(['a', 'b'])
  })
})
