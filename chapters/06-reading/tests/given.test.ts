import { describe, errorOf, expect, it } from '#support/test.ts'
import { fixedFolder, globRegExp } from '../given/glob-pattern.ts'
import { cutText, grouped } from '../given/text.ts'

describe('given: patterns and texts', () => {
  it.for<[string, string[], string[]]>([
    ['*.ts', ['a.ts', '.ts'], ['src/a.ts', 'a.tsx']],
    ['**/*.ts', ['a.ts', 'src/deep/a.ts'], ['a.js']],
    ['src/**', ['src/a', 'src/b/c'], ['src', 'srcs/a']],
    ['a/**/b', ['a/b', 'a/x/y/b'], ['ab', 'a/xb']],
    ['a**b', ['ab', 'axxb'], ['a/b']],
    ['?.ts', ['a.ts', '日.ts'], ['.ts', 'ab.ts']],
    ['[ab].ts', ['a.ts'], ['c.ts']],
    ['[!ab].ts', ['c.ts'], ['a.ts', '/.ts']],
    ['[0-9]x', ['5x'], ['ax']],
    ['*.{ts,t{s,x}x}', ['a.ts', 'a.tsx', 'a.txx'], ['a.tx']],
    ['a+(b)|c.$', ['a+(b)|c.$'], ['aab']],
    ['\\*.ts', ['*.ts'], ['a.ts']],
    ['a,b}', ['a,b}'], []],
  ])('reads the glob %s', ([pattern, like, unlike]) => {
    const expression = globRegExp(pattern)
    expect(like.filter((path) => !expression.test(path))).toEqual([])
    expect(unlike.filter((path) => expression.test(path))).toEqual([])
  })

  it.for(['{a', '[b'])('refuses the glob %s, which is not closed', async (pattern) => {
    expect(await errorOf(() => globRegExp(pattern))).toContain(pattern)
  })

  it('finds the folder that a pattern fixes', () => {
    expect(['*.ts', 'a.ts', 'src/a.ts', 'src/lib/**/*.ts', 'a*/b/c'].map(fixedFolder)).toEqual([
      '',
      '',
      'src',
      'src/lib',
      '',
    ])
  })

  it('cuts between characters and groups digits', () => {
    expect([cutText('a😀b', 2), cutText('a😀b', 3), cutText('ab', 2)]).toEqual(['a', 'a😀', 'ab'])
    expect([grouped(5), grouped(1000), grouped(1234567)]).toEqual(['5', '1,000', '1,234,567'])
  })
})
