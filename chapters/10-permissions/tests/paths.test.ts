import { mkdir, symlink } from 'node:fs/promises'
import { isInside, pathRuleCovers } from '#10-permissions/paths.ts'
import { describe, expect, it } from '#support/test.ts'
import { isPlaced, type Place, placeOf } from '../given/places.ts'
import { protectedName } from '../given/protected.ts'
import type { PathWorld, RuleBehavior } from '../given/types.ts'
import { activeRule, ended, WORLD } from './setup.ts'

const MAC: PathWorld = { ...WORLD, platform: 'darwin', caseInsensitive: true }
const WINDOWS: PathWorld = { roots: ['C:\\work\\proj'], cwd: 'C:\\work\\proj', home: 'C:\\Users\\u', platform: 'win32' }

function place(path: string, world: PathWorld = WORLD): Place {
  const found = placeOf(path, world)
  return isPlaced(found) ? found : expect.fail(`${path} has no place: ${found.why}`)
}

/** Outside as well: what nobody can place. */
function inside(path: string, world: PathWorld = WORLD): boolean {
  const found = placeOf(path, world)
  return isPlaced(found) && isInside(found, world)
}

function covers(pattern: string, path: string, behavior: RuleBehavior = 'deny', world: PathWorld = WORLD): boolean {
  return pathRuleCovers(activeRule(`Read(${pattern})`, behavior), pattern, { place: place(path, world), world })
}

describe('task 3: isInside', () => {
  it.for([
    ['the root itself', '/srv/proj'],
    ['a file below it', '/srv/proj/src/a.ts'],
    ['a relative path', 'src/a.ts'],
    ['.. that stays below', '/srv/proj/src/../lib/a.ts'],
    ['back to the root', 'src/..'],
    ['a folder called ..foo', '..foo/a.ts'],
    ['a folder called ...', '.../a.ts'],
    ['percent signs, which are part of a name', '%2e%2e/%2e%2e/etc/passwd'],
    ['backslashes, which are part of a name', '..\\..\\etc\\passwd'],
  ])('is %s: %s', ([, path]) => {
    expect(inside(path)).toBe(true)
    expect(inside(path, { ...WORLD, roots: ['/srv/proj/'] }), 'a slash after the root').toBe(true)
  })

  it.for([
    ['a sibling with the same beginning', '/srv/projx'],
    ['that sibling by a relative path', '../proj-evil/a'],
    ['that sibling through the root', '/srv/proj/../proj-evil/a'],
    ['.. past the root', 'src/../../other/a'],
    ['the parent', '/srv/proj/..'],
    ['more .. than folders', '../../../../../../etc/passwd'],
    ['a folder above', '/srv'],
    ['the home folder', '~'],
    ['a file at home', '~/.ssh/id_rsa'],
    ['a variable for it', '$HOME/.ssh/id_rsa'],
    ["another user's home", '~root/.bashrc'],
    ['the kernel, also where it leads back', '/proc/self/cwd/src/a.ts'],
    ['a device', '/dev/stdin'],
    ['other capitals', '/srv/PROJ/src/a.ts'],
  ])('is not %s: %s', ([, path]) => {
    expect(inside('src/a.ts'), 'an ordinary file is inside').toBe(true)
    expect(inside(path)).toBe(false)
  })

  it('knows several roots, and no sibling of any', () => {
    const world = { ...WORLD, roots: ['/srv/proj', '/data/shared'] }
    expect(inside('/data/shared/x', world)).toBe(true)
    expect(inside('/srv/proj/x', world)).toBe(true)
    expect(inside('/data/shared-evil/x', world)).toBe(false)
    expect(inside('/data', world)).toBe(false)
    expect(inside('/srv/proj', { ...WORLD, roots: [] })).toBe(false)
  })

  it('is not what the kernel has where a link leads there', () => {
    const world = { ...WORLD, roots: ['/'] }
    expect(isInside({ typed: '/srv/proj/a', real: '/srv/proj/a' }, world)).toBe(true)
    expect(isInside({ typed: '/srv/proj/p', real: '/proc/1/environ' }, world)).toBe(false)
    expect(isInside({ typed: '/dev/fd/3', real: '/srv/proj/a' }, world)).toBe(false)
  })

  it('compares as a disk does that takes capitals for small letters', () => {
    expect(inside('/srv/PROJ/a', MAC)).toBe(true)
    expect(inside('/srv/PROJ-evil/a', MAC)).toBe(false)
  })

  it('tells two spellings of é apart where the disk does', () => {
    const [one, two] = ['/srv/caf\u00e9', '/srv/cafe\u0301']
    const world = { ...WORLD, roots: [one], cwd: one }
    expect(inside(`${one}/a`, world)).toBe(true)
    expect(inside(`${two}/a`, world)).toBe(false)
    expect(inside(`${two}/a`, { ...world, platform: 'darwin', caseInsensitive: true })).toBe(true)
  })

  it('knows paths of Windows', () => {
    for (const path of ['C:\\work\\proj\\src\\a.ts', 'C:/work/proj/a', 'src\\a', 'c:\\WORK\\proj\\a']) {
      expect(inside(path, WINDOWS), path).toBe(true)
    }
    for (const path of ['C:\\work\\proj-evil\\a', 'D:\\work\\proj\\a', '..\\other\\a', 'C:\\work\\proj\\..\\x']) {
      expect(inside(path, WINDOWS), path).toBe(false)
    }
  })

  it.skipIf(process.platform === 'win32')('judges a link by where it leads', async ({ workspace }) => {
    const world = { ...WORLD, roots: [workspace.root], cwd: workspace.root }
    await mkdir(workspace.path('src'))
    await mkdir(workspace.path('../secret'))
    await symlink('src', workspace.path('near'))
    await symlink('../secret', workspace.path('far'))
    await symlink('far', workspace.path('chain'))
    await symlink('../not-there', workspace.path('dangling'))
    await symlink('b', workspace.path('a'))
    await symlink('a', workspace.path('b'))
    expect(inside('near/x', world)).toBe(true)
    for (const path of ['far/x', 'far/new/deep', 'chain/x', 'dangling', 'a', 'a/x']) {
      expect(inside(path, world), path).toBe(false)
    }
  })

  it.skipIf(process.platform === 'win32')('follows a root that is a link', async ({ workspace }) => {
    const link = workspace.path('../link')
    await symlink(workspace.root, link)
    const world = { ...WORLD, roots: [link], cwd: link }
    expect(inside('a', world), 'by a relative path').toBe(true)
    expect(inside(`${link}/a`, world), "by the link's name").toBe(true)
    expect(inside(workspace.path('a'), world), 'by the real name').toBe(true)
    expect(inside(`${workspace.root}-evil/a`, world)).toBe(false)
  })
})

describe('task 3: path rules', () => {
  it.for([
    ['.env', '.env', true, 'a name'],
    ['.env', 'packages/a/.env', true, 'a name at any depth'],
    ['.env', '../.env', false, 'not above the current folder'],
    ['.env', '.envrc', false, 'all of the name'],
    ['a.env', 'aXenv', false, 'a dot is a dot'],
    ['./.env', '.env', true, 'the current folder'],
    ['./.env', 'a/.env', false, 'and no other'],
    ['/src/*.ts', 'src/a.ts', true, 'from the settings'],
    ['/src/*.ts', 'lib/src/a.ts', false, 'from there only'],
    ['src/*.ts', 'src/a/b.ts', false, 'a star stays in one name'],
    ['src/**/*.ts', 'src/a.ts', true, 'two stars are no folder, too'],
    ['src/**/*.ts', 'src/a/b/c.ts', true, 'and many'],
    ['**/*.pem', 'x.pem', true, 'anywhere'],
    ['*.pem', 'a/b/x.pem', true, 'a name with a star at any depth'],
    ['secrets/**', 'secrets/a/b', true, 'all below'],
    ['secrets/**', 'secrets', true, 'and the folder itself'],
    ['secrets/**', 'secretsx/a', false, 'no sibling'],
    ['secrets/', 'a/secrets/b', true, 'a folder at any depth'],
    ['secrets', 'secrets/a', true, 'a folder stands for what is in it'],
    ['~/.ssh/**', '/home/u/.ssh/id', true, 'at home'],
    ['~/.ssh/**', '~/.ssh/id', true, 'at home, as it is typed'],
    ['~/.ssh/**', '/home/v/.ssh/id', false, 'at another home'],
    ['//etc/**', '/etc/passwd', true, 'from the root of the file system'],
    ['//etc/**', 'etc/passwd', false, 'not from the workspace'],
    ['../shared/**', '../shared/a', true, 'one folder up'],
    ['**', 'a/b', true, 'all below the current folder'],
    ['**', '/etc/passwd', false, 'and nothing else'],
    ['a?c', 'abc', true, 'one character'],
    ['[ab].ts', 'b.ts', true, 'one of a set'],
    ['[!ab].ts', 'b.ts', false, 'none of a set'],
    ['a\\*', 'a*', true, 'a star that is a star'],
    ['a\\*', 'ab', false, 'and nothing else'],
    ['a(b)+$', 'a(b)+$', true, 'characters of expressions'],
    ['.env', 'x/../.env', true, '.. in the path'],
    ['secrets/**', 'secrets/a\nb', true, 'a name with a line end'],
    ['a*b', 'a\nb', true, 'a star for a line end'],
    ['a?c', 'a\u{1F600}c', true, 'one character of two code units'],
    ['docs/*/**', 'docs/a/b', true, 'two stars at the end'],
    ['a/**/**/b', 'a/b', true, 'two stars twice'],
    ['a/**/b/**/c', 'a/x/b/b/y/c', true, 'two stars in two places'],
    ['a/**/b/**/c', 'a/x/bb/y/c', false, 'whole names between them'],
    ['x*a*b.ts', 'xaab.ts', true, 'two stars in a name'],
    ['x*a*b.ts', 'xb.ts', false, 'all that is between the stars'],
  ] as const)('with %s and %s says %s (%s)', ([pattern, path, expected]) => {
    expect(covers(pattern, path)).toBe(expected)
  })

  it('allows with a star in the last name only what has that name', () => {
    expect(covers('docs/*', 'docs/a.md', 'allow')).toBe(true)
    expect(covers('docs/*', 'docs/a/b.md', 'allow')).toBe(false)
    expect(covers('docs/*', 'docs/a/b.md', 'deny'), 'a denied folder is denied with all that is in it').toBe(true)
    expect(covers('docs/**', 'docs/a/b.md', 'allow')).toBe(true)
    expect(covers('docs', 'docs/a/b.md', 'allow')).toBe(true)
    expect(covers('docs/*/**', 'docs/a/b', 'allow'), 'two stars at the end').toBe(true)
    expect(covers('docs/*/**', 'lib/a/b', 'allow')).toBe(false)
    expect(covers('docs/**/*.md', 'docs/a/x.md/b', 'allow'), 'below a name with a star').toBe(false)
    expect(covers('docs/**/*.md', 'docs/a/x.md/b.md', 'allow')).toBe(true)
  })

  it('takes no time over two stars again and again', () => {
    const hard: Array<[string, string]> = [
      [`${'**/'.repeat(12)}x`, 'a/'.repeat(30)],
      [`${'**/a/'.repeat(12)}x`, 'a/'.repeat(60)],
      [`${'a*'.repeat(20)}x`, 'a'.repeat(60)],
      [`${'*'.repeat(40)}x`, 'a'.repeat(200)],
    ]
    for (const [pattern, path] of hard) {
      for (const behavior of ['deny', 'allow'] as const) {
        expect(
          ended(() => covers(pattern, `${path}b`, behavior)),
          pattern,
        ).toBe(false)
        expect(
          ended(() => covers(pattern, `${path}x`, behavior)),
          pattern,
        ).toBe(true)
      }
    }
  })

  it('counts /path from where the settings are', () => {
    const rule = { ...activeRule('Read(/a)', 'deny'), settingsRoot: '/home/u/.claude' }
    expect(pathRuleCovers(rule, '/a', { place: place('/home/u/.claude/a'), world: WORLD })).toBe(true)
    expect(pathRuleCovers(rule, '/a', { place: place('/srv/proj/a'), world: WORLD })).toBe(false)
  })

  it('compares as the disk does', () => {
    expect(covers('secrets/**', 'SECRETS/a', 'deny', MAC)).toBe(true)
    expect(covers('SECRETS/**', 'secrets/a', 'deny', MAC)).toBe(true)
    expect(covers('secrets/**', 'SECRETS/a')).toBe(false)
    const home = { ...MAC, home: '/Users/U' }
    expect(covers('~/.ssh/**', '/Users/U/.ssh/id', 'deny', home), 'capitals in the home folder').toBe(true)
    expect(covers('~/.ssh/**', '/users/u/.SSH/id', 'deny', home), 'and others in the path').toBe(true)
    const here = { ...MAC, roots: ['/Srv/Proj'], cwd: '/Srv/Proj' }
    expect(covers('/src/**', '/Srv/Proj/src/a', 'allow', here), 'capitals in the folder of the settings').toBe(true)
    expect(covers('src/**', '/srv/proj/SRC/a', 'allow', here), 'capitals in the current folder').toBe(true)
    expect(covers('//c/Users/**', 'C:\\users\\v\\x', 'deny', WINDOWS)).toBe(true)
    expect(covers('src/*.ts', 'SRC\\a.ts', 'deny', WINDOWS)).toBe(true)
  })

  it.skipIf(process.platform === 'win32')('denies by either path, and allows by both', async ({ workspace }) => {
    const world = { ...WORLD, roots: [workspace.root], cwd: workspace.root, home: workspace.path('../home') }
    await mkdir(workspace.path('docs'))
    await symlink(workspace.path('../home/.ssh'), workspace.path('docs/k'))
    expect(covers('~/.ssh/**', 'docs/k/config', 'deny', world), 'the real path, of a file that is not there').toBe(true)
    expect(covers('docs/**', 'docs/k/config', 'deny', world), 'the typed path').toBe(true)
    expect(covers('docs/**', 'docs/k/config', 'allow', world), 'the real path is elsewhere').toBe(false)
    expect(covers('~/.ssh/**', 'docs/k/config', 'allow', world), 'the typed path is elsewhere').toBe(false)
    expect(covers('docs/**', 'docs/a', 'allow', world)).toBe(true)
    expect(covers('~/.ssh/**', 'docs/k/config', 'ask', world), 'the real path, to ask').toBe(true)
    expect(covers('docs/**', 'docs/k/config', 'ask', world), 'the typed path, to ask').toBe(true)
  })

  it.skipIf(process.platform === 'win32')('allows below a current folder that is a link', async ({ workspace }) => {
    const link = workspace.path('../link')
    await symlink(workspace.root, link)
    const world = { ...WORLD, roots: [link], cwd: link }
    expect(covers('docs/**', 'docs/a', 'allow', world)).toBe(true)
  })
})

describe('given: places and protected names', () => {
  it('places nothing that nobody can place', () => {
    for (const path of ['', 'a\0b', '~root/x', '$X/y', '${X}']) expect(isPlaced(placeOf(path, WORLD)), path).toBe(false)
    const odd = ['C:..\\x', '\\\\?\\C:\\x', '\\??\\UNC\\s\\f', '\\\\.\\pipe\\x', '\\\\srv\\x', 'PROJ~1\\a', 'a.txt:s']
    for (const path of odd) expect(isPlaced(placeOf(path, WINDOWS)), path).toBe(false)
  })

  it('knows the names that make programs run', () => {
    const names = [
      '.git/hooks/x',
      '.git',
      'a/.git/config',
      '.claude/settings.json',
      '.vscode/x',
      '.husky/x',
      '.mcp.json',
    ]
    for (const path of [...names, '.bashrc', 'src/../.git/x', '.GIT/x', '.ripgreprc', '~/.zshrc']) {
      expect(protectedName(place(path), WORLD), path).toBeDefined()
    }
    for (const path of ['.gitignore', '.github/x', 'src/git/x', 'bashrc']) {
      expect(protectedName(place(path), WORLD), path).toBeUndefined()
    }
    for (const path of ['.git./config', '.git \\config', '.GIT\\config']) {
      expect(protectedName(place(path, WINDOWS), WINDOWS), path).toBe('.git')
    }
    expect(protectedName(place('.g\u200cit/config', MAC), MAC)).toBe('.git')
  })

  it('protects nothing by a name above the workspace', () => {
    const world = { ...WORLD, roots: ['/home/u/.claude/trees/a'], cwd: '/home/u/.claude/trees/a' }
    expect(protectedName(place('src/a.ts', world), world)).toBeUndefined()
    expect(protectedName(place('.git/a', world), world)).toBe('.git')
  })

  it.skipIf(process.platform === 'win32')('finds a protected name behind a link', async ({ workspace }) => {
    const world = { ...WORLD, roots: [workspace.root], cwd: workspace.root }
    await symlink('.git', workspace.path('g'))
    expect(protectedName(place('g/config', world), world)).toBe('.git')
  })
})
