import type { ActiveRule, Stage, Verdict } from '../given/types.ts'
import { byMode, byRule, forSafety } from '../given/verdicts.ts'
import { hasWildcard } from '../given/wildcard.ts'
import { type BashCall, bashRules } from './bash-call.ts'
import { commandFits, suggestRule } from './bash-match.ts'
import {
  closedRedirect,
  coveringRule,
  doubtAbout,
  isFileEdit,
  openPart,
  protectedTarget,
  readsOnly,
  struckBehind,
  struckPart,
  takesGitElsewhere,
  writesByRedirect,
} from './bash-questions.ts'
import { isPlaced } from './paths.ts'

/** The six stages of a decision about Bash, in order. The first that has a verdict ends it. */
export const BASH_STAGES: ReadonlyArray<Stage<BashCall>> = [
  { name: 'deny rules', judge: judgeDenyRules, pass: 'no deny rule is about any part' },
  { name: 'ask rules', judge: judgeAskRules, pass: 'no ask rule is about any part' },
  { name: 'can it be parsed', judge: judgeReading, pass: 'every part can be read' },
  { name: 'where it writes', judge: judgeTargets, pass: 'nothing outside, protected or critical' },
  { name: 'allow rules', judge: judgeAllowRules, pass: 'the allow rules do not cover every part' },
  { name: 'mode and read-only', judge: judgeMode, pass: '' },
]

/** Stage 1. Any deny rule that strikes a part or a file (`struckPart`) denies. It holds in every mode. */
export function judgeDenyRules(call: BashCall): Verdict | undefined {
  // TODO(task 4): Deny for the first deny rule that strikes.
  throw new Error('TODO(task 4): judgeDenyRules')
}

/**
 * Stage 2. Any ask rule that strikes a part or a file asks. So does a rule that denies or asks about something that the
 * line may only come to (`struckBehind`): what is handed on to another shell, or lies in a folder that is searched. Whether
 * it would come to that, nobody can tell, so it is a question, also by a rule that denies. It holds in every mode.
 */
export function judgeAskRules(call: BashCall): Verdict | undefined {
  // TODO(task 4): Ask for the first ask rule that strikes, and for what hides in another shell.
  throw new Error('TODO(task 4): judgeAskRules')
}

/**
 * Stage 3. What can't be held against rules (`doubtAbout`) is asked about, and so is a line that goes to a folder and uses
 * git there (`takesGitElsewhere`): both for safety. In `bypassPermissions` it asks only where any rule denies or asks, be
 * it about Bash or about files.
 */
export function judgeReading(call: BashCall): Verdict | undefined {
  // TODO(task 4): Ask about what nobody can read.
  throw new Error('TODO(task 4): judgeReading')
}

/**
 * Stage 4. Three things ask, and no rule that allows the command lifts them:
 *
 * - a removal of something critical (`call.critical`), for safety, in every mode;
 * - a write to a protected name (`protectedTarget`), for safety, but not in `bypassPermissions`;
 * - a redirection from or to a closed file (`closedRedirect`), by the mode, in all modes but `bypassPermissions`.
 */
export function judgeTargets(call: BashCall): Verdict | undefined {
  // TODO(task 4): Ask about what it would destroy, and where it would write.
  throw new Error('TODO(task 4): judgeTargets')
}

/**
 * Stage 5. Allow rules allow a line when they cover all of it, and never in `plan`, where only stage 6 allows:
 *
 * - a rule for all of Bash covers all that can be read;
 * - a rule without a star covers the line that fits it (`commandFits`, so `\*` is a star), but for blanks around the line;
 * - otherwise the line must be splittable, and each part be covered by a rule (`coveringRule`) or read only
 *   (`readsOnly`), one at least by a rule. If it writes by redirection (`writesByRedirect`), reading only is not enough.
 */
export function judgeAllowRules(call: BashCall): Verdict | undefined {
  const { command, context, line } = call
  if (context.mode === 'plan' || !command.readable) return undefined
  // TODO(task 4): Allow what the rules cover, all of it.
  throw new Error('TODO(task 4): judgeAllowRules')
}

/**
 * Stage 6. Always a verdict, by the mode:
 *
 * - `bypassPermissions` allows.
 * - A line that is read-only as a whole (`command.readOnly`: `echo x > a` is not), each part of which `readsOnly`, is
 *   allowed in every mode.
 * - `acceptEdits` allows a splittable line each part of which `readsOnly`, is covered by a rule, or `isFileEdit`.
 * - Everything else asks. The suggestion is `suggestRule` of the one part that is still open (`openPart`), where there is
 *   one, and none in `plan`.
 */
export function judgeMode(call: BashCall): Verdict {
  const { mode } = call.context
  const { command } = call
  // TODO(task 4): Let the mode decide.
  throw new Error('TODO(task 4): judgeMode')
}

/** The verdict of the first rule of this behaviour that is about a part of the call. */
function struckBy(call: BashCall, behavior: 'deny' | 'ask'): Verdict | undefined {
  const struck = (rule: ActiveRule) => (rule.behavior === behavior ? struckPart(call, rule) : undefined)
  for (const rule of call.rules) {
    const part = struck(rule)
    if (part !== undefined) return byRule(rule, part)
  }
  return undefined
}
