import type Anthropic from '@anthropic-ai/sdk'
import { StreamingToolExecutor } from '#12-streaming-executor/executor.ts'
import { noMessage } from '#support/run-tool.ts'
import type { ResultUpdate } from '../../chapters/12-streaming-executor/given/types.ts'
import { VirtualClock } from '../../chapters/12-streaming-executor/given/virtual-clock.ts'

/**
 * What the executor costs: `node --expose-gc --import tsx scripts/bench/executor.ts`.
 * Prints the time per call at 1,000, 10,000 and 100,000 queued calls (medians, taken in turn), the memory that they
 * take, and the makespan of random schedules against the best that the law allows.
 */
const SIZES = [1_000, 10_000, 100_000]
const ROUNDS = 7
const SCHEDULES = 300

await timeOf(20_000) // warm up
const times = new Map<number, number[]>(SIZES.map((size) => [size, []]))
for (let round = 0; round < ROUNDS; round++) {
  for (const size of SIZES) {
    // The small sizes are repeated until they have run as many calls as the big one, with as much to collect.
    let total = 0
    for (let done = 0; done < SIZES.at(-1)!; done += size) total += await timeOf(size)
    times.get(size)!.push(total / SIZES.at(-1)!)
  }
}
const base = median(times.get(SIZES[0])!)
for (const size of SIZES) {
  const each = median(times.get(size)!)
  print(`${size} queued calls`, `${(each * 1000).toFixed(2)} µs a call, ${(each / base).toFixed(2)} ×`)
}
for (const size of SIZES.slice(1)) print(`memory of ${size} queued calls`, memoryOf(size))

let worst = 0
let sum = 0
for (let seed = 1; seed <= SCHEDULES; seed++) {
  const { taken, best } = await makespan(seed)
  worst = Math.max(worst, taken / best)
  sum += taken / best
}
print(
  `makespan of ${SCHEDULES} random schedules`,
  `${(sum / SCHEDULES).toFixed(4)} × the best on average, ${worst.toFixed(4)} × at worst`,
)

/** Milliseconds from the first call that is added to the last result that is read. One call in ten is unsafe. */
async function timeOf(size: number): Promise<number> {
  const blocks = Array.from({ length: size }, (_, i) => blockOf(i))
  const started = performance.now()
  const executor = new StreamingToolExecutor({
    async *run({ id }) {
      yield resultOf(id)
    },
    isSafe: ({ input }) => (input as { place: number }).place % 10 !== 0,
    interruptBehavior: () => 'block',
  })
  for (const block of blocks) executor.addTool(block, noMessage)
  executor.end()
  let count = 0
  for await (const _ of executor.results()) count++
  if (count !== size) throw new Error(`Expected ${size} results, got ${count}.`)
  return performance.now() - started
}

/** What calls take that wait behind one that hangs. */
function memoryOf(size: number): string {
  if (!globalThis.gc) return 'run node with --expose-gc to see it'
  const blocks = Array.from({ length: size }, (_, i) => blockOf(i))
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  const executor = new StreamingToolExecutor({
    run: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    isSafe: () => false,
    interruptBehavior: () => 'block',
  })
  for (const block of blocks) executor.addTool(block, noMessage)
  globalThis.gc()
  const bytes = process.memoryUsage().heapUsed - before
  executor.end()
  return `${(bytes / size).toFixed(0)} bytes a call (${blocks.length} blocks not counted)`
}

/**
 * How long random calls take on a virtual clock, and the best that the law allows: calls come at random times, each
 * starts in call order, as soon as all before it that it may not overlap are over and there is room.
 */
async function makespan(seed: number): Promise<{ taken: number; best: number }> {
  const random = randomOf(seed)
  const maxParallel = 1 + Math.floor(random() * 10)
  let at = 0
  const calls = Array.from({ length: 1 + Math.floor(random() * 60) }, () => {
    at += Math.floor(random() * 20)
    return { at, isSafe: random() < 0.7, ms: 1 + Math.floor(random() * 100) }
  })

  const clock = new VirtualClock()
  const executor = new StreamingToolExecutor({
    async *run({ id, input }) {
      await clock.sleep(calls[(input as { place: number }).place].ms)
      yield resultOf(id)
    },
    isSafe: ({ input }) => calls[(input as { place: number }).place].isSafe,
    interruptBehavior: () => 'block',
    maxParallel,
  })
  const speak = async () => {
    for (const [i, call] of calls.entries()) {
      if (call.at > clock.now()) await clock.sleep(call.at - clock.now())
      executor.addTool(blockOf(i), noMessage)
    }
    executor.end()
    for await (const _ of executor.results());
  }
  await clock.runUntil(speak())

  const ends: Array<{ isSafe: boolean; end: number }> = []
  let lastStart = 0
  for (const { at, isSafe, ms } of calls) {
    const apart = ends.filter((earlier) => !isSafe || !earlier.isSafe).map(({ end }) => end)
    const full = ends.map(({ end }) => end).toSorted((a, b) => b - a)[maxParallel - 1] ?? 0
    const start = Math.max(at, lastStart, full, ...apart)
    lastStart = start
    ends.push({ isSafe, end: start + ms })
  }
  return { taken: clock.now(), best: Math.max(...ends.map(({ end }) => end)) }
}

function blockOf(place: number): Anthropic.ToolUseBlock {
  return { type: 'tool_use', id: `toolu_${place}`, name: 'Read', input: { place }, caller: { type: 'direct' } }
}

function resultOf(id: string): ResultUpdate {
  const block = { type: 'tool_result' as const, tool_use_id: id, content: 'ok' }
  return { type: 'result', toolUseID: id, block, end: { type: 'returned', data: 'ok' } }
}

/** The same numbers for the same seed: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(40)} ${value}`)
}
