import { afterAll, describe, expect, it } from 'vitest'
import { workshopCopy } from './testing/workshop-copy.ts'

const copy = workshopCopy({ chapters: ['01-tiny'] })
process.env.WORKSHOP_ROOT = copy.root
const { fillPage, fillTable, region } = await import('./listings.ts')
afterAll(copy.remove)

describe('region', () => {
  it.for<[what: string, source: string, expected: string]>([
    ['as it stands', '// #region a\none\n  two\n// #endregion\n', 'one\n  two'],
    ['without the common indent', '{\n  // #region a\n  one\n\n    two\n  // #endregion\n}', 'one\n\n  two'],
    ['without carriage returns', '// #region a\r\none\r\ntwo\r\n// #endregion\r\n', 'one\ntwo'],
    ['of just that name', '// #region ab\nno\n// #endregion\n// #region a\nyes\n// #endregion\n', 'yes'],
  ])('is the lines between the marks, %s', ([, source, expected]) => {
    copy.write('a.ts', source)
    expect(region('a.ts', 'a')).toBe(expected)
  })

  it('names the file that is missing, and the region that is', () => {
    copy.write('b.ts', '// #region open\n')
    expect(() => region('gone.ts', 'a')).toThrow('There is no gone.ts')
    expect(() => region('b.ts', 'a')).toThrow('b.ts has no region "a"')
    expect(() => region('b.ts', 'open')).toThrow('b.ts has no region "open"')
  })
})

describe('fillPage', () => {
  const fence = (opening: string, body: string) => `Before\n\n\`\`\`${opening}\n${body}\n\`\`\`\n\nAfter\n`

  it('fills a listing in, dollar signs and all', async () => {
    copy.write('c.ts', "// #region c\nconst text = '$&'\n// #endregion\n")
    const { text, problems } = await fillPage(fence('ts from="c.ts#c"', 'stale'))
    expect(text).toBe(fence('ts from="c.ts#c"', "const text = '$&'"))
    expect(problems).toEqual([])
  })

  it.for([
    ['no-check', fence('ts no-check', 'let a')],
    ['another language', fence('json', '{}')],
  ])('leaves a fence alone that is %s', async ([, page]) => {
    expect(await fillPage(page)).toEqual({ text: page, problems: [] })
  })

  it.for([
    ['a fence from nowhere', fence('ts', 'let a'), 'let a'],
    ['a file that is missing', fence('ts from="gone.ts#a"', ''), 'gone.ts'],
    ['a fence that is indented', '- a\n\n  ```ts from="a.ts#a"\n  stale\n  ```\n', 'starts at the margin'],
    ['a run that is no npm command', fence('console', '$ rm -r src'), 'rm -r src'],
  ])('tells of %s, and changes nothing', async ([, page, word]) => {
    const { text, problems } = await fillPage(page)
    expect(text).toBe(page)
    expect(problems).toEqual([expect.stringContaining(word)])
  })
})

describe('fillTable', () => {
  it('writes the chapters between the two comments', () => {
    const table =
      '| | chapter | minutes |\n|---|---|---|\n| 1 | [Numbers of 01-tiny](docs/chapters/01-tiny.md) | 30 |\n'
    const page = (rows: string) => `a\n<!-- chapters -->\n${rows}<!-- /chapters -->\nb\n`
    expect(fillTable(page('stale\n'))).toBe(page(table))
  })
})
