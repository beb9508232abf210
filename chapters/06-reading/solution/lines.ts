import { StringDecoder } from 'node:string_decoder'
import { cutText } from '../given/text.ts'

/** How much of one line is shown, in UTF-16 code units. */
export const MAX_LINE_CHARS = 2000

/** A line without its line end. */
export interface Line {
  /** At most MAX_LINE_CHARS of it. */
  text: string
  /** How long the line is in the file, in bytes, without the `\n`. */
  bytes: number
  /** Whether `text` is not all of it. */
  isCut: boolean
  /** Whether the line ended in `\r\n`, cut or not. The `\r` is in `bytes`, and not in `text`. */
  isCrlf: boolean
}

export interface LinesOptions {
  /** How the chunks are written. In UTF-16, a chunk never ends inside a code unit. */
  encoding: 'utf8' | 'utf16le'
  /** The first line that is wanted, counted from 1. */
  offset: number
  /** How many lines are wanted at most. */
  limit: number
  /** When the lines, as they are shown, have this many UTF-16 code units together, no further one is read. */
  maxChars: number
}

export interface LinesRead {
  lines: Line[]
  /** How many lines there are in all. Undefined when there are more: the end was not reached. */
  total: number | undefined
}

/**
 * The lines from `offset` on, out of the bytes of a text, in memory that depends on neither the text's length nor a
 * line's.
 *
 * - A line ends at `\n`. What follows the last `\n` is a line of its own unless nothing follows; an empty text has none.
 * - A `\r` belongs to the line end only if `\n` follows it. Any other, also the last byte of the text, is text.
 * - Lines before `offset` are counted, never decoded.
 * - It stops as soon as it knows whether something follows the last line that is wanted: no chunk is asked for after
 *   that.
 * - A chunk is valid until the next one is asked for, and may begin and end anywhere: inside a line, inside a character.
 */
export async function readLines(chunks: AsyncIterable<Buffer>, options: LinesOptions): Promise<LinesRead> {
  // #region task 2: Count line ends until offset, then collect lines until there are enough.
  const { encoding, offset, limit, maxChars } = options
  const newline = encoding === 'utf8' ? 0x0a : '\n'
  const width = Buffer.byteLength('\n', encoding)
  const lines: Line[] = []
  let chars = 0
  let number = 1
  let line: PartialLine | undefined
  let isOpen = false

  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      if (lines.length >= limit || chars >= maxChars) return { lines, total: undefined }
      const found = chunk.indexOf(newline, start, encoding)
      isOpen = found === -1
      if (number >= offset) {
        line ??= startLine(encoding)
        addPiece(line, chunk.subarray(start, isOpen ? chunk.length : found))
      }
      if (isOpen) break
      if (line) chars += lines[lines.push(finishLine(line, true)) - 1].text.length
      line = undefined
      number++
      start = found + width
    }
  }
  if (line) lines.push(finishLine(line, false))
  return { lines, total: isOpen ? number : number - 1 }
  // #endregion
}

/** A line of which not every piece has come yet. Holds no more of it than is shown. */
export interface PartialLine {
  text: string
  bytes: number
  /** Whether every byte so far has gone into `text`. */
  isWhole: boolean
  /** Whether the last code unit so far is `\r`, be it in `text` or not. */
  endsInReturn: boolean
  encoding: LinesOptions['encoding']
  /** Keeps the start of a character until the rest of it comes. */
  decoder: StringDecoder
}

export function startLine(encoding: LinesOptions['encoding']): PartialLine {
  return { text: '', bytes: 0, isWhole: true, endsInReturn: false, encoding, decoder: new StringDecoder(encoding) }
}

/**
 * Adds the next piece of the line, which may be empty or end inside a character. Of a long line, only the start is
 * decoded; `endsInReturn` is about all of it.
 */
export function addPiece(line: PartialLine, piece: Buffer): void {
  // #region task 2: Count all bytes, look at the last code unit, and decode as many as may still be shown.
  line.bytes += piece.length
  const room = MAX_LINE_CHARS + 2 - line.text.length
  const decoded = piece.subarray(0, Math.max(0, room) * 4)
  line.text += line.decoder.write(decoded)
  if (decoded.length < piece.length) line.isWhole = false
  const carriageReturn = Buffer.from('\r', line.encoding)
  if (piece.length > 0) line.endsInReturn = piece.subarray(-carriageReturn.length).equals(carriageReturn)
  // #endregion
}

/**
 * The line, now that all of it has come. `ended` says whether that was a `\n`, or only the end of the text: a `\r` right
 * before a `\n` belongs to the line end, and at the end of the text it is text.
 */
export function finishLine({ text, bytes, isWhole, endsInReturn, decoder }: PartialLine, ended: boolean): Line {
  // #region task 2: Take the line end off, and cut the line if it is too long.
  const decoded = isWhole ? text + decoder.end() : text
  const isCrlf = ended && endsInReturn
  const line = isCrlf && isWhole ? decoded.slice(0, -1) : decoded
  return { text: cutText(line, MAX_LINE_CHARS), bytes, isCut: line.length > MAX_LINE_CHARS, isCrlf }
  // #endregion
}
