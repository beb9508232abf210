import type Anthropic from '@anthropic-ai/sdk'
import type { z } from 'zod'

/**
 * A tool, whole: what it is called, what it takes, what it says, what it does, and how dangerous that is.
 * Nobody writes one by hand: `buildTool` makes it from a definition and fills in the cautious answer everywhere else.
 *
 * Every method that gets `input` gets it parsed: it has passed `inputSchema`. None needs `this`.
 */
export interface Tool<Input extends z.ZodType = z.ZodType<any>, Output = any> {
  // ── identity ──
  /** What the model calls it by: 1 to 128 letters, digits, `_` and `-`. */
  readonly name: string
  /** Earlier names, under which it is still found. Never shown to the model. */
  readonly aliases: readonly string[]
  /** Words by which `ToolSearch` finds it when it is not in the list that the model sees. */
  readonly searchHint: string | undefined
  /** What people read in the terminal: `Read`, `Update`. The input is missing while it is still streamed. */
  userFacingName(input?: z.output<Input>): string

  // ── contract ──
  /** What the model must send. May be a getter: it is not asked for before it is needed. */
  readonly inputSchema: Input
  /** What `call` returns as data, for those who want to check it. */
  readonly outputSchema: z.ZodType<Output> | undefined
  /** A JSON Schema that came from elsewhere (an MCP server). The model is shown this one in place of `inputSchema`'s. */
  readonly inputJSONSchema: Anthropic.Tool.InputSchema | undefined

  // ── words for the model ──
  /** One line about this call, for the person who is asked whether it may run. The input may be partial. */
  description(input: Partial<z.output<Input>>, options: DescribeOptions): Promise<string>
  /** What the model reads about the tool: the `description` of its entry in `tools[]`. May depend on the session. */
  prompt(options: PromptOptions): Promise<string>

  // ── life of a call, in this order ──
  /** Whether the tool exists in this session at all. */
  isEnabled(): boolean
  /** Checks what a schema cannot: does the file exist, has it been read? Comes before anybody is asked for permission. */
  validateInput(input: z.output<Input>, context: ToolUseContext): Promise<ValidationResult>
  /** The tool's own opinion on permission. `allow` means "no objection": rules and modes have the last word. */
  checkPermissions(input: z.output<Input>, context: ToolUseContext): Promise<PermissionResult<z.output<Input>>>
  /**
   * Does the work. It may throw: whoever runs tools makes an error result of it. It should stop when
   * `context.abortController` is aborted.
   */
  call(
    args: z.output<Input>,
    context: ToolUseContext,
    canUseTool: CanUseTool,
    parentMessage: Anthropic.Message,
    onProgress: (progress: ToolProgress) => void,
  ): Promise<ToolResult<Output>>

  // ── safety: a doubt is the cautious answer, and the three questions with yes or no never throw ──
  /** May it run at the same time as other calls? */
  isConcurrencySafe(input: z.output<Input>): boolean
  /** Does it leave everything as it was? */
  isReadOnly(input: z.output<Input>): boolean
  /** Can it destroy something that cannot be had back? */
  isDestructive(input: z.output<Input>): boolean
  /** What a new message of the user does to a call that is running: `cancel` it, or wait for it (`block`). */
  interruptBehavior(): 'cancel' | 'block'
  /** What a classifier of dangerous calls reads: one line. Empty: nothing of interest. */
  toAutoClassifierInput(input: z.output<Input>): string

  // ── results ──
  /** A longer result goes to a file, and the model gets its start. In UTF-16 code units; `Infinity`: never. */
  readonly maxResultSizeChars: number
  /** What the model gets: the block that answers the call `toolUseID`. */
  mapToolResultToToolResultBlockParam(output: Output, toolUseID: string): Anthropic.ToolResultBlockParam

  // ── people: plain text, for a terminal ──
  /** The call in one line. The input is partial while it is still streamed. */
  renderToolUseMessage(input: Partial<z.output<Input>>): string
  /** The result in a few lines. */
  renderToolResultMessage(output: Output): string
}

/** A tool of any input and output: what lists and registries hold. */
export type AnyTool = Tool<z.ZodType<any>, any>

export interface ToolResult<Output> {
  data: Output
}

/** What a tool says while it works. What kinds there are is up to the tool. */
export interface ToolProgress {
  type: string
  [key: string]: unknown
}

export type ValidationResult = { result: true } | { result: false; message: string }

/** May this call run? `updatedInput` is the input to run it with, which may differ from what was asked for. */
export type PermissionResult<Input = Record<string, unknown>> =
  | { behavior: 'allow'; updatedInput: Input }
  | { behavior: 'deny'; message: string }
  | { behavior: 'ask'; message: string; updatedInput?: Input }

/** Asks whoever decides: rules, modes, in the end a person. Only `allow` lets the call run. */
export type CanUseTool = (
  tool: AnyTool,
  input: Record<string, unknown>,
  context: ToolUseContext,
  parentMessage: Anthropic.Message,
) => Promise<PermissionResult>

export interface PromptOptions {
  /** All tools of the session: a text may recommend another tool only if it is there. */
  tools: readonly AnyTool[]
}

export interface DescribeOptions extends PromptOptions {
  isNonInteractiveSession: boolean
}

/** What a file was when it was last read or written by a tool. */
export interface ReadFileRecord {
  /** Taken before the bytes were read. Milliseconds since 1970, with fractions. */
  mtimeMs: number
  /** In bytes. */
  size: number
  /** SHA-256 of the bytes, in hex; absent where only a part was read. */
  hash?: string
}

/** What a tool may reach. All of it is handed in, so a test can replace it. */
export interface ToolUseContext {
  /** The folder that relative paths count from: absolute. */
  readonly cwd: string
  readonly abortController: AbortController
  /** The files that the model has seen, by real path. Tools add to it. */
  readonly readFileState: Map<string, ReadFileRecord>
  getAppState(): AppState
  setAppState(update: (state: AppState) => AppState): void
  readonly options: {
    readonly tools: readonly AnyTool[]
    /** True where nobody is there to answer a question. */
    readonly isNonInteractiveSession: boolean
  }
}

/** What a session remembers across calls. Tools keep their own part under a key of theirs. */
export type AppState = Readonly<Record<string, unknown>>
