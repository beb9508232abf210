import { mkdir, writeFile } from 'node:fs/promises'
import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { type AnyTool, buildTool } from '#05-build-tool/tool.ts'
import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import { StreamingToolExecutor } from '#12-streaming-executor/executor.ts'
import { createContext } from '#support/context.ts'
import { allowEverything, noMessage, toolDispatch } from '#support/run-tool.ts'
import { scriptedModel } from '#support/scripted-model.ts'
import { createWorkspace } from '#support/workspace.ts'
import { pipelineDispatch } from '../11-pipeline/given/loop-dispatch.ts'
import { answersOf, bindPipeline } from './given/bind.ts'
import { executorSchedule } from './given/loop-schedule.ts'
import { type Bar, drawTimeline, Timeline } from './given/timeline.ts'
import { toTrace } from './given/trace-events.ts'
import { VirtualClock } from './given/virtual-clock.ts'

const workspace = await createWorkspace()
/** Time passes on this clock alone, so that the demo takes none and shows the same each time. */
let clock = new VirtualClock()
let file = ''

// #region calls
/** What the model asks for in one answer: the tool, how long it takes in milliseconds, and what it does. */
const calls = [
  { name: 'Read', input: { ms: 30 } },
  { name: 'Grep', input: { ms: 60 } },
  { name: 'Glob', input: { ms: 20 } },
  { name: 'Edit', input: { ms: 40, from: 'one', to: 'ONE' } },
  { name: 'Edit', input: { ms: 50, from: 'two', to: 'TWO' } },
  { name: 'Read', input: { ms: 30 } },
  { name: 'WebFetch', input: { ms: 90 } },
  { name: 'Grep', input: { ms: 60 } },
]
// #endregion

const names = [...new Set(calls.map(({ name }) => name))]
const tools: AnyTool[] = names.map((name) =>
  buildTool({
    name,
    inputSchema: z.strictObject({ ms: z.number(), from: z.string().optional(), to: z.string().optional() }),
    maxResultSizeChars: 1_000,
    isConcurrencySafe: () => name !== 'Edit',
    prompt: async () => name,
    async call({ ms, from = '', to = '' }) {
      const text = file
      await clock.sleep(ms)
      if (name === 'WebFetch') throw new Error('503, the server is busy')
      if (name === 'Edit') file = text.replace(from, to)
      return { data: name === 'Edit' ? `Replaced ${from} by ${to}.` : `${name} is done.` }
    },
  }),
)
const blocks = calls.map(
  (call, i): Anthropic.ToolUseBlock => ({ type: 'tool_use', id: `t${i + 1}`, ...call, caller: { type: 'direct' } }),
)
const context: PipelineContext = {
  ...createContext(workspace.root, { options: { tools, isNonInteractiveSession: true } }),
  hooks: {},
  resultsDir: workspace.path('results'),
}

try {
  if (process.argv[2] === 'before') await showPromiseAll()
  else await showExecutor()
} finally {
  await workspace.remove()
}

/** Everything at once, as the first thing that comes to mind. */
async function showPromiseAll(): Promise<void> {
  reset()
  const bars: Bar[] = []
  const run = async ({ name, id, input }: Anthropic.ToolUseBlock): Promise<string> => {
    const bar: Bar = { name, id, isSafe: name !== 'Edit', queued: clock.now(), started: clock.now() }
    bars.push(bar)
    const tool = tools.find((candidate) => candidate.name === name)!
    try {
      const { data } = await tool.call(input, context, allowEverything, noMessage, () => {})
      if (name === 'Edit') console.log(`${id} at ${clock.now()} ms: ${data}`)
      return data
    } catch (error) {
      bar.isError = true
      throw error
    } finally {
      bar.answered = clock.now()
    }
  }
  const all = async () => {
    // #region naive
    const results = await Promise.all(blocks.map(run))
    // #endregion
    return results.length
  }
  const outcome = await clock.runUntil(all().catch((error: Error) => error.message))
  console.log(`results for ${blocks.length} calls: ${typeof outcome === 'number' ? outcome : `none. ${outcome}`}`)
  console.log(`the file, which was "one two": "${file}"\n`)
  console.log(drawTimeline(bars, { scale: 5 }))
}

async function showExecutor(): Promise<void> {
  const oneByOne = await perform('one by one, once the model has said all', { maxParallel: 1, speakFor: 80 })
  const together = await perform('by the executor, while the model speaks', { speakFor: 0 })

  const folder = new URL('../../.workshop/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(
    new URL('timeline.json', folder),
    JSON.stringify(toTrace({ 'one by one': oneByOne, executor: together })),
  )
  console.log('The same as a trace: open .workshop/timeline.json in https://ui.perfetto.dev\n')
  await showLoop()
}

/** Runs the calls and draws them. The model takes 10 ms to say a call, and `speakFor` passes before the first is added. */
async function perform(title: string, options: { maxParallel?: number; speakFor: number }): Promise<readonly Bar[]> {
  reset()
  const { maxParallel, speakFor } = options
  const timeline = new Timeline(clock.now)
  const results: string[] = []
  // #region stream
  const executor = new StreamingToolExecutor({
    ...bindPipeline(context, allowEverything),
    maxParallel,
    onEvent: timeline.record,
  })
  const speak = async () => {
    await clock.sleep(speakFor)
    for (const block of blocks) {
      executor.addTool(block, noMessage)
      if (speakFor === 0) await clock.sleep(10)
    }
    executor.end()
  }
  const listen = async () => {
    for await (const update of executor.results()) {
      if (update.type === 'result') results.push(update.block.tool_use_id)
    }
  }
  await clock.runUntil(Promise.all([speak(), listen()]))
  // #endregion
  console.log(`${title}: ${clock.now()} ms, results ${results.join(' ')}, the file is "${file}"`)
  console.log(`${drawTimeline(timeline.bars, { scale: 6 })}\n`)
  return timeline.bars
}

/** Chapter 02's loop twice: as it was, and on the pipeline and the executor. */
async function showLoop(): Promise<void> {
  const loop = (more: Pick<Parameters<typeof agentLoop>[0], 'dispatch' | 'schedule'>) => {
    reset()
    const model = scriptedModel([{ calls }, { text: 'Done.' }])
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Tidy up.' }]
    const apiTools = names.map((name): Anthropic.Tool => ({ name, input_schema: { type: 'object' } }))
    return clock.runUntil(agentLoop({ model, tools: apiTools, messages, maxTurns: 3, ...more }))
  }
  const before = await loop({ dispatch: toolDispatch(tools, context) })
  console.log(`chapter 02's loop, as it was:              ${clock.now()} ms, ${before.outcome.type}`)
  const after = await loop(
    // #region industrial
    {
      dispatch: pipelineDispatch(context, { canUseTool: allowEverything }),
      schedule: executorSchedule(answersOf(tools)),
    },
    // #endregion
  )
  console.log(`the same loop, on pipeline and executor:   ${clock.now()} ms, ${after.outcome.type}`)
  const [ids, sameIds] = [before, after].map(({ messages }) =>
    JSON.stringify(messages)
      .match(/"toolu_\d+"/g)
      ?.join(),
  )
  console.log(`the same calls and results, in the same order: ${ids === sameIds}`)
}

function reset(): void {
  clock = new VirtualClock()
  file = 'one two'
}
