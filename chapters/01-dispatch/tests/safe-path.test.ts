import { mkdir, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { safePath } from '#01-dispatch/handlers.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import type { Workspace } from '#support/workspace.ts'

/** The message of a refusal. Fails the test when it shows where the project lies on this machine. */
async function refusal(workspace: Workspace, path: string): Promise<string> {
  const message = await errorOf(() => safePath(workspace.root, path))
  expect(message, 'name the path as it was written, not as the machine has it').not.toContain(dirname(workspace.root))
  return message
}

describe('task 1: safePath', () => {
  it('takes a relative path from the root', ({ workspace }) => {
    expect(safePath(workspace.root, 'src/a.ts')).toBe(workspace.path('src/a.ts'))
  })

  it('takes an absolute path below the root', ({ workspace }) => {
    expect(safePath(workspace.root, workspace.path('src/a.ts'))).toBe(workspace.path('src/a.ts'))
  })

  it('takes the root itself, however it is written', ({ workspace }) => {
    for (const path of ['.', './', 'src/..', workspace.root, `${workspace.root}/`]) {
      expect(safePath(workspace.root, path), path).toBe(workspace.root)
    }
    expect(safePath(`${workspace.root}/`, 'a'), 'a slash after the root').toBe(workspace.path('a'))
  })

  it.for([
    ['src/../lib/a.ts', 'lib/a.ts', '.. that stays below the root'],
    ['..foo/a.ts', '..foo/a.ts', 'a folder called ..foo'],
    ['.../a.ts', '.../a.ts', 'a folder called ...'],
    ['%2e%2e/%2e%2e/etc/passwd', '%2e%2e/%2e%2e/etc/passwd', 'percent signs are part of the name'],
    ['app/$slug.ts', 'app/$slug.ts', 'a $ further on is part of the name'],
    ['notes~', 'notes~', 'a ~ at the end is part of the name'],
    ['one/two/three/new.txt', 'one/two/three/new.txt', 'nothing of it exists yet'],
  ])('allows %s, as %s (%s)', ([path, expected], { workspace }) => {
    expect(safePath(workspace.root, path)).toBe(workspace.path(expected))
  })

  it.for([
    ['..', 'the parent'],
    ['../proj-evil/a', 'a sibling whose name starts like the root'],
    ['src/../../other/a', '.. past the root'],
    ['../../../../../../../../etc/passwd', 'more .. than there are folders'],
    ['/etc/passwd', 'somewhere else'],
    ['~', 'the home folder'],
    ['~/.ssh/id_rsa', 'in the home folder'],
    ['~root/.bashrc', "in another user's home folder"],
    ['$HOME/.ssh/id_rsa', 'a variable that a shell would expand'],
    ['${HOME}/.ssh/id_rsa', 'a variable in braces'],
  ])('refuses %s (%s)', async ([path], { workspace }) => {
    const message = await refusal(workspace, path)
    expect(message, 'the model must see which path was refused').toContain(path)
  })

  it('refuses an absolute path to a sibling that starts like the root', async ({ workspace }) => {
    for (const path of [`${workspace.root}-evil`, `${workspace.root}x/a`, `${workspace.root}/../proj-evil/a`]) {
      expect(await errorOf(() => safePath(workspace.root, path))).toContain(path)
    }
  })

  it('refuses every folder above the root', async ({ workspace }) => {
    for (const path of [dirname(workspace.root), '/', `${workspace.root}/..`]) {
      expect(await errorOf(() => safePath(workspace.root, path))).toContain(path)
    }
  })

  it('refuses the empty path instead of taking it for the root', async ({ workspace }) => {
    expect(await errorOf(() => safePath(workspace.root, ''))).toMatch(/empty/i)
  })

  it('refuses a NUL byte before anything else looks at the path', async ({ workspace }) => {
    expect(await errorOf(() => safePath(workspace.root, 'a\0/../../etc/passwd'))).toMatch(/NUL/i)
    expect(await errorOf(() => safePath(workspace.root, 'a\0'))).toMatch(/NUL/i)
  })

  it.runIf(process.platform === 'linux')(
    "refuses the kernel's links, also where they lead back",
    async ({ workspace }) => {
      const back = `/proc/self/root${workspace.root}/a.ts`
      for (const path of [back, '/proc/self/cwd/a.ts', '/dev/fd/3', '/dev/stdin']) {
        expect(await errorOf(() => safePath(workspace.root, path)), path).toContain(path)
      }
    },
  )

  it('follows a link that stays below the root', async ({ workspace }) => {
    await workspace.write('src/docs/x.md', 'x')
    await symlink(workspace.path('src/docs'), workspace.path('absolute'))
    await symlink('src/docs', workspace.path('relative'))
    expect(safePath(workspace.root, 'absolute/x.md')).toBe(workspace.path('src/docs/x.md'))
    expect(safePath(workspace.root, 'relative/x.md')).toBe(workspace.path('src/docs/x.md'))
  })

  it('refuses a file behind a link that leads outside', async ({ workspace }) => {
    await workspace.write('../secret/key', 'k')
    await symlink('../secret', workspace.path('folder'))
    await symlink(workspace.path('../secret/key'), workspace.path('key'))
    await symlink('key', workspace.path('chain'))
    for (const path of ['folder/key', 'key', 'chain']) expect(await refusal(workspace, path)).toContain(path)
  })

  it('refuses a new file, however deep, below a link that leads outside', async ({ workspace }) => {
    await mkdir(workspace.path('../secret'))
    await symlink('../secret', workspace.path('link'))
    for (const path of ['link/new-file', 'link/new-dir/deeper/new-file']) {
      expect(await refusal(workspace, path)).toContain(path)
    }
  })

  it('refuses a link to a file that does not exist yet outside', async ({ workspace }) => {
    await symlink(workspace.path('../not-there-yet'), workspace.path('dangling'))
    for (const path of ['dangling', './dangling/file']) expect(await refusal(workspace, path)).toContain(path)
  })

  it('refuses links that lead in a circle', async ({ workspace }) => {
    await symlink('b', workspace.path('a'))
    await symlink('a', workspace.path('b'))
    for (const path of ['./a', './a/file']) expect(await refusal(workspace, path)).toContain(path)
  })

  it('refuses a path through a file, in words that show no folder of this machine', async ({ workspace }) => {
    await workspace.write('notes.txt', '')
    expect(await refusal(workspace, './notes.txt/deeper')).toContain('./notes.txt/deeper')
  })

  it('works below a root that is itself a link', async ({ workspace }) => {
    const link = workspace.path('../link-to-proj')
    await symlink(workspace.root, link)
    expect(safePath(link, 'src/a.ts'), 'a relative path').toBe(workspace.path('src/a.ts'))
    expect(safePath(link, `${link}/src/a.ts`), "by the link's name").toBe(workspace.path('src/a.ts'))
    expect(safePath(link, workspace.path('src/a.ts')), 'by the real name').toBe(workspace.path('src/a.ts'))
    await errorOf(() => safePath(link, `${workspace.root}-evil/a`))
  })
})
