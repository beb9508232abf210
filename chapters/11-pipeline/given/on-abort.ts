/** What is to be called, by signal. One listener on a signal serves all: Node warns of a leak from the eleventh on. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `callback` when the signal is aborted; not when it already is. Returns a function that takes it back. With the
 * last one, the listener on the signal is gone.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const known = callbacks.get(signal)
  const all = known ?? new Set()
  if (!known) {
    callbacks.set(signal, all)
    signal.addEventListener('abort', callAll)
  }
  all.add(callback)
  return () => {
    all.delete(callback)
    if (all.size > 0 || callbacks.get(signal) !== all) return
    callbacks.delete(signal)
    signal.removeEventListener('abort', callAll)
  }
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
