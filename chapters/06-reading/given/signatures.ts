export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/**
 * What the first bytes of a file say that it is, whatever its name says: an image that the API takes, or a PDF.
 * Undefined for everything else.
 */
export function signatureOf(head: Buffer): ImageType | 'application/pdf' | undefined {
  const text = head.toString('latin1', 0, 16)
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (/^RIFF.{4}WEBP/s.test(text)) return 'image/webp'
  if (text.startsWith('%PDF-')) return 'application/pdf'
  return undefined
}
