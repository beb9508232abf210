import type Anthropic from '@anthropic-ai/sdk'
import type { ContentBlock } from '@modelcontextprotocol/client'
import { imageBlock } from '../../06-reading/given/read-image.ts'
import { signatureOf } from '../../06-reading/given/signatures.ts'

export type ModelBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam

/** Images of one result, all together, as base64. What is more is named and not shown. */
export const MAX_IMAGES_CHARS = 5 * 1024 * 1024

/**
 * One block of a server's result for the model.
 *
 * - Text stays text, and nothing else of the block is kept: what the server adds, the API would not take.
 * - An image stays an image if the API takes it, and so does a resource whose bytes are one.
 * - A resource with text becomes its address in brackets, and its text in the lines below. A link to a resource becomes a
 *   text with its name and its address.
 * - Everything else is named: the model has no ears, but it is to know that there was something.
 */
export function toModelBlock(block: ContentBlock): ModelBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return imageOrName(block.data, block.mimeType)
    case 'audio':
      return named(block.mimeType, block.data, 'audio cannot be heard')
    case 'resource_link': {
      const description = block.description ? `: ${block.description}` : ''
      return { type: 'text', text: `[resource ${block.name}, ${block.uri}${description}]` }
    }
    case 'resource': {
      const { resource } = block
      const name = `${resource.uri}, ${resource.mimeType ?? 'bytes'}`
      if ('text' in resource) return { type: 'text', text: `[${resource.uri}]\n${resource.text}` }
      if (resource.mimeType?.startsWith('image/')) return imageOrName(resource.blob, name)
      return named(name, resource.blob, 'it is no text')
    }
  }
}

/**
 * An image for the model, or a text that names it where the API would not take it. What kind of image it is, its bytes
 * say: an API that is told PNG and gets JPEG refuses the whole request.
 */
function imageOrName(data: string, name: string): ModelBlock {
  if (data.length > MAX_IMAGES_CHARS) return named(name, data, 'it is too large')
  const bytes = Buffer.from(data, 'base64')
  const type = signatureOf(bytes)
  if (type === undefined || type === 'application/pdf') return named(name, data, 'it is no PNG, JPEG, GIF or WebP')
  try {
    return imageBlock(bytes, type, name)
  } catch (error) {
    return named(name, data, (error as Error).message)
  }
}

/** Stands for something that the model cannot be shown: `[audio/wav, 1234 bytes: not shown, why]`. */
export function named(name: string, data: string, why: string): Anthropic.TextBlockParam {
  return { type: 'text', text: `[${name}, ${Math.floor((data.length * 3) / 4)} bytes: not shown, ${why}]` }
}
