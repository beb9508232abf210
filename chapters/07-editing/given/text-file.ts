/** A text file as bytes, and how its bytes are written. */
export interface TextFile {
  bytes: Buffer
  encoding: 'utf8' | 'utf16le' | 'utf16be'
  /** The length of the byte order mark: 0 where there is none. */
  bomLength: number
}

/** A place in a file, in bytes: from `start` up to `end`, which is not part of it. */
export interface Place {
  start: number
  end: number
}

/** Text made of a file's bytes, which can say where in the bytes each part of it stands. */
export interface View {
  text: string
  /**
   * `offsets[i]` is the byte at which `text[i]` begins, `offsets[text.length]` the length of the file, and NO_BOUNDARY
   * where nothing can begin: inside a character, or between a letter and the accent that belongs to it.
   */
  offsets: Uint32Array
}

export const NO_BOUNDARY = 0xffff_ffff

const BOMS = [
  { encoding: 'utf8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf16be', bytes: [0xfe, 0xff] },
] as const

/** Tells the encoding by the byte order mark: UTF-8 where there is none. */
export function toTextFile(bytes: Buffer): TextFile {
  const bom = BOMS.find((candidate) => candidate.bytes.every((byte, index) => bytes[index] === byte))
  return { bytes, encoding: bom?.encoding ?? 'utf8', bomLength: bom?.bytes.length ?? 0 }
}

/** Whether there is a NUL character in it: then it is no text. */
export function isBinary(file: TextFile): boolean {
  return file.encoding === 'utf8' ? file.bytes.includes(0) : typedView(file).text.includes('\0')
}

/** The bytes of `text` in this file's encoding. */
export function encode(file: TextFile, text: string): Buffer {
  if (file.encoding === 'utf8') return Buffer.from(text, 'utf8')
  const bytes = Buffer.from(text, 'utf16le')
  return file.encoding === 'utf16le' ? bytes : bytes.swap16()
}

/**
 * The whole file, character by character, the byte order mark included.
 * A byte that is no part of a character becomes one half of a surrogate pair, U+DC80 to U+DCFF, which no well-formed
 * text contains: so nothing that is searched for can match it.
 */
export function typedView({ bytes, encoding }: TextFile): View {
  const units = new Uint16Array(bytes.length)
  const offsets = new Uint32Array(bytes.length + 1)
  let length = 0
  const push = (offset: number, unit: number) => {
    offsets[length] = offset
    units[length++] = unit
  }
  for (let at = 0; at < bytes.length; ) {
    if (encoding === 'utf8' && bytes[at] < 0x80) {
      push(at, bytes[at])
      at++
      continue
    }
    const [codePoint, size] = encoding === 'utf8' ? utf8At(bytes, at) : utf16At(bytes, at, encoding)
    if (codePoint > 0xffff) {
      push(at, 0xd800 + ((codePoint - 0x10000) >> 10))
      push(NO_BOUNDARY, 0xdc00 + ((codePoint - 0x10000) & 0x3ff))
    } else push(at, codePoint)
    at += size
  }
  offsets[length] = bytes.length
  const text = Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
  return { text, offsets: offsets.subarray(0, length + 1) }
}

/** The file as Read shows it: every `\r\n` is one `\n`, which begins where the `\r` is. */
export function linesView(file: TextFile): View {
  return mapped(typedView(file), /\r\n/g, () => '\n')
}

/**
 * The lines view in Unicode's composed form, NFC: an `e` that is followed by an accent is one letter `é`.
 * People and models see no difference between the two.
 */
export function composedView(file: TextFile): View {
  return mapped(linesView(file), LETTER, (letter) => letter.normalize('NFC'))
}

/** The file as Read shows it: without the byte order mark, and with `\n` for `\r\n`. */
export function textAsRead(file: TextFile): string {
  const { text } = linesView(file)
  return file.bomLength > 0 ? text.slice(1) : text
}

/** The numbers of the lines in which the places begin, counted from 1. The places are in order. */
export function lineNumbersOf(file: TextFile, places: readonly Place[]): number[] {
  const newline = encode(file, '\n')
  const { bytes } = file
  let line = 1
  let at = -1
  const advance = () => {
    do at = bytes.indexOf(newline, at + 1)
    while (at % newline.length === 1)
    return at === -1 ? bytes.length : at
  }
  let next = advance()
  return places.map(({ start }) => {
    for (; next < start; next = advance()) line++
    return line
  })
}

/** A character with what combines with it: accents, and the later parts of a Korean syllable. */
const LETTER = /[\s\S][\p{M}\u1160-\u11ff]+|[^\0-\x7f]/gu

/** The view with each match of `pattern` replaced. Where the text changes, nothing begins inside the replacement. */
function mapped(view: View, pattern: RegExp, replace: (part: string) => string): View {
  const changes: Array<{ index: number; part: string; replacement: string }> = []
  let growth = 0
  for (const { 0: part, index } of view.text.matchAll(pattern)) {
    const replacement = replace(part)
    if (replacement === part) continue
    changes.push({ index, part, replacement })
    growth += replacement.length - part.length
  }
  if (changes.length === 0) return view

  const pieces: string[] = []
  const offsets = new Uint32Array(view.offsets.length + growth).fill(NO_BOUNDARY)
  let done = 0
  let length = 0
  for (const { index, part, replacement } of changes) {
    pieces.push(view.text.slice(done, index), replacement)
    offsets.set(view.offsets.subarray(done, index + 1), length)
    length += index - done + replacement.length
    done = index + part.length
  }
  pieces.push(view.text.slice(done))
  offsets.set(view.offsets.subarray(done), length)
  return { text: pieces.join(''), offsets }
}

/** The code point at `at` and the number of its bytes; a byte that is no UTF-8 is U+DC00 + byte. */
function utf8At(bytes: Buffer, at: number): [codePoint: number, size: number] {
  const first = bytes[at]
  if (first < 0x80) return [first, 1]
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  let codePoint = first & (0xff >> (size + 1))
  for (let index = 1; index < size; index++) {
    if ((bytes[at + index] & 0xc0) !== 0x80) return [0xdc00 + first, 1]
    codePoint = (codePoint << 6) | (bytes[at + index] & 0x3f)
  }
  const smallest = [0, 0, 0x80, 0x800, 0x10000][size]
  const wrong = codePoint < smallest || codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)
  return first < 0xc2 || first > 0xf4 || wrong ? [0xdc00 + first, 1] : [codePoint, size]
}

/** The code point at `at` and the number of its bytes. A last byte on its own is U+DC00 + byte. */
function utf16At(bytes: Buffer, at: number, encoding: 'utf16le' | 'utf16be'): [codePoint: number, size: number] {
  const unitAt = (offset: number) =>
    encoding === 'utf16le' ? bytes[offset] | (bytes[offset + 1] << 8) : (bytes[offset] << 8) | bytes[offset + 1]
  if (at + 1 >= bytes.length) return [0xdc00 + bytes[at], 1]
  const high = unitAt(at)
  const low = at + 3 < bytes.length ? unitAt(at + 2) : 0
  const isPair = high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000
  return isPair ? [0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), 4] : [high, 2]
}
