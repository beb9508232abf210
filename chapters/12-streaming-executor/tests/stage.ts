import type Anthropic from '@anthropic-ai/sdk'
import { expect } from '#support/test.ts'
import type { ExecutorEvent, ExecutorOptions, QueuedCall, ResultUpdate, RunTool, ToolUpdate } from '../given/types.ts'

export const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [] } as unknown as Anthropic.Message

/** A call of the model. On the stage, Read and Sleep are safe, Sleep and Fetch are cancelled by an interrupt. */
export function use(id: string, name = 'Read', input: unknown = {}): Anthropic.ToolUseBlock {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } }
}

export function entry(block: Anthropic.ToolUseBlock, place = 0, isSafe = true): QueuedCall {
  return { place, block, message, isSafe, state: 'running' }
}

export function result(id: string, content = `${id} is done`): ResultUpdate {
  const block = { type: 'tool_result' as const, tool_use_id: id, content }
  return { type: 'result', toolUseID: id, block, end: { type: 'returned', data: content } }
}

export function progress(id: string, text = 'working'): Extract<ToolUpdate, { type: 'progress' }> {
  return { type: 'progress', toolUseID: id, data: { type: 'text', text } }
}

/** A call that runs, in the hands of the test. */
export interface HeldRun {
  readonly block: Anthropic.ToolUseBlock
  readonly message: Anthropic.Message
  readonly signal: AbortSignal
  readonly isOver: boolean
  give(...updates: unknown[]): void
  /** Gives the result, and ends. */
  finish(content?: string): void
  throw(error: unknown): void
  end(): void
}

/** A `run` whose calls do what the test says, when it says so. None heeds its signal. */
export function createStage(): { run: RunTool; runs: HeldRun[]; of(id: string): HeldRun; started(): string[] } {
  const runs: HeldRun[] = []
  return {
    runs,
    of: (id) => runs.find(({ block }) => block.id === id) ?? expect.fail(`the call ${id} should have been started`),
    started: () => runs.map(({ block }) => block.id),
    async *run(block, answer, signal) {
      const steps: Array<() => { yields: unknown } | 'end'> = []
      let wake = () => {}
      let isOver = false
      const add = (step: () => { yields: unknown } | 'end') => {
        steps.push(step)
        wake()
      }
      runs.push({
        block,
        message: answer,
        signal,
        get isOver() {
          return isOver
        },
        give: (...updates) => updates.forEach((update) => void add(() => ({ yields: update }))),
        finish(content) {
          add(() => ({ yields: result(block.id, content) }))
          add(() => 'end')
        },
        throw: (error) =>
          add(() => {
            throw error
          }),
        end: () => add(() => 'end'),
      })
      try {
        while (true) {
          const next = steps.shift()
          if (!next) {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
            continue
          }
          const step = next()
          if (step === 'end') return
          yield step.yields as ToolUpdate
        }
      } finally {
        isOver = true
      }
    },
  }
}

export type Stage = ReturnType<typeof createStage>

/** Options for an executor on this stage, with what it tells. */
export function staged(stage: Stage, more: Partial<ExecutorOptions> = {}) {
  const events: ExecutorEvent[] = []
  const options: ExecutorOptions = {
    run: stage.run,
    isSafe: ({ name }) => name === 'Read' || name === 'Sleep',
    interruptBehavior: ({ name }) => (name === 'Sleep' || name === 'Fetch' ? 'cancel' : 'block'),
    onEvent: (event) => void events.push(event),
    ...more,
  }
  /** Those that were answered, in the order in which it happened. */
  const answered = () => events.flatMap((event) => (event.type === 'answered' ? [event.call.block.id] : []))
  return { options, events, answered }
}

/** Lets everything happen that does not wait for the test. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise(setImmediate)
}

/** Waits until there is nothing left to happen. Fails when `work` is not done by then. */
export async function soon<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  for (let round = 0; round < 100 && !isDone; round++) await new Promise(setImmediate)
  return isDone ? work : expect.fail('still waiting for something that never comes')
}

/** Reads in the background. What was read so far is in the array, and `done` tells the end. */
export function reading(updates: AsyncIterable<ToolUpdate>): {
  read: ToolUpdate[]
  ids(): string[]
  done: Promise<void>
} {
  const read: ToolUpdate[] = []
  const done = (async () => {
    for await (const update of updates) read.push(update)
  })()
  done.catch(() => {})
  return { read, ids: () => read.map(idOf), done }
}

/** The id of a result, and the id with a `~` before it for progress. */
export function idOf(update: ToolUpdate): string {
  return update.type === 'result' ? update.block.tool_use_id : `~${update.toolUseID}`
}
