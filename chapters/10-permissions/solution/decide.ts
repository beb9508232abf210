import type { CanUseTool } from '#05-build-tool/tool.ts'
import { bashSession } from '#08-bash/session.ts'
import { createContext } from '../../05-build-tool/given/context.ts'
import { kindOf } from '../given/tool-names.ts'
import type {
  ActiveRule,
  DecidableTool,
  PermissionContext,
  PermissionDecision,
  TraceStep,
  Verdict,
} from '../given/types.ts'
import { openBashCall } from './bash-call.ts'
import { BASH_STAGES } from './bash-rules.ts'
import { CALL_STAGES, inputToRun, openToolCall } from './call-stages.ts'
import { readRules } from './rules.ts'

export type * from '../given/types.ts'
export { RuleError } from '../given/types.ts'

/**
 * Says whether a call may run: `allow` with the input to run, `deny` with a message for the model, or `ask` with a
 * message for the person and, where there is one, the rule that "always" would add. The trace says how it came to that.
 *
 * - All rules are read first. One that can't be read is a RuleError, also if it would not matter or not apply here.
 * - Only rules count that apply here (`appliesHere`). The stages judge in order, until one has a verdict (`runStages`).
 * - The tool's own opinion (`ownOpinion`) is heard as well, and the stricter of the two counts: deny over ask over
 *   allow, and an ask for a reason over one by the mode (`strictness`); of two that are as strict, the stages'. A tool
 *   that has no objection allows nothing by that. One that has leaves a step in the trace, behind the stages',
 *   also where theirs counts.
 * - In `dontAsk` nobody is asked: what would be an `ask` is a `deny`. It keeps the reason of the question, says why that was
 *   asked and that it is for `dontAsk`, and leaves one more step in the trace.
 * - The message of a denial or question names the tool and says why.
 */
export async function decide(
  tool: DecidableTool,
  input: Record<string, unknown>,
  context: PermissionContext,
): Promise<PermissionDecision> {
  // #region task 5: Read the rules, hear the stages and the tool, and let the stricter verdict count.
  const rules = readRules(context.rules)
  const ruled = runStages(tool, input, { ...context, active: rules.filter((rule) => appliesHere(rule, context)) })
  const own = await ownOpinion(tool, input, context)
  const verdict = own !== undefined && strictness(own) > strictness(ruled.verdict) ? own : ruled.verdict
  const trace = [...ruled.trace, ...(own ? [stepOf('the tool itself', own)] : [])]
  if (verdict.behavior !== 'ask' || context.mode !== 'dontAsk') return answer({ ...ruled, verdict, trace, tool })
  const denied: Verdict = { ...verdict, behavior: 'deny', why: `${verdict.why}; in dontAsk nobody is asked` }
  return answer({ ...ruled, verdict: denied, trace: [...trace, stepOf('dontAsk', denied)], tool })
  // #endregion
}

/** Of two verdicts the one with more of it counts. What only the mode asks about, a hook may answer: it is worth less. */
function strictness({ behavior, reason }: Verdict): number {
  return behavior === 'ask' && reason.type === 'mode' ? 1 : { allow: 0, ask: 2, deny: 3 }[behavior]
}

/**
 * Whether a rule counts in this workspace. A repository brings rules of its own (`project`, `local`): as long as nobody
 * trusts the workspace, they may deny and ask, and allow nothing.
 */
export function appliesHere(rule: ActiveRule, { trusted }: PermissionContext): boolean {
  // #region task 5: Let a repository that nobody trusts restrict, and never allow.
  return trusted || rule.behavior !== 'allow' || !['project', 'local'].includes(rule.source)
  // #endregion
}

/**
 * Runs the stages for a call, in order, until one has a verdict: the six of Bash (`BASH_STAGES`) or those for every other
 * tool (`CALL_STAGES`). The last one always has one. The trace has a step for each stage that was asked (`stepOf`): what
 * it decided and why, or `pass` with the stage's own words. `updatedInput` is what would be run.
 */
export function runStages(
  tool: DecidableTool,
  input: Record<string, unknown>,
  context: PermissionContext & { active: readonly ActiveRule[] },
): Ruled {
  const { stages, call, updatedInput } = stagesFor(tool, input, context)
  // #region task 5: Ask one stage after the other, and note what each says.
  const trace: TraceStep[] = []
  for (const stage of stages) {
    const verdict = stage.judge(call)
    trace.push(verdict ? stepOf(stage.name, verdict) : { stage: stage.name, outcome: 'pass', why: stage.pass })
    if (verdict) return { verdict, trace, updatedInput }
  }
  throw new Error('No stage had a verdict.')
  // #endregion
}

export interface Ruled {
  verdict: Verdict
  trace: TraceStep[]
  updatedInput: Record<string, unknown>
}

/**
 * What the tool's own `checkPermissions` says, asked with the input and `toolContext` (without one: an empty one), as a verdict of type `tool`; undefined where it has no objection. Its
 * `allow` and its `updatedInput` decide nothing: what runs is what the rules have seen. A tool that throws, or gives what
 * is no answer, is one to ask about.
 */
async function ownOpinion(
  tool: DecidableTool,
  input: Record<string, unknown>,
  context: PermissionContext,
): Promise<Verdict | undefined> {
  // #region task 5: Hear the tool, and take no nonsense for a yes.
  const ask = (why: string): Verdict => ({ behavior: 'ask', why, reason: { type: 'tool' } })
  try {
    const said = await tool.checkPermissions(input, context.toolContext ?? createContext(context.cwd))
    if (said?.behavior === 'allow') return undefined
    if (said?.behavior === 'deny' || said?.behavior === 'ask') return { ...ask(said.message), behavior: said.behavior }
    return ask('its own check gave no answer')
  } catch (error) {
    return ask(`its own check failed: ${error instanceof Error ? error.message : String(error)}`)
  }
  // #endregion
}

/** `decide` as chapter 11's pipeline asks for it. `current` is called for each decision: modes and rules change. */
export function createCanUseTool(current: () => PermissionContext): CanUseTool {
  return async (tool, input, toolContext) => {
    const shellCwd = bashSession(toolContext).cwd
    return decide(tool, input, { shellCwd, ...current(), toolContext })
  }
}

interface Stages {
  stages: ReadonlyArray<{ name: string; pass: string; judge(call: unknown): Verdict | undefined }>
  call: unknown
  updatedInput: Record<string, unknown>
}

/** The stages that judge a call, and the call as they want it. */
function stagesFor(
  tool: DecidableTool,
  input: Record<string, unknown>,
  context: PermissionContext & { active: readonly ActiveRule[] },
): Stages {
  if (kindOf(tool) === 'command') {
    const call = openBashCall(String(input.command ?? ''), { tool, context, rules: context.active })
    return { stages: BASH_STAGES as Stages['stages'], call, updatedInput: input }
  }
  const call = openToolCall({ tool, input, context, rules: context.active })
  return { stages: CALL_STAGES as Stages['stages'], call, updatedInput: inputToRun(call) }
}

function stepOf(stage: string, { behavior, why, reason }: Verdict): TraceStep {
  const from = reason.type === 'rule' ? { rule: reason.rule, source: reason.source } : {}
  return { stage, outcome: behavior, why, ...from }
}

/** A verdict as an answer. */
function answer({ verdict, trace, updatedInput, tool }: Ruled & { tool: DecidableTool }): PermissionDecision {
  const { behavior, why, reason: decisionReason, suggestion } = verdict
  if (behavior === 'allow') return { behavior, updatedInput, decisionReason, trace }
  if (behavior === 'deny') return { behavior, message: `${tool.name} was refused: ${why}.`, decisionReason, trace }
  const question = { behavior, message: `${tool.name} asks first: ${why}.`, decisionReason, trace }
  return suggestion === undefined ? question : { ...question, suggestion }
}
