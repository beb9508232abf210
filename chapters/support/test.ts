import { inspect } from 'node:util'
import { test as base, expect } from 'vitest'
import { createWorkspace, type Workspace } from './workspace.ts'

export { describe, expect } from 'vitest'

/** Vitest's `it`, with a temporary project for each test that asks for `{ workspace }`. */
export const it = base.extend<{ workspace: Workspace }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures it needs from this pattern
  workspace: async ({}, use) => {
    const workspace = await createWorkspace()
    await use(workspace)
    await workspace.remove()
  },
})

/**
 * Runs `action` and returns the message of the Error that it throws or rejects with.
 * Fails the test when nothing is thrown, and lets an unwritten task's TODO through, so that a blank is never a refusal.
 */
export async function errorOf(action: () => unknown): Promise<string> {
  let value: unknown
  try {
    value = await action()
  } catch (error) {
    if (!(error instanceof Error)) return expect.fail(`expected an Error to be thrown, got ${inspect(error)}`)
    if (error.message.startsWith('TODO(task')) throw error
    return error.message
  }
  return expect.fail(`expected an Error to be thrown, but the call returned ${inspect(value)}`)
}
