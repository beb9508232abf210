import Anthropic from '@anthropic-ai/sdk'
import { runAgent } from '#14-agent/agent.ts'
import { startSession } from '../../chapters/14-agent/given/session.ts'
import type { AgentEvent } from '../../chapters/14-agent/given/types.ts'
import { startMessagesServer } from '../../chapters/support/messages-server.ts'
import { copySample } from '../../chapters/support/sample.ts'
import { findScenario } from '../../chapters/support/scenario.ts'

/**
 * What the agent costs and gains: `node --import tsx scripts/bench/agent.ts`.
 *
 * Plays the scenario `parallel` in turn in three ways: as it is; with the calls made after the message has ended; and
 * with these one by one. Prints the medians and their ratio to the first, and the agent's own share of a run: the time
 * in which neither the model spoke nor a tool ran.
 */
const ROUNDS = 5

type Way = 'while the model speaks' | 'after the message' | 'after the message, one by one'
const WAYS: Way[] = ['while the model speaks', 'after the message', 'after the message, one by one']

/** Adds up the time in which the model or at least one tool is at work. */
class Busy {
  ms = 0
  #count = 0
  #since = 0

  readonly begin = (): void => {
    if (this.#count++ === 0) this.#since = performance.now()
  }

  readonly end = (): void => {
    if (--this.#count === 0) this.ms += performance.now() - this.#since
  }

  hear(event: AgentEvent): void {
    if (event.type === 'started') this.begin()
    if (event.type === 'answered') this.end()
  }
}

await perform(WAYS[0]) // warm up
const times = new Map<Way, number[]>(WAYS.map((way) => [way, []]))
const shares: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  for (const way of WAYS) {
    const { total, own } = await perform(way)
    times.get(way)!.push(total)
    if (way === WAYS[0]) shares.push(own / total)
  }
}
const base = median(times.get(WAYS[0])!)
for (const way of WAYS) {
  const total = median(times.get(way)!)
  print(`calls ${way}`, `${total.toFixed(0)} ms, ${(total / base).toFixed(2)} ×`)
}
print("the agent's own share of a run", `${(100 * median(shares)).toFixed(2)} %`)

/** One run. `own` is the time in which the client waited for nobody. */
async function perform(way: Way): Promise<{ total: number; own: number }> {
  const scenario = findScenario('parallel')
  const { cwd, remove } = await copySample(scenario)
  const server = await startMessagesServer(scenario, { cwd })
  const client = new Anthropic({ apiKey: 'offline', baseURL: server.url })
  const { features } = scenario
  const options = { client, maxTokens: 1_000, cwd, mode: 'default' as const, rules: [], features, warn: console.error }
  const session = await startSession(options)
  const busy = new Busy()
  try {
    const started = performance.now()
    const run = runAgent({
      ...options,
      client: way === 'while the model speaks' ? watched(client, busy) : atOnce(client),
      model: 'scripted-large',
      system: 'You are a coding agent.',
      messages: [{ role: 'user', content: scenario.task }],
      context: session.contextFor(new AbortController()),
      canUseTool: session.canUseTool,
      maxParallel: way === 'after the message, one by one' ? 1 : undefined,
    })
    for (let next = await run.next(); ; next = await run.next()) {
      if (!next.done) busy.hear(next.value)
      else if (next.value.outcome.type === 'finished') break
      else throw new Error(`The run ended as ${next.value.outcome.type}.`)
    }
    const total = performance.now() - started
    return { total, own: total - busy.ms }
  } finally {
    await session.close()
    await server.close()
    await remove()
  }
}

/** The client, with the time told in which we wait for the next event of the model. */
function watched(client: Anthropic, { begin, end }: Busy): Pick<Anthropic, 'messages'> {
  async function* wait<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
    const events = stream[Symbol.asyncIterator]()
    while (true) {
      begin()
      const { done, value } = await events.next().finally(end)
      if (done) return
      yield value
    }
  }
  return replaceCreate(client, async (...request) => {
    begin()
    return wait(await client.messages.create(...request).finally(end))
  })
}

/** The client of an agent that waits for the whole answer: the events come when the last one is there. */
function atOnce(client: Anthropic): Pick<Anthropic, 'messages'> {
  return replaceCreate(client, async (...request) => {
    const events: Anthropic.RawMessageStreamEvent[] = []
    for await (const event of await client.messages.create(...request)) events.push(event)
    return toStream(events)
  })
}

type Create = (
  body: Anthropic.MessageCreateParamsStreaming,
  options?: Anthropic.RequestOptions,
) => Promise<AsyncIterable<Anthropic.RawMessageStreamEvent>>

function replaceCreate(client: Anthropic, create: Create): Pick<Anthropic, 'messages'> {
  const messages = new Proxy(client.messages, {
    get: (target, key) => (key === 'create' ? create : Reflect.get(target, key)),
  })
  return { messages }
}

async function* toStream<T>(items: T[]): AsyncGenerator<T> {
  yield* items
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(46)} ${value}`)
}
