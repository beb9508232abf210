import { type Line, MAX_LINE_CHARS } from '#06-reading/lines.ts'
import { MAX_PAGES, MAX_WHOLE_PAGES, parsePageRange } from '#06-reading/pages.ts'
import { showLines } from '#06-reading/show-lines.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'

const line = (text: string, more: Partial<Line> = {}): Line => ({
  text,
  bytes: Buffer.byteLength(text),
  isCut: false,
  isCrlf: false,
  ...more,
})

const show = (lines: Line[], total: number | undefined, offset = 1) =>
  showLines({ lines, total }, { offset, file: 'a.ts' })

describe('task 3: showLines and parsePageRange', () => {
  it('numbers the lines as cat -n does, and adds nothing when that is all', () => {
    expect(show([line('one'), line('  two'), line('')], 3)).toBe('     1\tone\n     2\t  two\n     3\t')
  })

  it('counts the numbers from offset', () => {
    expect(show([line('a'), line('b')], 1_000_001, 1_000_000)).toBe('1000000\ta\n1000001\tb')
    expect(show([line('a')], 99_999, 99_999)).toBe(' 99999\ta')
  })

  it('says with which offset to go on when there is more', () => {
    const text = show([line('a'), line('b')], undefined, 11)
    expect(text).toMatch(/^ {4}11\ta\n {4}12\tb\n/)
    const note = text.slice(text.indexOf('\tb\n'))
    expect(note).toMatch(/offset=13\b/)
    expect(note, 'which lines these are').toMatch(/\b11\b.*\b12\b|\b12\b.*\b11\b/)
  })

  it('says which lines were cut, and how long they are', () => {
    const text = show([line('a'), line('b'.repeat(MAX_LINE_CHARS), { isCut: true, bytes: 123_456 })], 2)
    const notes = text.slice(text.lastIndexOf('bbb'))
    expect(notes).toMatch(/\b2\b/)
    expect(notes).toMatch(/123,?456/)
    expect(notes, 'how to see the rest').toMatch(/sed -n|cut -[bc]|awk|head -c|tail -c/)
    expect(show([line('a')], 1)).not.toMatch(/cut/i)
  })

  it('keeps the note on cut lines short, however many there are', () => {
    const cut = Array.from({ length: 2000 }, () => line('x', { isCut: true, bytes: 5000 }))
    const notes = show(cut, 2000).split('\n').slice(2000).join('\n')
    expect(notes.length).toBeLessThan(2000)
    expect(notes).not.toBe('')
  })

  it('says once that lines end in CRLF', () => {
    const text = show([line('a', { isCrlf: true }), line('b', { isCrlf: true })], 2)
    expect(text).toMatch(/^ {5}1\ta\n {5}2\tb\n/)
    expect(text).toMatch(/CRLF|\\r|carriage return|windows/i)
    expect(text.split('\n'), 'one note for all lines').toHaveLength(3)
    expect(show([line('a')], 1)).not.toMatch(/CRLF|\\r|carriage return|windows/i)
  })

  it('says that an empty file is empty', () => {
    const text = show([], 0)
    expect(text).toContain('a.ts')
    expect(text).toMatch(/empty/i)
  })

  it('tells an offset beyond the end from an empty file', () => {
    const text = show([], 5, 100)
    expect(text, 'an empty file would be written anew').not.toMatch(/empty/i)
    expect(text).toMatch(/\b100\b/)
    expect(text).toMatch(/\b5\b/)
    expect(show([], 1, 2)).toMatch(/\b1\b/)
  })

  it('shows a NUL byte as something that can be stored', () => {
    const text = show([line('a\0b')], 1)
    expect(text).not.toContain('\0')
    expect(text).toContain('a␀b')
  })

  it.for<[string, number, number, number]>([
    ['5', 9, 5, 5],
    ['2-4', 9, 2, 4],
    ['7-', 9, 7, 9],
    ['1-', 9, 1, 9],
    ['9', 9, 9, 9],
    [' 2 - 4 ', 9, 2, 4],
    ['1-20', 300, 1, 20],
    ['290-', 300, 290, 300],
    ['1-11', 11, 1, 11],
  ])('reads pages %j of %i', ([pages, count, first, last]) => {
    expect(parsePageRange(pages, count, 'a.pdf')).toEqual({ first, last })
  })

  it.for<[string, string, number]>([
    ['', 'says nothing', 9],
    ['all', 'is a word', 9],
    ['1,3', 'is a list', 9],
    ['-3', 'has no start', 9],
    ['1-2-3', 'has two dashes', 9],
    ['2 3', 'has no dash', 9],
    ['1.5', 'is no whole number', 9],
    ['0', 'counts from 0', 9],
    ['0-3', 'starts at 0', 9],
    ['4-2', 'goes backwards', 9],
    ['10', 'is one past the end', 9],
    ['8-12', 'ends past the end', 9],
    ['10-', 'starts past the end', 9],
    ['99999999999999999999', 'is beyond all bounds', 9],
    [`1-${MAX_PAGES + 1}`, 'is too much for one call', 33],
    ['2-', 'is too much, without an end', 33],
  ])('refuses pages %j, which %s, and says what the document has', async ([pages, , count]) => {
    const message = await errorOf(() => parsePageRange(pages, count, 'a.pdf'))
    expect(message).toContain(JSON.stringify(pages))
    expect(message).toContain('a.pdf')
    expect(message).toMatch(new RegExp(`\\b${count}\\b`))
  })

  it('says that a reversed range is reversed, not that it is past the end', async () => {
    const message = await errorOf(() => parsePageRange('4-2', 9, 'a.pdf'))
    expect(message).toMatch(/backward|revers|before|after|order|descend|smaller|less|lower|larger|greater|first|start/i)
    expect(message).not.toMatch(/past the end|beyond the end/i)
  })

  it('takes a short document whole when no pages are asked for', () => {
    expect(parsePageRange(undefined, 1, 'a.pdf')).toEqual({ first: 1, last: 1 })
    expect(parsePageRange(undefined, MAX_WHOLE_PAGES, 'a.pdf')).toEqual({ first: 1, last: MAX_WHOLE_PAGES })
  })

  it('asks for pages where a document is too long to be shown whole', async () => {
    const message = await errorOf(() => parsePageRange(undefined, MAX_WHOLE_PAGES + 1, 'a.pdf'))
    expect(message).toMatch(/\bpages\b/)
    expect(message).toContain(String(MAX_WHOLE_PAGES + 1))
  })
})
