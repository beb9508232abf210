import type Anthropic from '@anthropic-ai/sdk'
import { imageSize } from 'image-size'
import type { ImageType } from './signatures.ts'
import { counted } from './text.ts'

/** The API's limits for one image: 5 MB as base64, and 8,000 pixels each way. */
const MAX_BASE64 = 5 * 1024 * 1024
const MAX_PIXELS = 8000
/** Base64 writes three bytes as four characters. */
export const MAX_IMAGE_BYTES = Math.floor(MAX_BASE64 / 4) * 3

/** The image as a block for the model. Throws an Error that names `file` when the API would not take it. */
export function imageBlock(bytes: Buffer, mediaType: ImageType, file: string): Anthropic.ImageBlockParam {
  if (bytes.length > MAX_IMAGE_BYTES) throw imageTooLarge(bytes.length, file)
  const { width, height } = sizeOf(bytes, file)
  if (width > MAX_PIXELS || height > MAX_PIXELS) {
    throw new Error(
      `${file} has ${width} × ${height} pixels, and at most ${MAX_PIXELS} each way can be shown. Make a smaller copy and read that.`,
    )
  }
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: bytes.toString('base64') } }
}

/** Why an image of so many bytes is not even read. */
export function imageTooLarge(size: number, file: string): Error {
  return new Error(
    `${file} is an image of ${counted(size, 'byte')}, and at most ${counted(MAX_IMAGE_BYTES, 'byte')} can be shown. Make a smaller copy and read that.`,
  )
}

function sizeOf(bytes: Buffer, file: string): { width: number; height: number } {
  try {
    const { width, height } = imageSize(bytes)
    if (width > 0 && height > 0) return { width, height }
  } catch {}
  throw new Error(`${file} begins like an image but is damaged: it does not say how large it is.`)
}
