import { isDeepStrictEqual } from 'node:util'
import type { AnyTool, PermissionResult } from '#05-build-tool/tool.ts'
import { type Call, enter, failed, mayGoOn } from '../given/call.ts'
import { onlyModeAsks, readAnswer, type UsableAnswer } from '../given/read-answer.ts'
import type { AskReason, Authorized, Failed, Hooked } from '../given/types.ts'
import { checkInput } from './prepare.ts'

type Input = Record<string, unknown>
type Allowed = { type: 'allowed'; input: Input; by: 'rules' | 'person' }

/**
 * Stage `permission`: whether the call may run, and with which input.
 *
 * - What `decide` allows with another input than was asked about (equal by value is not another) goes through
 *   `checkInput` again; what comes of that is run.
 * - The stage is `permission` again then. Where it was the person who allowed it (`by`), the rules are asked about what
 *   `checkInput` gave (`rulingOn`): a denial stands. An `ask` does not: the person has answered.
 */
export async function authorize(call: Call, hooked: Hooked): Promise<Authorized | Failed> {
  enter(call, 'permission')
  // #region task 2: Decide; what is to run, if it is not what was checked, is checked.
  const { tool, input } = hooked
  const decided = await decide(call, hooked)
  if (decided.type === 'failed') return decided
  if (decided.input === input || isDeepStrictEqual(decided.input, input)) return { type: 'authorized', tool, input }

  const again = await checkInput(call, tool, decided.input)
  if (again.type === 'failed') return again
  enter(call, 'permission')
  if (decided.by === 'person') {
    const ruled = await rulingOn(call, tool, again.input)
    if (ruled.type === 'failed') return ruled
  }
  return { type: 'authorized', tool, input: again.input }
  // #endregion
}

/**
 * The decision on a call that the hooks have seen.
 *
 * - `rulingOn` is asked about the model's input and about what would run: once, where the two are equal. A denial of
 *   either denies, whatever a hook says.
 * - An ask is a question for the person (`askPerson`), who gets one question with the message and the suggestion of the
 *   first that asks: the ruling on the model's input, the one on what would run, the hook (its message is its reason).
 * - A hook's `allow` answers the question only where every ask is one of the mode alone (`onlyModeAsks`). It never
 *   lifts a denial, nor what a rule or a tool asks.
 * - The input to run, and to ask the person about, is the `updatedInput` of the ruling on what would run, be it an
 *   `allow` or an `ask`; `input` where it has none. The person may give another one in its place.
 */
async function decide(call: Call, { tool, input, original, verdict }: Hooked): Promise<Allowed | Failed> {
  // #region task 2: Ask about both forms, let the strictest answer count, and ask the person where it is open.
  const asks: Array<{ message: string } & AskReason> = []
  if (original !== input && !isDeepStrictEqual(original, input)) {
    const before = await rulingOn(call, tool, original)
    if (before.type === 'failed') return before
    if (before.behavior === 'ask') asks.push(before)
  }
  const ruled = await rulingOn(call, tool, input)
  if (ruled.type === 'failed') return ruled
  if (ruled.behavior === 'ask') asks.push(ruled)
  if (verdict?.behavior === 'ask') asks.push({ message: verdict.reason })

  const toRun = ruled.updatedInput ?? input
  const isLifted = verdict?.behavior === 'allow' && asks.every(onlyModeAsks)
  if (asks.length === 0 || isLifted) return { type: 'allowed', input: toRun, by: 'rules' }
  return askPerson(call, { tool, input: toRun, message: asks[0].message, suggestion: asks[0].suggestion })
  // #endregion
}

/**
 * What the tool and the rules say about one input.
 *
 * - The tool's own `checkPermissions` comes first. Its denial denies, and so does what is no answer (`undefined`, say).
 *   Its `ask` and its `allow` change nothing here: they are for whoever decides to weigh.
 * - Then `canUseTool`. Its `allow` and `ask` are handed on (`readAnswer`); anything else denies, with its message.
 * - Once the call is aborted, nobody is asked any more: `mayGoOn` before each of the two.
 */
async function rulingOn(call: Call, tool: AnyTool, input: Input): Promise<UsableAnswer | Failed> {
  // #region task 2: Hear the tool's own objection, then ask whoever decides. What is no clear answer denies.
  mayGoOn(call)
  const own = await tool.checkPermissions(input, call.context)
  if (own?.behavior !== 'allow' && own?.behavior !== 'ask') return failed('permission', own?.message)
  mayGoOn(call)
  const answer: PermissionResult = await call.canUseTool(tool, input, call.context, call.message)
  return readAnswer(answer) ?? failed('permission', (answer as { message?: unknown } | null)?.message)
  // #endregion
}

/**
 * Puts the question to the person. Only their `allow` is a yes; where nobody is there to ask, it is a no. A message that
 * is blank, or no text, is no question: then it says which tool needs permission.
 */
async function askPerson(
  call: Call,
  question: { tool: AnyTool; input: Input; message: string; suggestion?: string },
): Promise<Allowed | Failed> {
  const { askUser } = call.context
  const hasMessage = typeof question.message === 'string' && question.message.trim() !== ''
  const message = hasMessage ? question.message : `${question.tool.name} needs your permission.`
  if (!askUser) return failed('permission', `${message} Nobody is there to ask, so it was not run.`)
  mayGoOn(call)
  const answer = await askUser({ toolUseID: call.toolUse.id, ...question, message }, call.context)
  const said = readAnswer(answer)
  if (said?.behavior !== 'allow') return failed('permission', (answer as { message?: unknown } | null)?.message)
  return { type: 'allowed', input: said.updatedInput ?? question.input, by: 'person' }
}
