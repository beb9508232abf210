import type Anthropic from '@anthropic-ai/sdk'
import type { CanUseTool } from '#05-build-tool/tool.ts'
import { ignore } from './ignore.ts'
import { onAbort } from './on-abort.ts'
import { cutError, describeError } from './say.ts'
import type { Failed, PipelineContext, Stage, StageEvent, Stopped } from './types.ts'

/** One call on its way: what the model asked for, what every stage may need, and the stage that it is in. */
export interface Call {
  readonly toolUse: Anthropic.ToolUseBlock
  readonly message: Anthropic.Message
  readonly canUseTool: CanUseTool
  readonly context: PipelineContext
  stage: Stage
  isOver: boolean
  isSeen: boolean
}

export function openCall(
  toolUse: Anthropic.ToolUseBlock,
  message: Anthropic.Message,
  canUseTool: CanUseTool,
  context: PipelineContext,
): Call {
  return { toolUse, message, canUseTool, context, stage: 'find', isOver: false, isSeen: false }
}

/** Thrown where a call would go on that is aborted. */
export class AbortedCall extends Error {}

/** Throws AbortedCall if the call is aborted, or over: nothing new may begin then, and nobody may be asked any more. */
export function mayGoOn({ context, isOver }: Call): void {
  if (isOver || context.abortController.signal.aborted) throw new AbortedCall('The call was aborted.')
}

/**
 * Begins a stage, and so ends the one before. Throws AbortedCall in place of it when the call is aborted; but once the
 * tool has run, the stages behind it are begun all the same, so that its result is not lost.
 */
export function enter(call: Call, stage: Stage): void {
  if (call.isOver || !isAfterCall(stage)) mayGoOn(call)
  if (call.context.observer) {
    if (call.isSeen) tellObserver(call, 'passed')
    call.isSeen = true
    call.stage = stage
    tellObserver(call)
  }
  call.stage = stage
}

/** Ends the call, and its last stage with `outcome`. A second end changes nothing. */
export function end(call: Call, outcome: string): void {
  if (call.isOver) return
  call.isOver = true
  if (call.isSeen) tellObserver(call, outcome)
}

/** Whether the tool has run by the time that this stage begins. */
export function isAfterCall(stage: Stage): boolean {
  return stage === 'post-hooks' || stage === 'map'
}

/** What a call comes to whose stage has thrown: interrupted, if it is aborted and the tool has not run; else failed. */
export function stoppedBy(call: Call, error: unknown): Stopped {
  const { stage } = call
  const isAborted = call.context.abortController.signal.aborted && !isAfterCall(stage)
  return isAborted ? { type: 'interrupted', stage } : failed(stage, describeError(error))
}

/** The outcome of a stage that ends the call. What is no text, or an empty one, becomes one that can be read. */
export function failed(stage: Stage, message: unknown): Failed {
  const text = typeof message === 'string' && message.trim() !== '' ? message : 'No reason was given.'
  return { type: 'failed', stage, message: cutError(text) }
}

/**
 * Calls `stop` when the call has been aborted and nobody is to wait for it any longer: at once, unless the tool is
 * running, which has `maxAbortWaitMs`; not at all when it has run. Returns a function that takes the listener away.
 */
export function onInterrupt(call: Call, stop: () => void): () => void {
  const { abortController, maxAbortWaitMs = 0 } = call.context
  let timer: NodeJS.Timeout | undefined
  const stopListening = onAbort(abortController.signal, () => {
    if (isAfterCall(call.stage)) return
    if (call.stage !== 'call' || maxAbortWaitMs <= 0) return stop()
    timer = setTimeout(() => !isAfterCall(call.stage) && stop(), maxAbortWaitMs)
  })
  return () => {
    clearTimeout(timer)
    stopListening()
  }
}

/** Tells the observer that the call's stage begins, or how it ended. One that throws, now or later, harms nobody. */
function tellObserver({ context, stage, toolUse }: Call, outcome?: string): void {
  try {
    const at = context.now ? context.now() : performance.now()
    const about = { stage, toolUseID: toolUse.id, toolName: toolUse.name, at }
    const event: StageEvent = outcome === undefined ? { type: 'begin', ...about } : { type: 'end', ...about, outcome }
    ignore(context.observer?.(event))
  } catch {
    // Whoever watches must not stop the call.
  }
}
