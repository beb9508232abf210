import type { PermissionResult } from '#05-build-tool/tool.ts'
import type { AskReason } from './types.ts'

/** An answer on permission that does not deny. */
export type UsableAnswer = { type: 'ruled' } & (
  | { behavior: 'allow'; updatedInput?: Record<string, unknown> }
  | ({ behavior: 'ask'; message: string; updatedInput?: Record<string, unknown> } & AskReason)
)

/** The answer, if it is an `allow` or an `ask` whose `updatedInput` is an object or absent; undefined for all others. */
export function readAnswer(answer: PermissionResult | undefined): UsableAnswer | undefined {
  if (answer?.behavior !== 'allow' && answer?.behavior !== 'ask') return undefined
  const { updatedInput = {} } = answer
  const isInput = typeof updatedInput === 'object' && updatedInput !== null && !Array.isArray(updatedInput)
  return isInput ? { type: 'ruled', ...answer } : undefined
}

/** Whether nobody but the mode asks, and a mode in which a yes may be had: in `plan` there is none for a change. */
export function onlyModeAsks({ decisionReason }: AskReason): boolean {
  return decisionReason?.type === 'mode' && decisionReason.mode !== 'plan'
}
