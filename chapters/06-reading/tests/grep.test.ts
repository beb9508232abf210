import { execFileSync } from 'node:child_process'
import { GrepTool, pageOf } from '#06-reading/grep.ts'
import { createContext } from '#support/context.ts'
import { textOf, toolDispatch } from '#support/run-tool.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import type { Workspace } from '#support/workspace.ts'

const grep = async ({ root }: Workspace, input: object) =>
  textOf(await toolDispatch([GrepTool], createContext(root))('Grep', input, { id: 'toolu_1' }))
const lines = async (workspace: Workspace, input: object) => (await grep(workspace, input)).split('\n')

async function sample(workspace: Workspace): Promise<Workspace> {
  await workspace.write('src/a.ts', 'one\ntwo\nthree\nfour\none more\n')
  await workspace.write('src/b.js', 'One\n')
  await workspace.write('notes.md', 'nothing\none\n')
  return workspace
}

describe('task 5: Grep', () => {
  it('lists the files that match, sorted, in the mode that is left out', async ({ workspace }) => {
    const found = await lines(await sample(workspace), { pattern: 'one' })
    expect(found[0]).toMatch(/\b2 files\b/)
    expect(found.slice(1)).toEqual(['notes.md', 'src/a.ts'])
  })

  it('shows matching lines with their file and number', async ({ workspace }) => {
    const found = await lines(await sample(workspace), { pattern: 'one', output_mode: 'content' })
    expect(found).toEqual(['notes.md:2:one', 'src/a.ts:1:one', 'src/a.ts:5:one more'])
  })

  it('leaves the numbers out when -n is false', async ({ workspace }) => {
    const input = { pattern: 'three', output_mode: 'content', '-n': false }
    expect(await grep(await sample(workspace), input)).toBe('src/a.ts:three')
  })

  it('counts the matching lines of each file', async ({ workspace }) => {
    const found = await lines(await sample(workspace), { pattern: 'one', output_mode: 'count' })
    expect(found[0]).toMatch(/\b3\b.*\b2\b/)
    expect(found.slice(1)).toEqual(['notes.md:1', 'src/a.ts:2'])
  })

  it('names the file also when a single one is searched', async ({ workspace }) => {
    await sample(workspace)
    expect(await grep(workspace, { pattern: 'two', path: 'src/a.ts', output_mode: 'content' })).toBe('src/a.ts:2:two')
    expect(await grep(workspace, { pattern: 'one', path: 'src/a.ts', output_mode: 'count' })).toContain('src/a.ts:2')
  })

  it('shows the lines around a match', async ({ workspace }) => {
    await sample(workspace)
    const around = async (options: object) =>
      (await grep(workspace, { pattern: 'three', output_mode: 'content', ...options })).match(/\d/g)?.join('')
    expect(await around({ '-C': 1 })).toBe('234')
    expect(await around({ '-A': 1 })).toBe('34')
    expect(await around({ '-B': '2' })).toBe('123')
    expect(await around({ '-C': 2, '-B': 0 }), '-B counts more than -C').toBe('345')
    expect((await lines(workspace, { pattern: 'three', '-C': 1 })).slice(1), 'not in other modes').toEqual(['src/a.ts'])
  })

  it('ignores case only when it is told to', async ({ workspace }) => {
    await sample(workspace)
    expect(await grep(workspace, { pattern: 'one', path: 'src' })).not.toContain('b.js')
    expect(await grep(workspace, { pattern: 'one', path: 'src', '-i': true })).toContain('b.js')
  })

  it('narrows the search by glob, by type and by path', async ({ workspace }) => {
    await sample(workspace)
    expect((await lines(workspace, { pattern: 'one', glob: '*.md' })).slice(1)).toEqual(['notes.md'])
    expect((await lines(workspace, { pattern: 'one', type: 'ts' })).slice(1)).toEqual(['src/a.ts'])
    expect((await lines(workspace, { pattern: 'one', path: 'src' })).slice(1)).toEqual(['src/a.ts'])
    const absolute = { pattern: 'one', path: workspace.path('src') }
    expect((await lines(workspace, absolute)).slice(1)).toEqual(['src/a.ts'])
  })

  it.for(['--release', '-> Result', '--', '-e', '-', '--pre=touch pwned'])(
    'takes the pattern %j for a pattern, not for an option',
    async (pattern, { workspace }) => {
      await workspace.write('a.txt', `before\n${pattern}\n`)
      expect(await grep(workspace, { pattern, output_mode: 'content' })).toContain(`a.txt:2:${pattern}`)
    },
  )

  it('takes a path, a glob and a type that begin with a dash for what they are', async ({ workspace }) => {
    await workspace.write('--files/-a.txt', 'one\n')
    const found = await lines(workspace, { pattern: 'one', path: '--files', glob: '-a*' })
    expect(found.slice(1)).toEqual(['--files/-a.txt'])
    expect(await grep(workspace, { pattern: 'one', path: '--files/-a.txt' })).toContain('--files/-a.txt')
    expect(await errorOf(() => grep(workspace, { pattern: 'one', type: '--files' }))).toMatch(/--files/)
  })

  it('matches across lines when multiline is true', async ({ workspace }) => {
    await workspace.write('a.ts', 'call(\n  x,\n)\n')
    const input = { pattern: 'call\\(.*?\\)', output_mode: 'content' }
    expect(await grep(workspace, input)).toMatch(/no matches/i)
    expect(await grep(workspace, { ...input, multiline: true })).toMatch(/a\.ts:1:call\(\n.*a\.ts:3:\)/s)
  })

  it('searches hidden files, and nothing in .git', async ({ workspace }) => {
    await workspace.write('.github/ci.yml', 'one\n')
    await workspace.write('.git/config', 'one\n')
    await workspace.write('sub/.git/config', 'one\n')
    expect((await lines(workspace, { pattern: 'one' })).slice(1)).toEqual(['.github/ci.yml'])
    expect(await grep(workspace, { pattern: 'one', path: '.git' }), 'unless it is named').toContain('.git/config')
  })

  it.for(['*', '**/*', 'config', '!*.md', '!sub/.git/config'])(
    'keeps out of .git when the glob is %s',
    async (glob, { workspace }) => {
      await workspace.write('src/config', 'one\n')
      await workspace.write('.git/config', 'one\n')
      await workspace.write('sub/.git/config', 'one\n')
      const found = await lines(workspace, { pattern: 'one', glob })
      expect(found.slice(1), 'which glob has the last word?').toEqual(['src/config'])
    },
  )

  it.for(['.git/**', '.git/config', '{.git,lib}/**'])(
    'searches .git when the glob is %s, which names it',
    async (glob, { workspace }) => {
      await workspace.write('config', 'one\n')
      await workspace.write('.git/config', 'one\n')
      expect((await lines(workspace, { pattern: 'one', glob })).slice(1)).toEqual(['.git/config'])
    },
  )

  it('leaves ignored files out, searches one that is named, and never says that there is nothing', async ({
    workspace,
  }) => {
    await workspace.write('.git/HEAD', '')
    await workspace.write('.gitignore', 'dist/\n')
    await workspace.write('dist/a.js', 'one\n')
    const nothing = await grep(workspace, { pattern: 'one' })
    expect(nothing).toMatch(/no matches/i)
    expect(nothing, 'says what was not searched').toMatch(/ignore/i)
    expect(await grep(workspace, { pattern: 'one', path: 'dist/a.js' })).toContain('dist/a.js')
  })

  it('shows a bounded start of a long line', async ({ workspace }) => {
    await workspace.write('min.js', `needle${'x'.repeat(1_000_000)}\n`)
    const text = await grep(workspace, { pattern: 'needle', output_mode: 'content' })
    expect(text).toMatch(/^min\.js:1:needle/)
    expect(text.length).toBeLessThan(5000)
  })

  it('shows 250 lines unless head_limit says otherwise, and how to go on', async ({ workspace }) => {
    await workspace.write('a.txt', Array.from({ length: 600 }, (_, index) => `line ${index + 1}`).join('\n'))
    const search = (more: object) => lines(workspace, { pattern: 'line', output_mode: 'content', ...more })
    const first = await search({})
    expect(first.filter((line) => line.startsWith('a.txt'))).toHaveLength(250)
    expect(first.at(-1)).toMatch(/\b600\b/)
    expect(first.at(-1)).toMatch(/offset=250\b/)
    const next = await search({ offset: 590, head_limit: '5' })
    expect(next[0]).toBe('a.txt:591:line 591')
    expect(next.at(-1)).toMatch(/offset=595\b/)
    expect(await search({ head_limit: 0 })).toHaveLength(600)
  })

  it('stops a search that finds too much, and says so', async ({ workspace }) => {
    await workspace.write('a.txt', 'line\n'.repeat(100_000))
    const found = await lines(workspace, { pattern: 'line', output_mode: 'content', head_limit: 0 })
    expect(found.length).toBeLessThan(50_000)
    expect(found.at(-1)).toMatch(/stopped/i)
  })

  it('answers bad input with what is wrong', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\n')
    expect(await errorOf(() => grep(workspace, { pattern: '(' }))).toMatch(/unclosed group/)
    expect(await errorOf(() => grep(workspace, { pattern: 'x', glob: '{a' }))).toMatch(/\{a/)
    expect(await errorOf(() => grep(workspace, { pattern: 'x', path: 'gone' }))).toMatch(/gone.*not exist/)
    // The blank comes before the checks that are given, so that a skeleton fails here too.
    expect(await grep(workspace, { pattern: 'one' })).toContain('a.txt')
    expect(await errorOf(() => grep(workspace, { pattern: 'a\0b' }))).toMatch(/NUL/)
  })

  it.skipIf(process.platform === 'win32')('does not wait for a pipe that is named as path', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\n')
    execFileSync('mkfifo', [workspace.path('pipe')])
    expect(await grep(workspace, { pattern: 'one' }), 'a pipe in the folder is passed over').toContain('a.txt')
    expect(await errorOf(() => grep(workspace, { pattern: 'one', path: 'pipe' }))).toMatch(/pipe/)
  })
})

describe('task 5: pageOf', () => {
  const entries = ['a', 'b', 'c', 'd', 'e']

  it('shows the whole list without a note', () => {
    expect(pageOf(entries, { offset: 0, limit: 5 })).toEqual({ shown: entries })
    expect(pageOf(entries, { offset: 0, limit: 0 })).toEqual({ shown: entries })
    expect(pageOf([], { offset: 0, limit: 5 })).toEqual({ shown: [] })
  })

  it('shows a part, and says how many there are and where the next one starts', () => {
    const { shown, note } = pageOf(entries, { offset: 1, limit: 2 })
    expect(shown).toEqual(['b', 'c'])
    expect(note).toMatch(/\b5\b/)
    expect(note).toMatch(/offset=3\b/)
  })

  it('offers no next part after the last entry', () => {
    const { shown, note } = pageOf(entries, { offset: 3, limit: 2 })
    expect(shown).toEqual(['d', 'e'])
    expect(note, 'the first three are not shown').toMatch(/\b5\b/)
    expect(note).not.toMatch(/offset=/)
    expect(pageOf(entries, { offset: 3, limit: 0 }).shown).toEqual(['d', 'e'])
  })

  it('says that an offset lies past the end', () => {
    const { shown, note } = pageOf(entries, { offset: 7, limit: 2 })
    expect(shown).toEqual([])
    expect(note, 'what was asked for').toMatch(/\b7\b/)
    expect(note, 'what there is').toMatch(/\b5\b/)
  })
})
