import type { ActiveRule, PermissionMode, RuleBehavior, Verdict } from './types.ts'

/** A verdict that a rule gives. `what`: the part of the call that it is about. */
export function byRule({ behavior, rule, source }: ActiveRule, what: string): Verdict {
  const says = { allow: 'is allowed by', ask: 'must be asked about, says', deny: 'is denied by' }[behavior]
  const reason = { type: 'rule' as const, rule: rule.text, source }
  return { behavior, why: `${what} ${says} the rule ${rule.text} (${source})`, reason }
}

/** A verdict that nothing but the mode gives. */
export function byMode(behavior: RuleBehavior, mode: PermissionMode, why: string): Verdict {
  return { behavior, why, reason: { type: 'mode', mode } }
}

/** A question that no rule that allows can answer. */
export function forSafety(why: string): Verdict {
  return { behavior: 'ask', why, reason: { type: 'safety' } }
}
