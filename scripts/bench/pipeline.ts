import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { z } from 'zod'
import { buildTool } from '#05-build-tool/tool.ts'
import { runToolUse } from '#11-pipeline/run-tool-use.ts'
import { createContext } from '#support/context.ts'
import { allowEverything, noMessage } from '#support/run-tool.ts'

/**
 * What the pipeline of chapter 11 costs per call: `node --import tsx scripts/bench/pipeline.ts`. It needs the network.
 * 1,000 calls in one turn of a tool that looks something up in memory, without hooks, against a bare safeParse and call,
 * the Anthropic SDK's toolRunner, and the AI SDK's generateText, each of these with a canned model. The AI SDK is
 * installed in a temporary folder. Each runs in processes of its own, in turn: the AI SDK, once it is loaded, makes every
 * promise of its process cost twice as much. Prints medians and their ratios: of a process's first turns, as an agent
 * sees them, who makes a few thousand calls in its life, and of later ones, when V8 has optimized whatever it can.
 */
const CALLS = 1_000
const PROCESSES = 5
const YOUNG_TURNS = 10
const TURNS = 110

const inputSchema = z.strictObject({
  city: z.string(),
  day: z.number().int().min(1),
  units: z.enum(['C', 'F']).optional(),
})
const forecasts = new Map(Array.from({ length: 100 }, (_, n) => [`city ${n}`, n]))
async function lookUp({ city, day }: z.infer<typeof inputSchema>): Promise<string> {
  return `${city}, day ${day}: ${forecasts.get(city)} degrees`
}
const inputs = Array.from({ length: CALLS }, (_, n) => ({ city: `city ${n % 100}`, day: 1 + n }))

const tool = buildTool({
  name: 'Forecast',
  inputSchema,
  maxResultSizeChars: 10_000,
  prompt: async () => 'Tells the weather.',
  call: async (input) => ({ data: await lookUp(input) }),
})
const context = {
  ...createContext(tmpdir(), { options: { tools: [tool], isNonInteractiveSession: true } }),
  hooks: {},
  resultsDir: join(tmpdir(), 'never-made'),
}

async function bare(count: number): Promise<void> {
  const results: unknown[] = []
  for (const input of inputs.slice(0, count)) {
    const parsed = tool.inputSchema.safeParse(input)
    if (parsed.success) results.push(await tool.call(parsed.data, context, allowEverything, noMessage, () => {}))
  }
}

async function pipeline(count: number): Promise<void> {
  const results: unknown[] = []
  for (const [n, input] of inputs.slice(0, count).entries()) {
    const toolUse = {
      type: 'tool_use' as const,
      id: `toolu_${n}`,
      name: 'Forecast',
      input,
      caller: { type: 'direct' as const },
    }
    for await (const update of runToolUse(toolUse, noMessage, allowEverything, context)) {
      if (update.type === 'result') results.push(update.block)
    }
  }
}

/** A client whose server answers with all calls in the first turn, and with a text in the second. */
function cannedClient(count: number): Anthropic {
  const message = { id: 'msg', type: 'message', role: 'assistant', model: 'canned', stop_sequence: null }
  const usage = { input_tokens: 0, output_tokens: 0 }
  const content = inputs
    .slice(0, count)
    .map((input, n) => ({ type: 'tool_use', id: `toolu_${n}`, name: 'Forecast', input }))
  const turns = [
    { ...message, usage, stop_reason: 'tool_use', content },
    { ...message, usage, stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }] },
  ].map((turn) => JSON.stringify(turn))
  const fetch = async () =>
    new Response(turns.shift(), { status: 200, headers: { 'content-type': 'application/json' } })
  return new Anthropic({ apiKey: 'none', fetch, maxRetries: 0 })
}

async function toolRunner(count: number): Promise<void> {
  const sdkTool = betaZodTool({ name: 'Forecast', inputSchema, description: 'Tells the weather.', run: lookUp })
  await cannedClient(count).beta.messages.toolRunner({
    model: 'canned',
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'How will the weather be?' }],
    tools: [sdkTool],
  })
}

function installAiSdk(folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  execFileSync(npm, ['install', '--no-audit', '--no-fund', 'ai', 'zod@4'], { cwd: folder, stdio: 'ignore' })
}

/** The AI SDK's generateText on the same tool, from a folder where it has been installed. */
async function aiSdk(folder: string): Promise<(count: number) => Promise<void>> {
  const found = createRequire(join(folder, 'package.json'))
  const load = (name: string) => import(pathToFileURL(found.resolve(name)).href)
  const { generateText, tool: aiTool, stepCountIs } = await load('ai')
  const { z: own } = await load('zod')
  const schema = own.strictObject({
    city: own.string(),
    day: own.number().int().min(1),
    units: own.enum(['C', 'F']).optional(),
  })
  const usage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } }
  return async (count) => {
    const calls = inputs.slice(0, count).map((input, n) => {
      return { type: 'tool-call', toolCallId: `toolu_${n}`, toolName: 'Forecast', input: JSON.stringify(input) }
    })
    const turns = [
      { content: calls, finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
      { content: [{ type: 'text', text: 'Done.' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
    ]
    const model = {
      specificationVersion: 'v3',
      provider: 'canned',
      modelId: 'canned',
      supportedUrls: {},
      doGenerate: async () => turns.shift(),
    }
    const tools = { Forecast: aiTool({ description: 'Tells the weather.', inputSchema: schema, execute: lookUp }) }
    const { steps } = await generateText({ model, tools, prompt: 'How will the weather be?', stopWhen: stepCountIs(3) })
    if (steps[0].toolResults.length !== count)
      throw new Error(`The AI SDK gave ${steps[0].toolResults.length} results.`)
  }
}

const contestants = {
  bare: async () => bare,
  pipeline: async () => pipeline,
  toolRunner: async () => toolRunner,
  generateText: aiSdk,
}

const [contestant, place] = process.argv.slice(2)
if (contestant) {
  const run = await contestants[contestant as keyof typeof contestants](place)
  const times: number[] = []
  for (let turn = 0; turn < TURNS; turn++) times.push(((await timed(() => run(CALLS))) / CALLS) * 1000)
  console.log(JSON.stringify(times))
} else {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-bench-')))
  try {
    installAiSdk(folder)
    const young: Record<string, number[]> = {}
    const warm: Record<string, number[]> = {}
    for (let n = 0; n < PROCESSES; n++) {
      for (const name of Object.keys(contestants)) {
        const words = [...process.execArgv, fileURLToPath(import.meta.url), name, folder]
        const times: number[] = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }))
        young[name] = [...(young[name] ?? []), ...times.slice(0, YOUNG_TURNS)]
        warm[name] = [...(warm[name] ?? []), ...times.slice(YOUNG_TURNS)]
      }
    }
    compare(`The first ${YOUNG_TURNS} turns of a process`, young)
    compare('Later turns', warm)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compare(title: string, times: Record<string, number[]>): void {
  const [base, own, sdk, ai] = Object.keys(contestants).map((name) => median(times[name]))
  const partOf = (other: number) => `${(own / other).toFixed(2)} × that`
  console.log(`${title}, medians, ${CALLS} calls a turn:`)
  console.log(`  bare safeParse and call:      ${base.toFixed(2)} µs a call`)
  console.log(`  runToolUse:                   ${own.toFixed(2)} µs a call, ${(own / base).toFixed(1)} × bare`)
  console.log(`  Anthropic SDK's toolRunner:   ${sdk.toFixed(2)} µs a call; runToolUse is ${partOf(sdk)}`)
  console.log(`  AI SDK's generateText:        ${ai.toFixed(2)} µs a call; runToolUse is ${partOf(ai)}`)
}

async function timed(action: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
