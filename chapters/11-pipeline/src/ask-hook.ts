import { AbortedCall, type Call, mayGoOn } from '../given/call.ts'
import { readHookOutput } from '../given/hook-output.ts'
import { DEFAULT_HOOK_MS, type Hook, type HookInput, type HookOutcome } from '../given/hook-types.ts'
import { onAbort } from '../given/on-abort.ts'
import { type CommandEnd, runCommand } from '../given/run-command.ts'
import { describeError } from '../given/say.ts'

/** More milliseconds than a timer of Node can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Asks one hook and gives its answer, or why there is none. The hook gets a copy of `input`: what it does to it changes
 * nothing. Rejects (AbortedCall) only when the call is aborted; then, and at its time limit, a hook that is a command is killed.
 */
export async function askHook(call: Call, hook: Hook, input: HookInput): Promise<HookOutcome> {
  const { timeoutMs = DEFAULT_HOOK_MS } = hook
  const controller = new AbortController()
  const end = deferred<HookOutcome>()
  mayGoOn(call)
  const stopListening = onAbort(call.context.abortController.signal, () => {
    end.reject(new AbortedCall('The call was aborted.'))
    controller.abort()
  })
  const timer = startTimer(timeoutMs, () => {
    end.resolve({ type: 'broken', message: `it took longer than ${timeoutMs} ms.` })
    controller.abort()
  })
  outcomeOf(hook, input, controller.signal).then(end.resolve, (error) => {
    end.resolve({ type: 'broken', message: describeError(error) })
  })
  try {
    return await end.promise
  } finally {
    clearTimeout(timer)
    stopListening()
  }
}

function startTimer(ms: number, action: () => void): NodeJS.Timeout | undefined {
  return ms > MAX_TIMER_MS ? undefined : setTimeout(action, ms)
}

async function outcomeOf(hook: Hook, input: HookInput, signal: AbortSignal): Promise<HookOutcome> {
  if ('run' in hook) return readHookOutput((await hook.run(structuredClone(input), { signal })) ?? undefined)
  return readCommandEnd(await runCommand(hook.command, { stdin: JSON.stringify(input), cwd: input.cwd, signal }))
}

/**
 * What a hook's command meant by the way in which it ended.
 *
 * - Exit code 0: stdout is a HookOutput as JSON (`readHookOutput`). Only white space is no opinion. Anything else is
 *   `broken`, half a JSON too, and JSON that is no HookOutput, such as `null`: a decision may have been in it.
 * - Exit code 2: it denies, and stderr is the reason. What stands on stdout is not looked at.
 * - Any other end is `broken`, with a message that says which, and stderr where there is some.
 */
export function readCommandEnd(end: CommandEnd): HookOutcome {
  // TODO(task 4): Tell an answer, a block and a failure apart.
  throw new Error('TODO(task 4): readCommandEnd')
}

function describeEnd(end: CommandEnd): string {
  switch (end.type) {
    case 'exited':
      return `exit code ${end.code}. ${end.stderr.trim()}`.trim()
    case 'killed':
      return `killed by ${end.signal}.`
    case 'stopped':
      return 'it was stopped.'
    case 'too_long':
      return 'it printed too much.'
    case 'not_started':
      return `it could not be started: ${end.message}`
  }
}

function deferred<T>() {
  let settle!: { resolve: (value: T) => void; reject: (error: Error) => void }
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}
