import { symlink, utimes } from 'node:fs/promises'
import { GlobTool, relativePattern } from '#06-reading/glob.ts'
import { createContext } from '#support/context.ts'
import { textOf, toolDispatch } from '#support/run-tool.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import type { Workspace } from '#support/workspace.ts'

const glob = async ({ root }: Workspace, input: object) =>
  textOf(await toolDispatch([GlobTool], createContext(root))('Glob', input, { id: 'toolu_1' }))
const sorted = async (workspace: Workspace, input: object) => (await glob(workspace, input)).split('\n').sort()

async function project(workspace: Workspace, files: string[], ignored = ''): Promise<Workspace> {
  await workspace.write('.git/HEAD', '')
  if (ignored) await workspace.write('.gitignore', `${ignored}\n`)
  for (const file of files) await workspace.write(file, '')
  return workspace
}

describe('task 5: Glob', () => {
  it('counts the pattern from the folder, and not from anywhere', async ({ workspace }) => {
    await project(workspace, ['a.ts', 'src/b.ts', 'src/deep/c.ts'])
    expect(await glob(workspace, { pattern: '*.ts' })).toBe('a.ts')
    expect(await glob(workspace, { pattern: 'src/*.ts' })).toBe('src/b.ts')
    expect(await sorted(workspace, { pattern: '**/*.ts' })).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.ts'])
    expect(await sorted(workspace, { pattern: 'src/**' })).toEqual(['src/b.ts', 'src/deep/c.ts'])
    expect(await sorted(workspace, { pattern: '{a,src/b}.ts' })).toEqual(['a.ts', 'src/b.ts'])
  })

  it('counts the pattern from path, and shows paths that can be read', async ({ workspace }) => {
    await project(workspace, ['a.ts', 'src/b.ts', 'src/deep/c.ts'])
    expect(await glob(workspace, { pattern: '*.ts', path: 'src' })).toBe('src/b.ts')
    expect(await glob(workspace, { pattern: 'deep/*', path: workspace.path('src') })).toBe('src/deep/c.ts')
    await workspace.write('../beside/d.ts', '')
    expect(await glob(workspace, { pattern: '*', path: '../beside' })).toBe(workspace.path('../beside/d.ts'))
  })

  it('lists the files that were changed last first', async ({ workspace }) => {
    await project(workspace, ['old.ts', 'new.ts', 'middle.ts'])
    for (const [name, seconds] of [
      ['old.ts', 1000],
      ['middle.ts', 2000],
      ['new.ts', 3000],
    ] as const) {
      await utimes(workspace.path(name), seconds, seconds)
    }
    expect(await glob(workspace, { pattern: '*.ts' })).toBe('new.ts\nmiddle.ts\nold.ts')
  })

  it('finds hidden files, and nothing in .git unless it is named', async ({ workspace }) => {
    await project(workspace, ['.github/workflows/ci.yml', '.env', '.git/config'])
    expect(await glob(workspace, { pattern: '.github/workflows/*.yml' })).toBe('.github/workflows/ci.yml')
    expect(await sorted(workspace, { pattern: '**/*' })).toEqual(['.env', '.github/workflows/ci.yml'])
    expect(await glob(workspace, { pattern: '.git/c*' })).toBe('.git/config')
    expect(await glob(workspace, { pattern: '{.git,lib}/c*' }), 'named in braces').toBe('.git/config')
    for (const pattern of ['*/config', '**/config', '.git*/config']) {
      expect(await glob(workspace, { pattern }), pattern).toMatch(/no files match/i)
    }
  })

  it('finds an ignored file that is named', async ({ workspace }) => {
    await project(workspace, ['dist/a/b.js', 'secret.env'], 'dist/\n*.env')
    expect(await glob(workspace, { pattern: 'dist/**/*.js' }), 'its folder is named: no word of .gitignore').toBe(
      'dist/a/b.js',
    )
    expect(await glob(workspace, { pattern: 'secret.env' })).toContain('secret.env')
    expect(await glob(workspace, { pattern: '**/b.js' })).toContain('dist/a/b.js')
  })

  it('leaves ignored files out of a list, and says how many', async ({ workspace }) => {
    await project(workspace, ['src/a.js', 'dist/b.js', 'dist/c.js', 'd.min.js'], 'dist/\n*.min.js')
    const text = await glob(workspace, { pattern: '**/*.js' })
    expect(text).toMatch(/^src\/a\.js\n/)
    expect(text, 'dist/b.js, dist/c.js, d.min.js').toMatch(/\b3\b.*ignored/)
    expect(text).not.toMatch(/b\.js|min\.js/)
    expect(await glob(workspace, { pattern: '**/*' }), 'a pattern that is like the ignored folder, too').not.toMatch(
      /dist/,
    )
  })

  it('does not say that nothing is there when a folder or a link is', async ({ workspace }) => {
    await project(workspace, ['src/a.ts'])
    await symlink('src/a.ts', workspace.path('link.ts'))
    expect(await glob(workspace, { pattern: 'src' })).toMatch(/src is a (folder|directory)/)
    expect(await glob(workspace, { pattern: '.' })).toMatch(/is a (folder|directory)/)
    expect(await glob(workspace, { pattern: 'link.ts' })).toBe('link.ts')
    expect(await glob(workspace, { pattern: 'gone/*.ts' })).toMatch(/no files match/i)
  })

  it('shows at most 100 files, and says that there are more', async ({ workspace }) => {
    await project(
      workspace,
      Array.from({ length: 120 }, (_, index) => `f${index}.ts`),
    )
    const text = await glob(workspace, { pattern: '*.ts' })
    expect(text.match(/^f\d+\.ts$/gm)).toHaveLength(100)
    expect(text).toMatch(/\b120\b/)
  })

  it('takes names for names, whatever they begin with', async ({ workspace }) => {
    await project(workspace, ['-a/-x.ts', '!b.ts', '--files/c.ts', '[id]/page.tsx'])
    expect(await glob(workspace, { pattern: '-a/*.ts' })).toBe('-a/-x.ts')
    expect(await glob(workspace, { pattern: '!*.ts' })).toBe('!b.ts')
    expect(await glob(workspace, { pattern: '*.ts', path: '--files' })).toBe('--files/c.ts')
    expect(await glob(workspace, { pattern: '\\[id\\]/*' })).toBe('[id]/page.tsx')
  })

  it('refuses a pattern that leads out of the folder, before anything is listed', async ({ workspace }) => {
    await project(workspace, ['a.ts'])
    await workspace.write('../beside/d.env', '')
    for (const pattern of ['../**/*.env', '/etc/*', '~/*', 'src/../../**']) {
      const context = createContext(workspace.root)
      const valid = await GlobTool.validateInput({ pattern, path: workspace.root }, context)
      expect(valid.result, pattern).toBe(false)
      expect(await errorOf(() => glob(workspace, { pattern })), 'the pattern is named').toContain(pattern)
    }
    expect(await glob(workspace, { pattern: '*.env', path: '../beside' }), 'path may lead there').toContain('d.env')
  })

  it.for<[string, string]>([
    ['src/**/*.ts', 'src/**/*.ts'],
    ['./src//*.ts', 'src/*.ts'],
    ['src/../lib/*.ts', 'lib/*.ts'],
    ['..foo/*.ts', '..foo/*.ts'],
    ['a..b/*', 'a..b/*'],
    ['*/..data/x', '*/..data/x'],
    ['/srv/proj/src/*.ts', 'src/*.ts'],
    ['/srv/proj/*', '*'],
    ['/srv/proj/src/../*.ts', '*.ts'],
    ['./', '.'],
    ['src/..', '.'],
    ['/srv/proj', '.'],
    ['/srv/proj/', '.'],
  ])('brings %s below /srv/proj: %s', ([pattern, expected]) => {
    expect(relativePattern(pattern, '/srv/proj')).toBe(expected)
  })

  it.for([
    '../x',
    '..',
    'src/../../x',
    '*/../x',
    '**/../../x',
    '{../x,src}/*',
    '{src,..}/*',
    '/etc/*',
    '/*',
    '/srv/*/a.ts',
    '/srv/proj-evil/*',
    '/srv/proj/../other/*',
    '~/.ssh/*',
  ])('refuses %s below /srv/proj', async (pattern) => {
    const message = await errorOf(() => relativePattern(pattern, '/srv/proj'))
    expect(message).toContain(pattern)
    expect(message, 'says what to do').toMatch(/\bpath\b/)
  })
})
