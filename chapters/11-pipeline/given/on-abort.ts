import { getEventListeners } from 'node:events'

/** What is to be called, by signal. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `callback` when the signal is aborted; not when it already is. Returns a function that takes it back.
 *
 * One listener on a signal serves all: Node warns of a leak from the eleventh on. It stays there: to add and remove it
 * for each call would cost as much as half of the call.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let all = callbacks.get(signal)
  if (!all) {
    all = new Set()
    callbacks.set(signal, all)
    signal.addEventListener('abort', callAll, { once: true })
  }
  all.add(callback)
  return () => void all.delete(callback)
}

/** How many wait for the signal to be aborted: by `onAbort`, or with listeners of their own. */
export function countWaiting(signal: AbortSignal): number {
  const others = getEventListeners(signal, 'abort').filter((listener) => listener !== callAll)
  return others.length + (callbacks.get(signal)?.size ?? 0)
}

/** A controller that is aborted as soon as one of the signals is, with its reason, until it is closed. */
export function abortedBy(...signals: Array<AbortSignal | undefined>): {
  abortController: AbortController
  close(): void
} {
  const abortController = new AbortController()
  const closers = signals.flatMap((signal) => {
    if (signal?.aborted) abortController.abort(signal.reason)
    return signal ? [onAbort(signal, () => abortController.abort(signal.reason))] : []
  })
  return {
    abortController,
    close() {
      for (const close of closers) close()
    },
  }
}

function callAll(this: AbortSignal): void {
  for (const callback of [...(callbacks.get(this) ?? [])]) callback()
}
