import type { Client } from '@modelcontextprotocol/client'
import { z } from 'zod'
import { lazySchema } from '#03-contract/contract.ts'
import { type AnyTool, buildTool, type ToolProgress } from '#05-build-tool/tool.ts'
import { type McpDefinition, readDefinition } from '../given/mcp-definitions.ts'
import { sayFailure } from '../given/mcp-failures.ts'
import { MAX_CALL_MS, type McpToolsOptions, SILENCE_MS } from '../given/mcp-options.ts'
import { startTimeLimit } from '../given/time-limit.ts'
import { listEntries } from './mcp-list.ts'
import { mcpToolName } from './mcp-names.ts'
import { type McpOutput, toOutput } from './mcp-result.ts'

export type { McpToolsOptions } from '../given/mcp-options.ts'
export type { McpOutput } from './mcp-result.ts'

/** What the model reads of one tool, in UTF-16 code units: a server's word is not to fill the prompt. */
export const MAX_DESCRIPTION = 2_000

/** What the model sends goes to the server as it is: the server has the schema, and checks it. */
const anyInput = lazySchema(() => z.looseObject({}))

/**
 * The tools that a server has now, each as a Tool like any other, in the order in which the server lists them.
 *
 * - A tool is called `mcpToolName` of the server and itself. What is sent to the server is its own name.
 * - Where an entry can't be read (`readDefinition`), that tool alone is left out, with a warning that names it and says
 *   why. So is a tool whose name for the model (`mcpToolName`) is taken by one before it, whatever the server calls the two.
 * - A server that has no tools at all, by its capabilities, is not asked.
 * - Rejects with an Error that names the server when the list can't be had.
 */
export async function mcpTools(client: Client, options: McpToolsOptions): Promise<AnyTool[]> {
  // TODO(task 4): Make a tool of every entry that can be one, and say which can't.
  throw new Error('TODO(task 4): mcpTools')
}

/**
 * A server's tool behind the interface of chapter 05.
 *
 * - The model is shown the server's own schema (`inputJSONSchema`), and the server's description: where there is none, its
 *   title, or else its name; at most MAX_DESCRIPTION of it.
 * - The annotations are hints: what the server says of itself. `readOnlyHint: true` makes the tool read-only and safe to
 *   run beside others; `destructiveHint: false` makes it not destructive. Whatever else they say, or where they say
 *   nothing, the cautious answer of chapter 05 holds.
 */
function toTool(
  client: Client,
  { name, definition, options }: { name: string; definition: McpDefinition; options: McpToolsOptions },
): AnyTool {
  const { title, description, annotations, inputSchema: inputJSONSchema } = definition
  return buildTool({
    name,
    searchHint: title ?? annotations.title,
    userFacingName: () => oneLine(`${options.serverName}: ${title ?? annotations.title ?? definition.name}`),
    get inputSchema() {
      return anyInput()
    },
    inputJSONSchema,
    maxResultSizeChars: 100_000,
    prompt: async () => (description || title || definition.name).slice(0, MAX_DESCRIPTION),
    // TODO(task 4): Say what the hints mean for the three flags.
    call: async (input, { abortController: { signal } }, _canUseTool, _parentMessage, onProgress) => ({
      data: await callServer(client, { tool: definition.name, input, signal, onProgress, options }),
    }),
    mapToolResultToToolResultBlockParam: ({ content, isError }, toolUseID) => ({
      type: 'tool_result',
      tool_use_id: toolUseID,
      content,
      ...(isError && { is_error: true }),
    }),
    renderToolResultMessage: ({ content }) =>
      content.map((block) => (block.type === 'text' ? oneLine(block.text) : `[${block.type}]`)).join('\n'),
  })
}

export interface ServerCall {
  /** The tool's name as the server knows it. */
  tool: string
  input: Record<string, unknown>
  signal: AbortSignal
  onProgress(progress: ToolProgress): void
  options: McpToolsOptions
}

/**
 * Sends one call to the server, and gives what `toOutput` makes of its answer.
 *
 * - What the server says on its way goes to `onProgress`, as `{ type: 'mcp', progress, total, message }`. Whatever else it
 *   says with that (`_meta`) goes no further.
 * - A server may be silent for `silenceMs`: progress begins that anew. The whole call may take `maxCallMs`, whatever it
 *   says (`startTimeLimit`). The SDK has a limit of its own for each: look at its RequestOptions, and at when it is looked at.
 *   One that is over is over on time, also when the server has said something a moment ago.
 * - When `signal` is aborted, the server is told, and this rejects with the signal's reason.
 * - Where there is no answer (the server has ended, is silent, refuses, or talks nonsense), it rejects with an Error that
 *   says what `sayFailure` says.
 * - No timer stays, and no listener on `signal`, whatever comes of the call.
 */
export async function callServer(client: Client, call: ServerCall): Promise<McpOutput> {
  const { tool, input, signal, onProgress, options } = call
  const { serverName, silenceMs = SILENCE_MS, maxCallMs = MAX_CALL_MS } = options
  // TODO(task 5): Call, within two limits, and let no failure go without the server's name.
  throw new Error('TODO(task 5): callServer')
}

/** For a terminal: one line, and nothing in it that a terminal would obey. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 200)
}
