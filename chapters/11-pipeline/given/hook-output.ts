import { z } from 'zod'
import type { HookAnswer, HookOutcome } from './hook-types.ts'

const inner = z.object({
  decision: z.enum(['allow', 'deny', 'ask', 'approve', 'block']).optional(),
  permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
  reason: z.string().optional(),
  permissionDecisionReason: z.string().optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  additionalContext: z.string().optional(),
  continue: z.boolean().optional(),
})
const hookOutput = inner.extend({ hookSpecificOutput: inner.optional() })

/** The strictest first. */
const STRICTNESS = ['deny', 'ask', 'allow'] as const
const NEW_WORDS = { approve: 'allow', block: 'deny', allow: 'allow', deny: 'deny', ask: 'ask' } as const

/** Reads what a hook said. Nothing at all is an answer without an opinion; what is no HookOutput is a broken hook. */
export function readHookOutput(value: unknown): HookOutcome {
  if (value === undefined) return { type: 'answered', reason: '' }
  const parsed = hookOutput.safeParse(value)
  if (!parsed.success) {
    const [{ path, message }] = parsed.error.issues
    return { type: 'broken', message: `what it said is no hook output: ${path.join('.') || 'all of it'}: ${message}` }
  }
  const { hookSpecificOutput = {}, ...outside } = parsed.data
  const parts = [outside, hookSpecificOutput]
  const said = parts.flatMap((part) => [part.decision, part.permissionDecision, part.continue === false && 'deny'])
  const words = said.flatMap((word) => (word ? [NEW_WORDS[word as keyof typeof NEW_WORDS]] : []))
  const first = <K extends keyof typeof outside>(key: K) => outside[key] ?? hookSpecificOutput[key]
  const answer: HookAnswer = {
    type: 'answered',
    behavior: STRICTNESS.find((word) => words.includes(word)),
    reason: first('permissionDecisionReason') ?? first('reason') ?? '',
    updatedInput: first('updatedInput'),
    note: first('additionalContext')?.trim() || undefined,
  }
  return answer
}
