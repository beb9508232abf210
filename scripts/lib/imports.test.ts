import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { filesBeneath } from './imports.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-imports-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function beneath(files: Record<string, string>): string[] {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  const [first] = Object.keys(files)
  return [...filesBeneath(join(root, first), root)].map((path) => relative(root, path).replaceAll(sep, '/')).sort()
}

describe('filesBeneath', () => {
  it('follows imports, exports and paths in quotes, from file to file', () => {
    const all = {
      'chapters/01-a/tests/a.test.ts': "import { a } from '#01-a/a.ts'\nimport { s } from '#support/s.ts'",
      'chapters/01-a/solution/a.ts': "export * from './b.ts'\nexport type { G } from '../given/g.ts'",
      'chapters/01-a/solution/b.ts': "await import('./c.ts')",
      'chapters/01-a/solution/c.ts': '',
      'chapters/01-a/given/g.ts': "new URL('../server.mjs', import.meta.url)",
      'chapters/01-a/server.mjs': '',
      'chapters/support/s.ts': 'import "#01-a/a.ts"',
    }
    expect(beneath(all)).toEqual(Object.keys(all).sort())
  })

  it('leaves out packages, files that are not there, and what nobody names', () => {
    const files = { 'x.ts': "import 'vitest'\nimport './gone.ts'\nimport 'node:fs'", 'y.ts': '' }
    expect(beneath(files)).toEqual(['x.ts'])
  })
})
