import type { CallToolResult } from '@modelcontextprotocol/client'
import { MAX_IMAGES_CHARS, type ModelBlock, named, toModelBlock } from '../given/mcp-blocks.ts'

/** What a call of a server's tool gives: what the model reads, and whether the server calls it a failure. */
export interface McpOutput {
  content: ModelBlock[]
  isError: boolean
}

/**
 * A server's result as the model reads it. Everything is said once.
 *
 * - Each block of `content` becomes what `toModelBlock` says. Structured content is left out then: it says the same.
 * - Where the content has nothing to read (no block, or blank text alone), the structured content stands in for it, as
 *   JSON.
 * - The images of one result have at most MAX_IMAGES_CHARS characters of base64 together. One that is too much is `named`.
 * - How long the text may be is not decided here: the tool's `maxResultSizeChars` counts for all of it.
 */
export function toOutput({ content, structuredContent, isError }: CallToolResult): McpOutput {
  // #region task 5: Say everything once, and let no kind of content past the limits.
  const read = content.map(toModelBlock)
  const isEmpty = read.every((block) => block.type === 'text' && block.text.trim() === '')
  const blocks: ModelBlock[] =
    isEmpty && structuredContent !== undefined ? [{ type: 'text', text: JSON.stringify(structuredContent) }] : read
  let left = MAX_IMAGES_CHARS
  const bearable = blocks.map((block): ModelBlock => {
    if (block.type !== 'image' || block.source.type !== 'base64') return block
    const { data, media_type } = block.source
    if (data.length > left) return named(media_type, data, 'there were too many images before it')
    left -= data.length
    return block
  })
  return { content: bearable, isError: isError === true }
  // #endregion
}
