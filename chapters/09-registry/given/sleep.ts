import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { lazySchema, semanticNumber } from '#03-contract/contract.ts'
import { buildTool } from '#05-build-tool/tool.ts'

const MAX_SLEEP_MS = 3_600_000

const sleepInput = lazySchema(() =>
  z.strictObject({
    duration_ms: semanticNumber(
      z.number().int().min(0).max(MAX_SLEEP_MS).describe(`How long to wait, in milliseconds, at most ${MAX_SLEEP_MS}.`),
    ),
  }),
)

/** `Sleep {duration_ms}`: waits without a shell to hold, and wakes at once when the call is aborted. */
export const SleepTool = buildTool({
  name: 'Sleep',
  searchHint: 'wait for a while, pause, delay',
  get inputSchema() {
    return sleepInput()
  },
  maxResultSizeChars: 1_000,
  prompt: async () => 'Waits. Prefer it to `sleep` in Bash: it holds no process, and a new message ends it.',
  description: async ({ duration_ms }) => `Wait ${duration_ms ?? '…'} ms`,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  interruptBehavior: () => 'cancel',
  toAutoClassifierInput: () => '',
  async call({ duration_ms }, { abortController: { signal } }) {
    await setTimeout(duration_ms, undefined, { signal }).catch((error) => {
      signal.throwIfAborted()
      throw error
    })
    return { data: `Waited ${duration_ms} ms.` }
  },
})
