import { findPlaces, withoutOverlaps } from '#07-editing/places.ts'
import { describe, expect, it } from '#support/test.ts'
import { toTextFile } from '../given/text-file.ts'

/** The places as `[start, end]` in bytes. */
function places(content: string | Buffer, oldText: string): Array<[number, number]> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return findPlaces(toTextFile(bytes), oldText).map(({ start, end }) => [start, end])
}

describe('task 1: findPlaces and withoutOverlaps', () => {
  it('finds the one place, in bytes', () => {
    expect(places('one two three', 'two')).toEqual([[4, 7]])
    expect(places('é two', 'two'), 'é is two bytes').toEqual([[3, 6]])
    expect(places('👍 two', 'two'), '👍 is four bytes').toEqual([[5, 8]])
  })

  it('finds nothing where nothing is', () => {
    expect(places('one', 'two')).toEqual([])
    expect(places('', 'two')).toEqual([])
  })

  it('finds the old text that is all of the file', () => {
    expect(places('one', 'one')).toEqual([[0, 3]])
  })

  it('finds every place, in order, those that overlap too', () => {
    expect(places('aaa', 'aa')).toEqual([
      [0, 2],
      [1, 3],
    ])
  })

  it('takes \\n in the old text for the line ends of Windows too', () => {
    expect(places('a\r\nb\r\nc\r\n', 'a\nb')).toEqual([[0, 4]])
    expect(places('a\r\nb\r\nc\r\n', 'b\n')).toEqual([[3, 6]])
  })

  it('takes the whole line end, where the old text begins with \\n', () => {
    expect(places('a\r\nb\r\n', '\nb'), 'a lone \\r must not stay behind').toEqual([[1, 4]])
  })

  it('finds a place whose own line ends are mixed', () => {
    expect(places('a\r\nb\nc', 'a\nb\nc')).toEqual([[0, 6]])
  })

  it('counts both regions where one has \\n and the other \\r\\n', () => {
    expect(places('a\nb\r\na\r\nb\n', 'a\nb'), 'which one did the model mean?').toEqual([
      [0, 3],
      [5, 9],
    ])
  })

  it('takes \\r\\n as it was typed, where it stands so', () => {
    expect(places('a\nb\na\r\nb\n', 'a\r\nb')).toEqual([[4, 8]])
  })

  it('takes \\r\\n in the old text for \\n where the file has no \\r\\n there', () => {
    expect(places('a\nb\n', 'a\r\nb')).toEqual([[0, 3]])
  })

  it('does not take a lone \\r for a line end', () => {
    expect(places('a\rb', 'a\nb')).toEqual([])
    expect(places('a\rb', 'a\rb')).toEqual([[0, 3]])
  })

  it('finds the first line behind a byte order mark', () => {
    expect(places('\uFEFFk=1\n', 'k=1')).toEqual([[3, 6]])
  })

  it('leaves the byte order mark out of the place when the old text has one too', () => {
    expect(places('\uFEFFk=1\n', '\uFEFFk=1')).toEqual([[3, 6]])
  })

  it('finds no place that is nothing but the byte order mark', () => {
    expect(places('\uFEFFk=1\n', '\uFEFF'), 'without the mark, nothing is left').toEqual([])
    expect(places('\uFEFFa\uFEFFb', '\uFEFF'), 'the same character further on is text').toEqual([[4, 7]])
  })

  it('finds composed letters in a file that has them with separate accents', () => {
    expect(places('caf\u0065\u0301 = 1', 'caf\u00e9')).toEqual([[0, 6]])
    expect(places('\u1112\u1161\u11ab', '\ud55c'), 'Korean syllables are composed, too').toEqual([[0, 9]])
  })

  it('finds letters with separate accents in a file that has them composed', () => {
    expect(places('caf\u00e9 = 1', 'cafe\u0301')).toEqual([[0, 5]])
  })

  it('finds composed letters over line ends of Windows', () => {
    expect(places('e\u0301\r\nb', '\u00e9\nb')).toEqual([[0, 6]])
  })

  it('finds composed letters over line ends of Windows, typed as such', () => {
    expect(places('e\u0301\r\nb', '\u00e9\r\nb')).toEqual([[0, 6]])
    expect(places('e\u0301\nb', '\u00e9\r\nb')).toEqual([[0, 5]])
  })

  it('prefers the exact text to one that only looks like it', () => {
    expect(places('e\u0301 \u00e9', '\u00e9')).toEqual([[4, 6]])
  })

  it('counts all that look like it when none is exact', () => {
    expect(places('e\u0301 e\u0301', '\u00e9')).toHaveLength(2)
  })

  it('does not cut a letter in two when forms differ', () => {
    expect(places('q\u0323\u0301 e\u0323\u0301', '\u00e9'), 'that letter has a dot, too').toEqual([])
  })

  it('does not end a place between a letter and its second accent', () => {
    expect(places('e\u0301\u0323 = 1', '\u1eb9'), 'the acute accent would stay behind').toEqual([])
  })

  it('does not take straight quotes for curly ones', () => {
    expect(places('g = \u201chi\u201d\ng = "hi"\n', 'g = "hi"')).toEqual([[13, 21]])
    expect(places('g = \u201chi\u201d', 'g = "hi"')).toEqual([])
  })

  it('finds text among bytes that are no UTF-8, and never takes U+FFFD for them', () => {
    const bytes = Buffer.from('caf\xe9 = 1', 'latin1')
    expect(places(bytes, '= 1')).toEqual([[5, 8]])
    expect(places(bytes, 'caf\uFFFD = 1')).toEqual([])
  })

  it.for([
    ['UTF-16, low byte first', [0xff, 0xfe], (bytes: Buffer) => bytes],
    ['UTF-16, high byte first', [0xfe, 0xff], (bytes: Buffer) => bytes.swap16()],
  ] as const)('finds text in %s', ([, bom, order]) => {
    const bytes = Buffer.concat([Buffer.from(bom), order(Buffer.from('a\r\nbé👍c', 'utf16le'))])
    expect(places(bytes, 'a\nb')).toEqual([[2, 10]])
    expect(places(bytes, '👍')).toEqual([[12, 16]])
  })

  it('finds no text between two characters of UTF-16', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('\u6100\u0061', 'utf16le')])
    expect(places(bytes, 'a'), 'the bytes 61 00 stand twice, the letter once').toEqual([[4, 6]])
  })

  it('takes the first of two places that overlap, when all are to be replaced', () => {
    const at = (start: number, end: number) => ({ start, end })
    expect(withoutOverlaps([at(0, 2), at(1, 3), at(2, 4), at(3, 5)])).toEqual([at(0, 2), at(2, 4)])
    expect(withoutOverlaps([])).toEqual([])
  })
})
