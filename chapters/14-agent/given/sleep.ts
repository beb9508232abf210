import { setTimeout as delay } from 'node:timers/promises'

/** Resolves after `ms` milliseconds, or as soon as the signal is aborted. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
}
