import fc from 'fast-check'
import { StreamingToolExecutor } from '#12-streaming-executor/executor.ts'
import type { ToolUpdate } from '../given/types.ts'
import { createStage, message, progress, reading, result, soon, staged, use } from './stage.ts'

/** One step of a random schedule. `nth` picks one of the runs that are not over, also of those that were answered. */
export type Step =
  | { do: 'add'; name: 'Read' | 'Edit' | 'Sleep' | 'Fetch'; id: string; predicate: 'fine' | 'throws' }
  | {
      do: 'move'
      nth: number
      how: 'finish' | 'throw' | 'end silently' | 'two results' | 'hang after result' | 'progress'
    }
  | { do: 'interrupt' }
  | { do: 'discard' }

export interface Schedule {
  steps: Step[]
  maxParallel: number
  /** How it is brought to its end: every run finishes, or what is left is discarded. */
  ending: 'finish' | 'discard'
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      name: fc.constantFrom('Read', 'Read', 'Sleep', 'Edit', 'Fetch'),
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), // so that ids repeat
      predicate: fc.constantFrom('fine', 'fine', 'fine', 'throws'),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      nth: fc.nat(9),
      how: fc.constantFrom('finish', 'finish', 'throw', 'end silently', 'two results', 'hang after result', 'progress'),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'interrupt' as const }, { do: 'discard' as const }) },
)

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }),
  maxParallel: fc.constantFrom(1, 2, 3, 10),
  ending: fc.constantFrom('finish', 'discard'),
})

/** What a schedule showed. Calls are told by their place. */
export interface History {
  /** The id of each call that was added. */
  ids: string[]
  /** What each call's run gave first, before anything stopped it: its content, or undefined where it failed. */
  given: Map<number, string | undefined>
  /** The results that were read, and whether the reading came to an end by itself. */
  results: Extract<ToolUpdate, { type: 'result' }>[]
  cameToItsEnd: boolean
  /** How the laws were broken, each in words. */
  overlaps: string[]
  overtakings: string[]
  idleness: string[]
  startsAfterStop: string[]
  unaborted: string[]
}

/** Plays a schedule on an executor, with promises that it holds, and writes down which laws were broken. */
export async function play({ steps, maxParallel, ending }: Schedule): Promise<History> {
  const stage = createStage()
  const added: Array<{ id: string; isSafe: boolean; isStarted: boolean; isOver: boolean; predicate: string }> = []
  const history: History = {
    ids: [],
    given: new Map(),
    results: [],
    cameToItsEnd: false,
    overlaps: [],
    overtakings: [],
    idleness: [],
    startsAfterStop: [],
    unaborted: [],
  }
  let stopped: 'interrupt' | 'discard' | undefined
  const placeOf = (block: { input: unknown }) => (block.input as { place: number }).place
  const running = () => added.filter(({ isStarted, isOver }) => isStarted && !isOver)

  const { options } = staged(stage, {
    maxParallel,
    isSafe(block) {
      if (added[placeOf(block)].predicate === 'throws') throw new Error('what input is this?')
      return block.name === 'Read' || block.name === 'Sleep'
    },
    run(block, answer, signal) {
      const place = placeOf(block)
      const call = added[place]
      const others = running()
      if (stopped) history.startsAfterStop.push(`call ${place} started after the ${stopped}`)
      if (others.some(({ isSafe }) => !isSafe) || (!call.isSafe && others.length > 0)) {
        history.overlaps.push(`call ${place} started beside another, and one of them is unsafe`)
      }
      if (others.length >= maxParallel) history.overlaps.push(`call ${place} was one more than ${maxParallel}`)
      const earlier = added.slice(0, place).findIndex(({ isSafe, isStarted }) => !isSafe && !isStarted)
      if (earlier >= 0) history.overtakings.push(`call ${place} started before the unsafe call ${earlier}`)
      call.isStarted = true
      return stage.run(block, answer, signal)
    },
  })
  const executor = new StreamingToolExecutor(options)
  const reader = reading(executor.results())

  const act = (next: Step) => {
    if (next.do === 'interrupt' || next.do === 'discard') {
      stopped = stopped === 'discard' ? stopped : next.do
      executor[next.do]()
      if (next.do === 'interrupt') return
      const left = stage.runs.filter(({ block, signal }) => !history.given.has(placeOf(block)) && !signal.aborted)
      history.unaborted.push(...left.map(({ block }) => `call ${placeOf(block)} was not aborted`))
      return
    }
    if (next.do === 'add') {
      const isSafe = (next.name === 'Read' || next.name === 'Sleep') && next.predicate === 'fine'
      const place = history.ids.push(next.id) - 1
      added.push({ id: next.id, isSafe, isStarted: false, isOver: false, predicate: next.predicate })
      executor.addTool(use(next.id, next.name, { place }), message)
      return
    }
    const open = stage.runs.filter(({ isOver }) => !isOver)
    if (open.length === 0) return
    const run = open[next.nth % open.length]
    const place = placeOf(run.block)
    if (next.how === 'progress') return run.give(progress(run.block.id))
    if (!history.given.has(place) && !run.signal.aborted) {
      const fails = next.how === 'throw' || next.how === 'end silently'
      history.given.set(place, fails ? undefined : `result of call ${place}`)
    }
    added[place].isOver = true
    if (next.how === 'throw') return run.throw(new Error('it broke'))
    if (next.how === 'end silently') return run.end()
    if (next.how === 'two results') run.give(result(run.block.id, `result of call ${place}`), result('other'))
    else run.give(result(run.block.id, `result of call ${place}`))
    if (next.how !== 'hang after result') run.end()
  }

  const look = async () => {
    for (let round = 0; round < 2; round++) await new Promise(setImmediate)
    if (stopped) return
    const others = running()
    const next = added.find(({ isStarted }) => !isStarted)
    if (!next) return
    const mayJoin = next.isSafe && others.every(({ isSafe }) => isSafe) && others.length < maxParallel
    if (others.length === 0 || mayJoin) history.idleness.push(`call ${added.indexOf(next)} waits for nothing`)
  }

  for (const next of steps) {
    act(next)
    await look()
  }
  if (ending === 'discard') act({ do: 'discard' })
  executor.end()
  for (let round = 0; round < 40 && stage.runs.some(({ isOver }) => !isOver); round++) {
    act({ do: 'move', nth: 0, how: 'finish' })
    await look()
  }
  history.cameToItsEnd = await soon(reader.done).then(
    () => true,
    () => false,
  )
  history.results = reader.read.filter((update) => update.type === 'result')
  return history
}
