import type { FileHandle } from 'node:fs/promises'

/** How the text of a file is written. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Bytes that are read at a time: large enough to be quick, and all that is ever held. */
const CHUNK_SIZE = 256 * 1024

/** The encoding in Node's words: of what `chunksOf` yields. */
export function chunkEncoding(encoding: Encoding): 'utf8' | 'utf16le' {
  return encoding === 'utf-8' ? 'utf8' : 'utf16le'
}

/**
 * A file's bytes from its start, piece by piece, without a byte order mark.
 *
 * UTF-16 comes in little-endian whichever it is written in, and a piece ends between two code units. A piece is valid
 * until the next one is asked for: its memory is used again. `onBytes` sees the bytes as they are in the file.
 * Throws the signal's reason once it is aborted.
 */
export async function* chunksOf(
  handle: FileHandle,
  encoding: Encoding,
  { signal, onBytes }: { signal: AbortSignal; onBytes?: (bytes: Buffer) => void },
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_SIZE)
  for (let position = 0; ; ) {
    const bytes = await fill(handle, buffer, position, signal)
    if (bytes.length === 0) return
    onBytes?.(bytes)
    const chunk = encoding === 'utf-8' ? bytes : bytes.subarray(0, bytes.length - (bytes.length % 2))
    if (encoding === 'utf-16be') chunk.swap16()
    yield position === 0 ? withoutMark(chunk) : chunk
    position += bytes.length
  }
}

/** As many bytes from `position` on as the buffer holds, fewer only at the end of the file. */
async function fill(handle: FileHandle, buffer: Buffer, position: number, signal: AbortSignal): Promise<Buffer> {
  let filled = 0
  while (filled < buffer.length) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

function withoutMark(chunk: Buffer): Buffer {
  for (const mark of ['\xef\xbb\xbf', '\xff\xfe']) {
    if (chunk.toString('latin1', 0, mark.length) === mark) return chunk.subarray(mark.length)
  }
  return chunk
}
