import type { QueuedCall, ResultUpdate } from './types.ts'

/** The result of a call that went wrong in a way that its `run` did not answer for. */
export function failedResult(call: QueuedCall, error: unknown): ResultUpdate {
  const message = describeError(error)
  return errorResult(call, `Error: ${message}`, { type: 'failed', stage: 'call', message })
}

/** The result of a call that an interrupt or a discard ended, or kept from starting. */
export function stoppedResult(call: QueuedCall, by: 'interrupted' | 'discarded'): ResultUpdate {
  const word = by === 'interrupted' ? 'Interrupted' : 'Discarded'
  return call.state === 'queued'
    ? errorResult(call, `${word}: this call was not run.`, { type: 'interrupted', stage: 'find' })
    : errorResult(call, `${word}: this call did not finish. It may have done part of its work.`, {
        type: 'interrupted',
        stage: 'call',
      })
}

function errorResult({ block }: QueuedCall, content: string, end: ResultUpdate['end']): ResultUpdate {
  return {
    type: 'result',
    toolUseID: block.id,
    block: { type: 'tool_result', tool_use_id: block.id, content, is_error: true },
    end,
  }
}

/** Never empty, and it never throws, whatever was thrown. */
function describeError(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message || error.name : error) || 'unknown error'
  } catch {
    return 'an error that cannot be shown'
  }
}
