import type Anthropic from '@anthropic-ai/sdk'
import { StreamingToolExecutor } from '#12-streaming-executor/executor.ts'
import type { Schedule } from '../../02-agent-loop/given/types.ts'
import type { ExecutorOptions } from './types.ts'

/**
 * The executor in the place of chapter 02's schedule: the loop hands it the calls of one answer, and it runs each when
 * it may. How one is run is the loop's own `run`, which hands it to `dispatch` and answers it when the loop is aborted.
 */
export function executorSchedule(options: Omit<ExecutorOptions, 'run'>): Schedule {
  return async (calls, run) => {
    const callOf = new Map(calls.map((call) => [call.id, call]))
    const executor = new StreamingToolExecutor({
      ...options,
      async *run({ id }) {
        const block = await run(callOf.get(id)!)
        yield { type: 'result', toolUseID: id, block, end: { type: 'returned', data: undefined } }
      },
    })
    const blocks = calls.map(
      ({ id, name, input }): Anthropic.ToolUseBlock => ({
        type: 'tool_use',
        id,
        name,
        input,
        caller: { type: 'direct' },
      }),
    )
    // The loop does not say in which answer the calls stood: one with nothing else in it stands in for it.
    const message = { type: 'message', role: 'assistant', content: blocks } as unknown as Anthropic.Message
    for (const block of blocks) executor.addTool(block, message)
    executor.end()
    for await (const _ of executor.results());
  }
}
