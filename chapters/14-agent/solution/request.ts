import type Anthropic from '@anthropic-ai/sdk'
import { type AnyTool, toApiTool } from '#05-build-tool/tool.ts'
import { blocksOf, isBlankText, takesMark, unmarked } from '../given/blocks.ts'

export type AgentRequest = Anthropic.MessageCreateParamsStreaming

export interface RequestParts {
  model: string
  maxTokens: number
  /** The start of the system prompt. */
  system: string
  /** All tools of the session. */
  tools: readonly AnyTool[]
  /** Those of them that the model is shown, in the order in which it is shown them. */
  shown: readonly AnyTool[]
  messages: readonly Anthropic.MessageParam[]
}

const MARK: Anthropic.CacheControlEphemeral = { type: 'ephemeral' }

/**
 * The request for one streamed answer, with the marks up to which the API keeps it in its cache.
 *
 * - `tools`: what `toApiTool` says of each tool that is shown, in that order. Each `prompt` is asked once, and sees all
 *   tools of the session.
 * - `system` is one text block: `composeSystem`.
 * - `messages`: the conversation. Every content is an array of blocks, so that a message is the same in this request
 *   and in the next.
 * - Marks (`cache_control`) are on the last tool, on the system prompt, on the last message, and on the last user
 *   message before it: that is where the request before this one ended, and what the cache has. A mark that came with a
 *   message is taken off, so there are never more than four.
 * - Where there are no tools, or no system prompt, the field is left out.
 *
 * Changes no message. Rejects with what `toApiTool` rejects with.
 */
export async function buildRequest(parts: RequestParts): Promise<AgentRequest> {
  // #region task 1: Put the parts together, and mark where the cache may end.
  const { model, maxTokens, tools, shown, messages } = parts
  const apiTools = await Promise.all(shown.map((tool) => toApiTool(tool, { tools })))
  const system = composeSystem(parts.system, apiTools)
  const before = messages.findLastIndex(({ role }, i) => role === 'user' && i < messages.length - 1)
  return {
    model,
    max_tokens: maxTokens,
    stream: true,
    ...(apiTools.length > 0 && { tools: apiTools.with(-1, { ...apiTools.at(-1)!, cache_control: MARK }) }),
    ...(system !== '' && { system: [{ type: 'text', text: system, cache_control: MARK }] }),
    messages: messages.map((message, i) => toSend(message, i === before || i === messages.length - 1)),
  }
  // #endregion
}

/**
 * The system prompt: `base`, and then a section for each tool, in order: a line `## Name`, and the tool's description.
 * The base and the descriptions are without the white space at their ends, and a blank line stands between the parts. A
 * blank base, and a tool without a description, or with a blank one, have no part. The empty text where there is nothing
 * to say.
 */
export function composeSystem(base: string, tools: readonly Anthropic.Tool[]): string {
  // #region task 1: Join the base and what each tool says of itself.
  const sections = tools.map(({ name, description = '' }) => description.trim() && `## ${name}\n${description.trim()}`)
  return [base.trim(), ...sections].filter((part) => part !== '').join('\n\n')
  // #endregion
}

/**
 * A message as it is sent: its content in blocks, and where it `isMarked`, a mark on the last block that can have one.
 * None can be on a blank text, nor on what the model thought (`takesMark`).
 */
function toSend(message: Anthropic.MessageParam, isMarked: boolean): Anthropic.MessageParam {
  // #region task 1: Make blocks of it, and mark the last one that takes a mark.
  const blocks = blocksOf(message).map(unmarked)
  const at = isMarked ? blocks.findLastIndex((block) => takesMark(block) && !isBlankText(block)) : -1
  const content = blocks.map((block, i) => (i === at ? { ...block, cache_control: MARK } : block))
  return { ...message, content } as Anthropic.MessageParam
  // #endregion
}
