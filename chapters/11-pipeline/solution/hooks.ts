import { isDeepStrictEqual } from 'node:util'
import type { AnyTool } from '#05-build-tool/tool.ts'
import { AbortedCall, type Call, enter, failed } from '../given/call.ts'
import type { Hook, HookInput } from '../given/hook-types.ts'
import { describeError } from '../given/say.ts'
import type { Authorized, Failed, Hooked, Prepared, Returned } from '../given/types.ts'
import { askHook } from './ask-hook.ts'
import { checkInput } from './prepare.ts'

export type * from '../given/hook-types.ts'
export { askHook, readCommandEnd } from './ask-hook.ts'

/**
 * Whether a hook is for this tool: its `matcher` fits the whole name, or a whole alias. Without a matcher, with an empty
 * one and with `*`, it is for every tool. Throws a SyntaxError when the matcher, as it was written, is no regular
 * expression: `Say)|(Edit` is none.
 */
export function matches({ matcher }: Hook, tool: AnyTool): boolean {
  // #region task 4: Compare the whole name and every whole alias with the pattern.
  if (matcher === undefined || matcher === '' || matcher === '*') return true
  const pattern = new RegExp(`^(?:${new RegExp(matcher).source})$`)
  return [tool.name, ...tool.aliases].some((name) => pattern.test(name))
  // #endregion
}

/**
 * Stage `pre-hooks`: asks the PreToolUse hooks that match, one after the other.
 *
 * - Each sees the input as the hooks before it left it. One that was rewritten goes through `checkInput` at once, and
 *   what comes of that counts from then on; the stage is `pre-hooks` again. If it fails, the call does, with a message
 *   that says that a hook rewrote the input: with `onFailure: 'ignore'`, too.
 * - An `updatedInput` that is equal, by value, to the input which the hook was shown is no rewrite: it changes nothing.
 * - `original` stays what the model asked for, however often the input is rewritten.
 * - The first `deny` ends the call with its reason: later hooks are not asked.
 * - An `ask` outweighs an `allow`. An `allow` is for the input that its hook has seen or given: when a later hook
 *   rewrites it, the allow is gone.
 * - A broken hook ends the call, with a message that says what broke; `onFailure: 'ignore'` goes on, with a note.
 * - Notes are kept in order.
 */
export async function runPreHooks(call: Call, { tool, input: original }: Prepared): Promise<Hooked | Failed> {
  enter(call, 'pre-hooks')
  // #region task 4: Ask hook by hook, check what one rewrote, and keep the strictest word.
  const hooked: Hooked = { type: 'hooked', tool, input: original, original, notes: [] }
  for (const hook of call.context.hooks.PreToolUse ?? []) {
    if (!matches(hook, tool)) continue
    const answer = await askHook(call, hook, hookInput('PreToolUse', call, hooked))
    if (answer.type === 'broken') {
      if (hook.onFailure !== 'ignore') return failed('pre-hooks', `Not run: a hook failed: ${answer.message}`)
      hooked.notes.push(`A hook failed, and the call went on without it: ${answer.message}`)
      continue
    }
    const { behavior, reason, updatedInput, note } = answer
    if (behavior === 'deny') return failed('pre-hooks', `Blocked by a hook: ${reason || 'no reason given.'}`)
    if (updatedInput && !isDeepStrictEqual(updatedInput, hooked.input)) {
      const again = await checkInput(call, tool, updatedInput)
      if (again.type === 'failed') return failed(again.stage, `A hook rewrote the input. ${again.message}`)
      enter(call, 'pre-hooks')
      hooked.input = again.input
      if (hooked.verdict?.behavior === 'allow') hooked.verdict = undefined
    }
    if (behavior && hooked.verdict?.behavior !== 'ask') hooked.verdict = { behavior, reason }
    if (note) hooked.notes.push(note)
  }
  return hooked
  // #endregion
}

/**
 * Stage `post-hooks`: asks the PostToolUse hooks that match about a call that returned, and gives the notes for the
 * model. Never rejects: the call has run, and nothing that a hook does takes its result away.
 *
 * - A hook's `deny` (exit code 2, too) is a note with its reason, and a note that it adds comes behind that. Its `ask`,
 *   its `allow` and its `updatedInput` come too late: they are not looked at.
 * - A failure is a note, also one of `matches`, and the next hook is asked.
 * - Once the call is aborted, no more hooks are asked. The notes that are there stay.
 */
export async function runPostHooks(call: Call, { tool, input }: Authorized, { data }: Returned): Promise<string[]> {
  enter(call, 'post-hooks')
  // #region task 4: Ask hook by hook, and make a note of whatever they say or fail to say.
  const notes: string[] = []
  for (const hook of call.context.hooks.PostToolUse ?? []) {
    try {
      if (!matches(hook, tool)) continue
      const about = { ...hookInput('PostToolUse', call, { tool, input }), tool_response: data }
      const answer = await askHook(call, hook, about)
      if (answer.type === 'broken') notes.push(`A hook that looks at results failed: ${answer.message}`)
      else if (answer.behavior === 'deny') notes.push(`A hook objects: ${answer.reason || 'no reason given.'}`)
      if (answer.type === 'answered' && answer.note) notes.push(answer.note)
    } catch (error) {
      if (error instanceof AbortedCall) break
      notes.push(`A hook that looks at results failed: ${describeError(error)}`)
    }
  }
  return notes
  // #endregion
}

function hookInput(
  event: HookInput['hook_event_name'],
  { toolUse, context }: Call,
  { tool, input }: { tool: AnyTool; input: Record<string, unknown> },
): HookInput {
  return {
    hook_event_name: event,
    tool_name: tool.name,
    tool_input: input,
    tool_use_id: toolUse.id,
    cwd: context.cwd,
  }
}
