import { encode, type Place, type TextFile, toTextFile, typedView } from './text-file.ts'

/**
 * `newText` as it goes to the place: with the place's line ends (see `withLineEnds`), and without a byte order mark of its
 * own where it lands right behind the file's.
 */
export function spellFor(file: TextFile, place: Place, texts: Texts): string {
  const text = withLineEnds(file, place, texts)
  return file.bomLength > 0 && place.start === file.bomLength ? text.replace(/^\uFEFF/, '') : text
}

/**
 * `newText` with the line ends of the place: its first line end is written as the place's first one, and so on; when the
 * place has no more, its last one goes on. A place without line ends takes the one that ends its line, or, at the end of
 * the file, the one before it; where there is none either, `\n`.
 *
 * It lands as it was typed where `\r` was typed on purpose: `newText` has one, or `oldText` has one, and stands at the
 * place just so.
 */
function withLineEnds(file: TextFile, place: Place, { oldText, newText }: Texts): string {
  const asTyped = oldText.includes('\r') ? standsAsTyped(file, place, oldText) : newText.includes('\r')
  if (asTyped || !newText.includes('\n')) return newText
  const ends = lineEndsAt(file, place)
  let next = 0
  return newText.replace(/\r?\n/g, () => ends[Math.min(next++, ends.length - 1)])
}

export interface Texts {
  oldText: string
  newText: string
}

function standsAsTyped(file: TextFile, { start, end }: Place, oldText: string): boolean {
  const found = file.bytes.subarray(start, end)
  return found.equals(encode(file, start === file.bomLength ? oldText.replace(/^\uFEFF/, '') : oldText))
}

function lineEndsAt(file: TextFile, { start, end }: Place): string[] {
  const inside: string[] = []
  for (let at = nextNewline(file, start); at !== -1 && at < end; at = nextNewline(file, at + 1)) {
    inside.push(endingAt(file, at))
  }
  if (inside.length > 0) return inside
  const after = nextNewline(file, end)
  const around = after === -1 ? lastNewline(file, start) : after
  return [around === -1 ? '\n' : endingAt(file, around)]
}

/** The line end whose `\n` is at `at`. */
function endingAt(file: TextFile, at: number): string {
  const cr = encode(file, '\r')
  const before = at - cr.length
  return before >= file.bomLength && file.bytes.subarray(before, at).equals(cr) ? '\r\n' : '\n'
}

function nextNewline(file: TextFile, from: number): number {
  const newline = encode(file, '\n')
  let at = file.bytes.indexOf(newline, from)
  while (at % newline.length === 1) at = file.bytes.indexOf(newline, at + 1)
  return at
}

function lastNewline(file: TextFile, before: number): number {
  const newline = encode(file, '\n')
  let at = before > 0 ? file.bytes.lastIndexOf(newline, before - newline.length) : -1
  while (at % newline.length === 1) at = file.bytes.lastIndexOf(newline, at - 1)
  return at
}

/**
 * The bytes of a file whose whole content becomes `content`. What a model does not see stays as it was: the encoding, the
 * byte order mark, and `\r\n` where all lines of the old content ended in it and `content` has no `\r` of its own.
 */
export function contentFor(old: Buffer | undefined, content: string): Buffer {
  if (!old) return Buffer.from(content)
  const file = toTextFile(old)
  const { text } = typedView(file)
  const isWindows = text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text)
  const spelled = isWindows && !content.includes('\r') ? content.replaceAll('\n', '\r\n') : content
  const withoutBom = file.bomLength > 0 ? spelled.replace(/^\uFEFF/, '') : spelled
  return Buffer.concat([old.subarray(0, file.bomLength), encode(file, withoutBom)])
}
