import { describe, expect, it } from 'vitest'
import { count, head, plain, wrap } from './text.ts'

describe('wrap', () => {
  it('breaks at blanks, and no line is wider than 80 columns', () => {
    const words = Array.from({ length: 60 }, (_, index) => 'x'.repeat(1 + (index % 9)))
    const lines = wrap(words.join(' '), '    ').split('\n')
    expect(lines.join(' ').trim().split(/\s+/)).toEqual(words)
    for (const line of lines) expect(line).toMatch(/^ {4}\S.{0,75}$/)
  })

  it.for<[what: string, text: string, expected: string]>([
    ['keeps the lines of the text', 'a\nb', '> a\n> b'],
    ['keeps an empty line, without blanks at its end', 'a\n\nb', '> a\n>\n> b'],
    ['keeps the indent of a line', 'a\n  b', '> a\n>   b'],
    ['does not break a long word', 'x'.repeat(90), `> ${'x'.repeat(90)}`],
    ['is empty for the empty text', '', '>'],
  ])('%s', ([, text, expected]) => {
    expect(wrap(text, '> ')).toBe(expected)
  })
})

describe('head', () => {
  it.for<[lines: number, expected: string]>([
    [4, 'a\nb\nc'],
    [3, 'a\nb\nc'],
    [2, 'a\nb\n… 1 more lines'],
    [1, 'a\n… 2 more lines'],
  ])('of %i lines', ([lines, expected]) => {
    expect(plain(head('a\nb\nc', lines))).toBe(expected)
  })
})

it.for<[number: number, expected: string]>([
  [0, '0 tests'],
  [1, '1 test'],
  [2, '2 tests'],
])('counts %i', ([number, expected]) => {
  expect(count(number, 'test')).toBe(expected)
})

it('takes colours away, and nothing else', () => {
  expect(plain('\u001b[1m\u001b[31ma [0m\u001b[39m\u001b[22m')).toBe('a [0m')
})
