/** Node fires a longer timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** What a piece of work is given: a signal that says when it must stop, and who stopped it. */
export interface TimeLimit {
  /** Aborted when the time is up, and when `parent` is, with its reason. */
  readonly signal: AbortSignal
  /** Whether the time is up. An abort by `parent` is none. */
  readonly isOver: boolean
  /** Stops the clock while a person thinks. It goes on with the time that was left. */
  pauseWhile<T>(work: () => Promise<T>): Promise<T>
  /** The work is done: no timer and no listener stays. */
  stop(): void
}

/** Starts a clock of `ms` milliseconds. Call `stop` when the work is done, whatever came of it. */
export function startTimeLimit(ms: number, parent: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController()
  let isOver = false
  let isStopped = false
  let left = ms
  let startedAt = 0
  let timer: NodeJS.Timeout | undefined
  let waiting = 0

  const run = () => {
    if (isStopped || controller.signal.aborted) return
    startedAt = Date.now()
    timer = setTimeout(
      () => {
        isOver = true
        controller.abort(new Error(`The time limit of ${ms} ms is over.`))
      },
      Math.min(left, MAX_TIMER_MS),
    )
  }
  const hold = () => {
    clearTimeout(timer)
    left = Math.max(0, left - (Date.now() - startedAt))
  }
  const abort = () => {
    clearTimeout(timer)
    controller.abort(parent?.reason)
  }
  if (parent?.aborted) abort()
  else parent?.addEventListener('abort', abort, { once: true })
  run()

  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    async pauseWhile(work) {
      if (waiting++ === 0) hold()
      try {
        return await work()
      } finally {
        if (--waiting === 0) run()
      }
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      parent?.removeEventListener('abort', abort)
    },
  }
}
