import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, stat, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { kindOf, openFile } from '#06-reading/open-file.ts'
import { createContext } from '#support/context.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'

const onUnix = process.platform !== 'win32'

/** The message of the refusal to open `path`. A file that was opened after all is closed again. */
async function refusal(root: string, path: string): Promise<string> {
  return errorOf(async () => {
    const { handle } = await openFile(path, createContext(root))
    await handle.close()
    return 'opened'
  })
}

describe('task 1: openFile and kindOf', () => {
  it('opens a file and says what it was before it was read', async ({ workspace }) => {
    const path = await workspace.write('src/a.ts', 'one\n')
    const { handle, realPath, record, kind } = await openFile('src/a.ts', createContext(workspace.root))
    const bytes = await handle.read(Buffer.alloc(8), 0, 8, 0)
    await handle.close()
    expect(bytes.bytesRead, 'the handle can be read from the start').toBe(4)
    expect(realPath).toBe(path)
    expect(record).toEqual({ mtimeMs: (await stat(path)).mtimeMs, size: 4 })
    expect(kind).toEqual({ type: 'text', encoding: 'utf-8' })
  })

  it('takes an absolute path as it is', async ({ workspace }) => {
    const path = await workspace.write('../beside.txt', 'x')
    const { handle, realPath } = await openFile(path, createContext(workspace.root))
    await handle.close()
    expect(realPath).toBe(workspace.path('../beside.txt'))
  })

  it('follows a link, and names the real path as the key', async ({ workspace }) => {
    await workspace.write('real/a.ts', 'x')
    await symlink('real', workspace.path('link'))
    const { handle, realPath } = await openFile('link/a.ts', createContext(workspace.root))
    await handle.close()
    expect(realPath).toBe(workspace.path('real/a.ts'))
  })

  it('says at once that a directory is a directory', async ({ workspace }) => {
    await mkdir(workspace.path('src'))
    const message = await refusal(workspace.root, 'src')
    expect(message).toContain('src')
    expect(message).toMatch(/directory/)
  })

  it.skipIf(!onUnix)('says at once that a pipe is a pipe, and does not wait for a writer', async ({ workspace }) => {
    execFileSync('mkfifo', [workspace.path('pipe')])
    expect(await refusal(workspace.root, 'pipe')).toMatch(/pipe|fifo/i)
    await symlink('pipe', workspace.path('link-to-pipe'))
    expect(await refusal(workspace.root, 'link-to-pipe'), 'through a link').toMatch(/pipe|fifo/i)
  })

  it.skipIf(!onUnix)('refuses a device that would never end', async ({ workspace }) => {
    expect(await refusal(workspace.root, '/dev/zero')).toMatch(/\/dev\/zero.*device/)
  })

  it.skipIf(!onUnix)('says that a socket is a socket', async ({ workspace }) => {
    const server = createServer().listen(workspace.path('socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      expect(await refusal(workspace.root, 'socket')).toMatch(/"?socket"?.* is a socket/)
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('names a missing file, and the name that was probably meant', async ({ workspace }) => {
    await workspace.write('src/reader.ts', '')
    await workspace.write('src/unrelated.md', '')
    const message = await refusal(workspace.root, 'src/raeder.ts')
    expect(message).toContain('src/raeder.ts')
    expect(message).toContain('reader.ts')
    expect(message).not.toContain('unrelated')
    expect(await refusal(workspace.root, 'src/reader.js'), 'another extension').toContain('reader.ts')
    expect(await refusal(workspace.root, 'no/such/folder.ts')).toContain('no/such/folder.ts')
  })

  it('names the path whatever the file system refuses', async ({ workspace }) => {
    await workspace.write('file', '')
    await symlink('circle', workspace.path('circle'))
    for (const path of ['file/inside', 'circle', `${'long'.repeat(200)}.txt`]) {
      expect(await refusal(workspace.root, path)).toContain(path)
    }
    expect(await refusal(workspace.root, 'a\0b')).toMatch(/NUL/)
  })

  it.runIf(process.platform === 'linux')('leaves no descriptor open when it refuses', async ({ workspace }) => {
    await workspace.write('binary', Buffer.from([0, 1, 2]))
    const open = () => readdirSync('/proc/self/fd').length
    const before = open()
    for (const path of ['.', '/dev/zero', 'missing', '/dev/null']) await refusal(workspace.root, path)
    expect(open()).toBe(before)
    // A regular file that can be opened, and whose first byte cannot be read.
    expect(await refusal(workspace.root, '/proc/self/mem')).toContain('/proc/self/mem')
    expect(open(), 'after a failure with the file open').toBe(before)
    const { handle } = await openFile('binary', createContext(workspace.root))
    await handle.close()
    expect(open(), 'once the caller has closed it').toBe(before)
  })

  it.for<[string, string | number[], string]>([
    ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0], 'image image/png'],
    ['a JPEG', [0xff, 0xd8, 0xff, 0xe0, 0, 0x10], 'image image/jpeg'],
    ['a GIF', 'GIF89a\0\0', 'image image/gif'],
    ['a WebP', 'RIFF\0\0\0\0WEBPVP8 ', 'image image/webp'],
    ['a PDF', '%PDF-1.7\n\0', 'pdf'],
    ['UTF-16, little-endian', [0xff, 0xfe, 0x61, 0], 'text utf-16le'],
    ['UTF-16, big-endian', [0xfe, 0xff, 0, 0x61], 'text utf-16be'],
    ['UTF-32', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], 'binary'],
    ['a ZIP archive', [0x50, 0x4b, 3, 4, 0, 0], 'binary'],
    ['an ELF program', [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0], 'binary'],
    ['text', 'hello', 'text utf-8'],
    ['text with a byte order mark', '\uFEFFhello', 'text utf-8'],
    ['text in Latin-1', [0x63, 0x61, 0x66, 0xe9], 'text utf-8'],
    ['an empty file', '', 'text utf-8'],
  ])('knows %s by its bytes', ([, bytes, expected]) => {
    const kind = kindOf(typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes))
    expect(Object.values(kind).join(' ')).toBe(expected)
  })
})
