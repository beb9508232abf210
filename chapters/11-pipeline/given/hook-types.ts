/** The hooks of a session, by event. Those of one event run one after the other, in this order. */
export interface Hooks {
  /** Before permission is asked for: a hook may block, rewrite the input, say `ask` or `allow`, or add a note. */
  readonly PreToolUse?: readonly Hook[]
  /** After a call that returned: a hook may add a note. What has happened, it cannot undo. */
  readonly PostToolUse?: readonly Hook[]
}

export type Hook = FunctionHook | CommandHook

interface HookOptions {
  /**
   * Which tools it is for: a regular expression over the whole name, as in `Edit|Write` or `mcp__github__.*`. It fits
   * a tool by an alias, too. Left out, empty or `*`: every tool.
   */
  matcher?: string
  /** In milliseconds; DEFAULT_HOOK_MS unless you say otherwise. */
  timeoutMs?: number
  /**
   * What a failure of a PreToolUse hook means: `block` (unless you say otherwise) refuses the call, `ignore` goes on with
   * a note. A hook that was to stop something and fell over has not said yes.
   */
  onFailure?: 'block' | 'ignore'
}

export interface FunctionHook extends HookOptions {
  /** `signal` is aborted when the call is, or at the time limit. It may throw. What it gives must be a HookOutput. */
  run(input: HookInput, options: { signal: AbortSignal }): HookOutput | undefined | Promise<HookOutput | undefined>
}

export interface CommandHook extends HookOptions {
  /**
   * A command line for the shell, started in the call's `cwd`. It gets the HookInput as JSON on stdin. Exit code 0: what
   * it printed is a HookOutput as JSON, or nothing. Exit code 2: it blocks, and stderr is the reason. Anything else is a
   * failure.
   */
  command: string
}

/** What a hook gets. The names are those of Claude Code's hooks. */
export interface HookInput {
  hook_event_name: 'PreToolUse' | 'PostToolUse'
  tool_name: string
  /** Parsed: what would run, or did. A copy. */
  tool_input: Record<string, unknown>
  tool_use_id: string
  cwd: string
  /** PostToolUse only: what the tool returned. A copy. */
  tool_response?: unknown
}

/** What a hook says. Everything may be left out, and fields that are not listed are not looked at. */
export interface HookOutput {
  /** `approve` and `block` are the older words for `allow` and `deny`. */
  decision?: 'allow' | 'deny' | 'ask' | 'approve' | 'block'
  /** The same as `decision`. Where both are there, the stricter one counts. */
  permissionDecision?: 'allow' | 'deny' | 'ask'
  /** Why, for the model or for the person who is asked. */
  reason?: string
  permissionDecisionReason?: string
  /** The whole input that is to run in place of `tool_input`. */
  updatedInput?: Record<string, unknown>
  /** What the model is to know beside the result. */
  additionalContext?: string
  /** false: the same as `deny`. */
  continue?: boolean
  /** Where commands of Claude Code put their decision, reason, input and context. Counts as if it stood outside. */
  hookSpecificOutput?: Omit<HookOutput, 'hookSpecificOutput'>
}

/** A HookOutput, read: one word for each thing. */
export interface HookAnswer {
  type: 'answered'
  behavior?: 'allow' | 'deny' | 'ask'
  reason: string
  updatedInput?: Record<string, unknown>
  note?: string
}

/** A hook that gave no answer that can be read: why. */
export interface HookFailure {
  type: 'broken'
  message: string
}

export type HookOutcome = HookAnswer | HookFailure

export const DEFAULT_HOOK_MS = 60_000
