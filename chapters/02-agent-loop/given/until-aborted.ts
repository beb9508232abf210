/**
 * Resolves or rejects as `work` does, or rejects with the signal's reason as soon as the signal is aborted.
 * `work` itself goes on then; what comes of it is ignored. Leaves no listener behind.
 */
export function untilAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', abort))
  })
}
