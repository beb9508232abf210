import type { AnyTool, ToolUseContext } from '#05-build-tool/tool.ts'

/** What a rule says about the calls that it covers. The order in which they count: deny, ask, allow. */
export type RuleBehavior = 'allow' | 'ask' | 'deny'

/** Where a rule was written. It makes no difference to a denial; see `appliesHere` for what a repository may allow. */
export type RuleSource = 'user' | 'project' | 'local' | 'policy' | 'session' | 'cli'

/** How much may happen unasked where no rule decides. */
export type PermissionMode =
  /** Reading, inside the workspace. */
  | 'default'
  /** That, and changes to files inside the workspace. */
  | 'acceptEdits'
  /** Reading only, whatever the rules allow. */
  | 'plan'
  /** Nobody is asked: what would be a question is a denial. */
  | 'dontAsk'
  /** Everything, save what a deny or ask rule, a tool, or a critical path stands against. */
  | 'bypassPermissions'

/** Which calls of a tool a rule is about. */
export type Specifier =
  /** All of them: `Bash`, `Bash(*)`. */
  | { type: 'any' }
  /** Commands of Bash: `npm test *`. `:*` at the end has become ` *`. */
  | { type: 'command'; pattern: string }
  /** Files, as .gitignore names them: `src/**`, `~/.ssh/**`. */
  | { type: 'path'; pattern: string }
  /** Hosts of WebFetch, in lower case: `example.com`, `*.example.com`. */
  | { type: 'domain'; pattern: string }
  /** The value of a parameter: `subagent_type:Explore`. */
  | { type: 'parameter'; name: string; pattern: string }

/** A rule, read. */
export interface Rule {
  /** As it was written, without the blanks around it. */
  text: string
  /** A tool's name, an MCP server's, or a pattern for them. */
  toolName: string
  specifier: Specifier
}

/** A rule as settings have it. */
export interface PermissionRule {
  text: string
  behavior: RuleBehavior
  source: RuleSource
  /** What `/path` counts from: absolute. The first root of the workspace unless it says otherwise. */
  settingsRoot?: string
}

/** A rule as `decide` uses it. */
export type ActiveRule = PermissionRule & { rule: Rule }

/** What paths depend on. */
export interface PathWorld {
  /** The workspace's folders, absolute. What lies in one of them is inside. */
  roots: readonly string[]
  /** What relative paths count from, in calls and in rules: absolute. */
  cwd: string
  home: string
  /** This machine's, unless a test says otherwise. Links are only followed on a platform that is like this one. */
  platform?: NodeJS.Platform
  /** Whether the file system takes `A` and `a` for the same. On macOS and Windows unless this says otherwise. */
  caseInsensitive?: boolean
}

/** All that a decision depends on, beside the call. */
export interface PermissionContext extends PathWorld {
  mode: PermissionMode
  rules: readonly PermissionRule[]
  /** Whether the user trusts this workspace. A repository that nobody trusts must not allow itself anything. */
  trusted: boolean
  /** The folder in which the next Bash command starts. `cwd` if left out. */
  shellCwd?: string
  /** What the tool's own `checkPermissions` gets. An empty one if left out. */
  toolContext?: ToolUseContext
}

/** The parts of a tool that a decision needs. */
export type DecidableTool = Pick<AnyTool, 'name' | 'aliases' | 'isReadOnly' | 'checkPermissions'>

/** One stage of a decision, and what it made of the call. `pass`: nothing, the next stage goes on. */
export interface TraceStep {
  stage: string
  outcome: 'pass' | RuleBehavior
  /** Half a sentence: why. */
  why: string
  /** The rule that decided, and where it was written. */
  rule?: string
  source?: RuleSource
}

/**
 * What stands behind a decision. `mode`: nothing but the mode. `safety`: something that no allow rule lifts, such as a
 * command that cannot be read, or a protected path.
 */
export type DecisionReason =
  | { type: 'rule'; rule: string; source: RuleSource }
  | { type: 'mode'; mode: PermissionMode }
  | { type: 'tool' }
  | { type: 'safety' }

export type PermissionDecision = { decisionReason: DecisionReason; trace: TraceStep[] } & (
  | { behavior: 'allow'; updatedInput: Record<string, unknown> }
  /** `message` is for the model: what was refused, and why. */
  | { behavior: 'deny'; message: string }
  /** `message` is for the person. `suggestion` is the rule that "always" would add, where there is one. */
  | { behavior: 'ask'; message: string; suggestion?: string }
)

/** What one stage says, where it decides. */
export interface Verdict {
  behavior: RuleBehavior
  why: string
  reason: DecisionReason
  suggestion?: string
}

/** A stage: a verdict ends the decision, undefined hands the call on to the next stage. */
export interface Stage<Call> {
  name: string
  judge(call: Call): Verdict | undefined
  /** What a stage found that has nothing to say. */
  pass: string
}

/** A rule that cannot be read. The message names it and its source, what was expected, and where. */
export class RuleError extends Error {
  readonly rule: string
  readonly expected: string
  /** In UTF-16 code units from the start of the rule. */
  readonly position: number
  readonly source: RuleSource | undefined

  constructor(rule: string, { expected, position, source }: RuleFault & { source?: RuleSource }) {
    const from = source ? ` from the ${source} settings` : ''
    super(`The permission rule ${JSON.stringify(rule)}${from} cannot be read: expected ${expected} at ${position}.`)
    this.name = 'RuleError'
    this.rule = rule
    this.expected = expected
    this.position = position
    this.source = source
  }
}

export interface RuleFault {
  expected: string
  position: number
}
