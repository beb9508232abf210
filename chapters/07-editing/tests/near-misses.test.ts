import { explainMiss, linesWith } from '#07-editing/near-misses.ts'
import { describe, expect, it } from '#support/test.ts'
import { toTextFile } from '../given/text-file.ts'

function explain(content: string | Buffer, oldText: string): string {
  return explainMiss(toTextFile(Buffer.from(content as string)), oldText, 'src/a.ts')
}

describe('task 2: explainMiss and linesWith', () => {
  it('names the file and says that nothing was found', () => {
    expect(explain('one\n', 'two')).toMatch(/not found/i)
    expect(explain('one\n', 'two')).toContain('src/a.ts')
  })

  it.for<[what: string, line: string, old: string, named: RegExp]>([
    ['the tab that became spaces', '\treturn 1', '    return 1', /white ?space|indent/i],
    ['another indentation', '  return 1', '    return 1', /white ?space|indent/i],
    ['a space too few', 'x = 1', 'x =1', /white ?space/i],
    ['a space that does not break', 'x\u00a0= 1', 'x = 1', /white ?space/i],
    ['spaces at the end of the line', 'x = 1', 'x = 1  \n', /white ?space/i],
    ['straight quotes in place of curly ones', 'say(\u201chi\u201d)', 'say("hi")', /quote/i],
    ['curly quotes in place of straight ones', "it's", 'it\u2019s', /quote/i],
    ['the line number of Read', 'return 1', '     2\treturn 1', /line number/i],
    ['a line number with an arrow', 'return 1', '     2\u2192return 1', /line number/i],
    ['too many backslashes', 'say("hi")', 'say(\\"hi\\")', /backslash|escape/i],
    ['another case', 'const Value = 1', 'const value = 1', /case/i],
  ])('names %s, and the line', ([, line, old, named]) => {
    const message = explain(`first\n${line}\nlast\n`, old)
    expect(message).toMatch(/not found/i)
    expect(message).toMatch(named)
    expect(message).toMatch(/line 2\b/)
  })

  it('names the line numbers of several lines', () => {
    expect(explain('zero\none\ntwo\n', '2\tone\n3\ttwo')).toMatch(/line numbers.*|line 2\b/i)
    expect(explain('zero\none\ntwo\n', '2\tone\n3\ttwo')).toMatch(/line 2\b/)
  })

  it('names the smallest difference that explains it', () => {
    expect(explain('a  \nb\n', 'a\nb')).toMatch(/ends? of (the )?lines?/i)
  })

  it('names two differences that come together', () => {
    expect(explain('\tsay(\u201chi\u201d)\n', '  say("hi")')).toMatch(/quotes/i)
  })

  it('names the line ends of a file that has only \\r', () => {
    const message = explain('zero\rone\rtwo\r', 'one\ntwo')
    expect(message).toMatch(/line ends/i)
    expect(message).toMatch(/line 2\b/)
    expect(message, 'the line must be quoted').toContain('"one"')
  })

  it('says that bytes are no UTF-8 where Read shows a question mark', () => {
    const message = explain(Buffer.from('a\ncaf\xe9\n', 'latin1'), 'caf\uFFFD')
    expect(message).toMatch(/line 2\b/)
    expect(message).toMatch(/UTF-8/i)
  })

  it('gives all the lines where it could be, up to three', () => {
    expect(explain('\tx\ny\n\tx\n', ' x')).toMatch(/lines 1 and 3/)
    expect(explain('\tx\n'.repeat(5), ' x')).toMatch(/lines 1, 2, 3 and 2 more/)
  })

  it('counts the lines of a file with \\r\\n and a byte order mark like all others', () => {
    expect(explain('\uFEFFa\r\n\tb\r\n', '  b')).toMatch(/line 2\b/)
  })

  it('quotes the line, so that it can be copied', () => {
    expect(explain('a\n\treturn 1\n', '  return 1')).toContain('return 1')
    expect(explain('a\n\treturn 1\n', '  return 1'), 'the tab must be told from spaces').toContain('\\t')
  })

  it('says at which line the text begins when only its first line is right', () => {
    const message = explain('a\nif (x) {\n  go()\n}\n', 'if (x) {\n  stop()\n}')
    expect(message).toMatch(/line 2\b/)
    expect(message).toMatch(/first line/i)
  })

  it('says so of each line that has the first line, be it as part of it', () => {
    expect(explain('if (x) {\n}\nelse if (x) {\n}\n', 'if (x) {\n  stop()\n}')).toMatch(/lines 1 and 3/)
  })

  it('passes over blank lines at the start when it looks for the first line', () => {
    expect(explain('a\nif (x) {\n  go()\n}\n', '\n\nif (x) {\n  stop()\n}')).toMatch(/line 2\b/)
  })

  it('claims no near miss where there is none', () => {
    const message = explain('a\nb\n', 'something else')
    expect(message).not.toMatch(/line \d|differ/i)
  })

  it('is not misled by an old text of white space', () => {
    expect(explain('a\nb\n', '\t\t')).not.toMatch(/line \d/i)
  })

  it('counts lines from 1, and each line once', () => {
    expect(linesWith('ab\nx ab ab\n\nab', 'ab')).toEqual([1, 2, 4])
    expect(linesWith('a\nb\na\nb\n', 'a\nb')).toEqual([1, 3])
    expect(linesWith('a\nb', 'c')).toEqual([])
    expect(linesWith('a\nb', ''), 'nothing is everywhere, so it is nowhere').toEqual([])
  })
})
