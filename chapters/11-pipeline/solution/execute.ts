import type { ToolProgress } from '#05-build-tool/tool.ts'
import { type Call, end, enter, onInterrupt, stoppedBy } from '../given/call.ts'
import type { Authorized, ResultUpdate, Returned, ToolUpdate } from '../given/types.ts'
import { resultOf } from './finalize.ts'

/** Takes what a tool says on its way. */
export type Say = (progress: ToolProgress) => void

/**
 * Stage `call`: runs the tool and gives its data. Rejects with what the tool throws.
 *
 * - The tool gets the authorized input, the context, `canUseTool`, the message, and a function that hands on to `say`,
 *   until the tool has ended: what it says later is dropped.
 * - Where it gives no `{ data }`, this rejects with an Error that says what came.
 */
export async function execute(call: Call, { tool, input }: Authorized, say: Say): Promise<Returned> {
  enter(call, 'call')
  // #region task 3: Call the tool, hand on what it says until it ends, and take the data out of its result.
  let isRunning = true
  try {
    const result: unknown = await tool.call(input, call.context, call.canUseTool, call.message, (progress) => {
      if (isRunning) say(progress)
    })
    if (typeof result === 'object' && result !== null && 'data' in result)
      return { type: 'returned', data: result.data }
    throw new Error(`The tool gave no result: expected { data }, got ${result === null ? 'null' : typeof result}.`)
  } finally {
    isRunning = false
  }
  // #endregion
}

/**
 * Runs `work` and yields its updates: progress, in order and at once, while it goes on, and then its one result. Never
 * throws. `work` is begun when the first update is asked for; `onInterrupt` listens by then.
 *
 * - What was said before the result comes before it, and what is said after it is dropped.
 * - Where `work` throws or rejects, the result is `resultOf` what `stoppedBy` makes of the error.
 * - When the call is aborted (`onInterrupt`), the result is `resultOf` an `interrupted` in the call's stage: it doesn't
 *   wait for `work`. What comes of that later is ignored, a rejection too.
 * - The first result counts. With it the call is over (`end`, with the type of the result's `end`), however it came.
 * - As soon as it is over, also when nobody has fetched the result yet, or when the consumer wants no more, the listener
 *   of `onInterrupt` is taken away.
 */
export async function* follow(
  call: Call,
  work: (say: Say) => Promise<ResultUpdate>,
): AsyncGenerator<ToolUpdate, void, void> {
  // #region task 3: Wait for whichever has something new, what is said or the result, and give the result last.
  const said: ToolProgress[] = []
  const state = {
    result: undefined as ResultUpdate | undefined,
    wake: undefined as (() => void) | undefined,
    settle(result: ResultUpdate) {
      state.result ??= result
      end(call, state.result.end.type)
      stopListening()
      state.wake?.()
    },
  }
  const stopListening = onInterrupt(call, () => {
    state.settle(resultOf(call, { type: 'interrupted', stage: call.stage }))
  })
  try {
    begin(work, (progress) => {
      if (!state.result) said.push(progress)
      state.wake?.()
    }).then(state.settle, (error) => state.settle(resultOf(call, stoppedBy(call, error))))
    while (!state.result || said.length > 0) {
      if (said.length === 0) {
        await new Promise<void>((resolve) => {
          state.wake = resolve
        })
      }
      for (const data of said.splice(0)) yield { type: 'progress', toolUseID: call.toolUse.id, data }
    }
  } finally {
    stopListening()
  }
  yield state.result
  // #endregion
}

/** Begins the work. What it throws at once is a rejection, too. */
async function begin(work: (say: Say) => Promise<ResultUpdate>, say: Say): Promise<ResultUpdate> {
  return work(say)
}
