import { existsSync, readdirSync } from 'node:fs'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { type CodeUnderTest, complaintsAbout } from '#support/type-tests.ts'
import { createWorkspace, type Workspace } from '#support/workspace.ts'

const SNIPPETS = {
  right: "import { count } from '../code/count.ts'\ncount satisfies number\n",
  text: "import { count } from '../code/count.ts'\n\ncount satisfies string\n",
  imported: "import { count } from '#01-tiny/count.ts'\ncount satisfies number\n",
}

/** A workshop of one chapter: `count` is a number in the solution, and a text in the learner's file. */
function tinyWorkshop(): Promise<Workspace> {
  return createWorkspace({
    'package.json': JSON.stringify({
      type: 'module',
      imports: {
        '#01-tiny/*': { 'mine-01': './chapters/01-tiny/src/*', default: './chapters/01-tiny/solution/*' },
      },
    }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        module: 'nodenext',
        types: [],
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        customConditions: ['mine-01'],
      },
    }),
    'chapters/01-tiny/given/start.ts': 'export const start = 1\n',
    'chapters/01-tiny/solution/count.ts': "import { start } from '../given/start.ts'\nexport const count = start + 1\n",
    'chapters/01-tiny/src/count.ts': "export const count = 'two'\n",
  })
}

describe('complaintsAbout', () => {
  it('reads the solution, the learner’s code, or the overlay, as it is told, and leaves nothing behind', async () => {
    const workshop = await tinyWorkshop()
    const ask = (code: Partial<CodeUnderTest> = {}) =>
      complaintsAbout('01-tiny', SNIPPETS, { root: workshop.root, conditions: [], overlay: {}, ...code })
    try {
      const solution = await ask()
      expect(solution.right).toEqual([])
      expect(solution.text, 'the snippet alone, with its line').toHaveLength(1)
      expect(solution.text[0]).toMatch(/^line 3: .*'string'/)
      expect(solution.imported, '#… means what it means in a chapter').toEqual([])

      const mine = await ask({ conditions: ['mine-01'] })
      expect([mine.right.length, mine.text.length, mine.imported.length]).toEqual([1, 0, 1])

      const overlay = { [workshop.path('chapters/01-tiny/solution/count.ts')]: "export const count = 'three'\n" }
      const laid = await ask({ overlay })
      expect([laid.right.length, laid.text.length]).toEqual([1, 0])

      const gone = { root: workshop.root, conditions: [], overlay: {} }
      expect(await errorOf(() => complaintsAbout('02-gone', SNIPPETS, gone))).toContain('02-gone')
      expect(existsSync(workshop.path('.workshop/types'))).toBe(true)
      expect(readdirSync(workshop.path('.workshop/types'))).toEqual([])
    } finally {
      await workshop.remove()
    }
  })
})
