import { type LinesOptions, MAX_LINE_CHARS, readLines } from '#06-reading/lines.ts'
import { describe, expect, it } from '#support/test.ts'

/** Pieces in memory that is used again, as those of a file are. `asked` counts how many were taken. */
function inPieces(bytes: Buffer, size: number) {
  const source = { asked: 0, chunks }
  async function* chunks(): AsyncGenerator<Buffer> {
    const memory = Buffer.alloc(size)
    for (let start = 0; start < bytes.length; start += size) {
      source.asked++
      yield memory.subarray(0, bytes.copy(memory, 0, start, start + size))
      memory.fill('#')
    }
  }
  return source
}

const ALL = { encoding: 'utf8' as const, offset: 1, limit: 1000, maxChars: 1_000_000 }

async function read(text: string | Buffer, options: Partial<LinesOptions> = {}, size = 1 << 16) {
  const bytes = typeof text === 'string' ? Buffer.from(text, options.encoding) : text
  return readLines(inPieces(bytes, size).chunks(), { ...ALL, ...options })
}

const texts = ({ lines }: { lines: Array<{ text: string }> }) => lines.map(({ text }) => text)

describe('task 2: readLines', () => {
  it('gives the lines, and how many there are in all', async () => {
    const result = await read('one\ntwo\nthree\n')
    expect(texts(result)).toEqual(['one', 'two', 'three'])
    expect(result.total).toBe(3)
  })

  it('counts a last line without a line end', async () => {
    const result = await read('one\ntwo')
    expect(texts(result)).toEqual(['one', 'two'])
    expect(result.total).toBe(2)
  })

  it('finds no line in an empty text, and an empty one in a lone line end', async () => {
    expect(await read('')).toEqual({ lines: [], total: 0 })
    const blank = await read('\n')
    expect(texts(blank)).toEqual([''])
    expect(blank.total).toBe(1)
  })

  it('keeps empty lines', async () => {
    expect(texts(await read('\n\none\n\n'))).toEqual(['', '', 'one', ''])
  })

  it('starts at offset', async () => {
    const result = await read('one\ntwo\nthree\n', { offset: 2 })
    expect(texts(result)).toEqual(['two', 'three'])
    expect(result.total, 'of the whole text').toBe(3)
  })

  it('stops after limit lines, and does not claim to know the rest', async () => {
    const result = await read('one\ntwo\nthree\n', { limit: 2 })
    expect(texts(result)).toEqual(['one', 'two'])
    expect(result.total).toBeUndefined()
  })

  it('knows that nothing follows when limit is as long as the text', async () => {
    expect((await read('one\ntwo\n', { limit: 2 })).total).toBe(2)
    expect((await read('one\ntwo', { limit: 2 })).total).toBe(2)
    expect((await read('one\ntwo\n', { limit: 2 }, 1)).total, 'in pieces of one byte').toBe(2)
  })

  it('says how long the text is when offset lies beyond its end', async () => {
    expect(await read('one\ntwo\nthree\nfour\nfive', { offset: 100 })).toEqual({ lines: [], total: 5 })
    expect(await read('one\n', { offset: 2 })).toEqual({ lines: [], total: 1 })
  })

  it('puts lines and characters together that come in pieces', async () => {
    for (const size of [1, 2, 3, 5]) {
      expect(texts(await read('naïve\n日本語\n😀😀\n', {}, size)), `in pieces of ${size}`).toEqual([
        'naïve',
        '日本語',
        '😀😀',
      ])
    }
  })

  it('reads UTF-16, where a line end is two bytes', async () => {
    const text = '日本\nĊ ਊ\n😀' // U+010A and U+0A0A have the byte of a line end in them
    for (const size of [2, 4, 64]) {
      const result = await read(text, { encoding: 'utf16le' }, size)
      expect(texts(result), `in pieces of ${size}`).toEqual(['日本', 'Ċ ਊ', '😀'])
      expect(result.total).toBe(3)
    }
  })

  it('takes a carriage return before the line end off, and says so', async () => {
    for (const size of [1, 64]) {
      const { lines } = await read('one\r\ntwo\nth\rree\r\n', {}, size)
      expect(lines.map(({ text, isCrlf }) => [text, isCrlf])).toEqual([
        ['one', true],
        ['two', false],
        ['th\rree', true],
      ])
    }
  })

  it('takes a carriage return for text where no line end follows it', async () => {
    for (const encoding of ['utf8', 'utf16le'] as const) {
      for (const size of [2, 64]) {
        const { lines } = await read('one\r\ntwo\r', { encoding }, size)
        expect(lines.map(({ text, isCrlf }) => [text, isCrlf])).toEqual([
          ['one', true],
          ['two\r', false],
        ])
      }
    }
  })

  it('says that a line ended in CRLF, however much of it was cut', async () => {
    const long = 'x'.repeat(10 * MAX_LINE_CHARS)
    for (const encoding of ['utf8', 'utf16le'] as const) {
      for (const size of [10 * Buffer.byteLength('x', encoding), 1 << 16]) {
        const { lines } = await read(`${long}\r\n${long}\n${long}\r`, { encoding }, size)
        expect(lines.map(({ isCut, isCrlf }) => [isCut, isCrlf])).toEqual([
          [true, true],
          [true, false],
          [true, false],
        ])
      }
    }
  })

  it('cuts a long line, says so, and gives its length in bytes', async () => {
    const long = 'é'.repeat(MAX_LINE_CHARS + 500)
    for (const size of [7, 1 << 16]) {
      const { lines, total } = await read(`${long}\nnext\n`, {}, size)
      expect(lines[0]).toEqual({ text: 'é'.repeat(MAX_LINE_CHARS), bytes: long.length * 2, isCut: true, isCrlf: false })
      expect(lines[1].text, 'the line after it').toBe('next')
      expect(total).toBe(2)
    }
  })

  it('does not cut a line that is exactly as long as may be', async () => {
    const full = 'x'.repeat(MAX_LINE_CHARS)
    const { lines } = await read(`${full}\n${full}\r\n${full}y\n${full}`)
    expect(lines.map(({ isCut }) => isCut)).toEqual([false, false, true, false])
    expect(lines.every(({ text }) => text === full)).toBe(true)
  })

  it('does not halve a character that it cuts at', async () => {
    const { lines } = await read(`x${'😀'.repeat(MAX_LINE_CHARS)}`)
    expect(lines[0].text, 'half a surrogate pair is no text').not.toMatch(/[\uD800-\uDBFF]$/)
    expect(lines[0].text.length).toBeGreaterThan(MAX_LINE_CHARS - 3)
  })

  it('stops when the lines are long enough together', async () => {
    const { lines, total } = await read('0123456789\n'.repeat(100), { maxChars: 35 })
    expect(lines).toHaveLength(4)
    expect(total).toBeUndefined()
    const wide = await read(`${'日'.repeat(10)}\n`.repeat(100), { maxChars: 35 })
    expect(wide.lines, 'maxChars counts code units of the text, not bytes').toHaveLength(4)
  })

  it('asks for no more pieces than it needs', async () => {
    const source = inPieces(Buffer.from('one\ntwo\nthree\nfour\nfive\n'), 4)
    const { total } = await readLines(source.chunks(), { ...ALL, limit: 2 })
    expect(total, 'the second piece ends with the second line, and the text goes on').toBeUndefined()
    expect(source.asked, '"one" and "two" are in two pieces, and a third says that there is more').toBeLessThanOrEqual(
      3,
    )
  })

  it('closes the source when it stops early', async () => {
    let isClosed = false
    async function* chunks() {
      try {
        while (true) yield Buffer.from('line\n')
      } finally {
        isClosed = true
      }
    }
    await readLines(chunks(), { ...ALL, limit: 3 })
    expect(isClosed).toBe(true)
  })

  it('holds no more of a long line than is shown', async () => {
    const piece = Buffer.alloc(1 << 20, 'x')
    async function* chunks() {
      for (let i = 0; i < 256; i++) yield piece
      yield Buffer.from('\nend\n')
    }
    const before = process.memoryUsage()
    const { lines } = await readLines(chunks(), ALL)
    const after = process.memoryUsage()
    expect(lines[0].bytes).toBe(256 << 20)
    expect(lines, 'what counts towards maxChars is the text that is shown').toHaveLength(2)
    expect(lines[1].text).toBe('end')
    const grown = after.heapUsed + after.external - before.heapUsed - before.external
    expect(grown, 'a line of 256 MiB was kept').toBeLessThan(100 << 20)
  })
})
