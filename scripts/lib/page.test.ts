import { describe, expect, it } from 'vitest'
import { anchorsOf, fencesOf, linksOf, proseOf } from './page.ts'

describe('a page', () => {
  const page = `---
title: A
---
# The \`loop\`, and more!

See [one](a.md#x), ![two](b.png) and <https://c.example>. It is \`just\` code.

\`\`\`ts from="a.ts#b"
const easy = 1
\`\`\`

In between.

~~~sh
npm test
~~~
`

  it('has its fences, with language and attributes', () => {
    expect(fencesOf(page)).toMatchObject([
      { language: 'ts', attributes: 'from="a.ts#b"', body: 'const easy = 1' },
      { language: 'sh', attributes: '', body: 'npm test' },
    ])
  })

  it('has its links and pictures', () => {
    expect(linksOf(page)).toEqual(['a.md#x', 'b.png', 'https://c.example'])
  })

  it('has anchors as GitHub names them', () => {
    expect(anchorsOf(page)).toEqual(['the-loop-and-more'])
  })

  it('has prose without its code', () => {
    expect(proseOf(page)).toContain('In between.')
    expect(proseOf(page)).not.toMatch(/easy|just|npm/)
  })
})
