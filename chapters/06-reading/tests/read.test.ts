import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { open, stat, symlink } from 'node:fs/promises'
import { PDFDocument } from '@cantoo/pdf-lib'
import { ReadTool } from '#06-reading/read.ts'
import { createContext } from '#support/context.ts'
import { textOf, toolDispatch } from '#support/run-tool.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import type { Workspace } from '#support/workspace.ts'

const answer = ({ root }: Workspace, input: object, context = createContext(root)) =>
  toolDispatch([ReadTool], context)('Read', input, { id: 'toolu_1' })
const read = async (workspace: Workspace, input: object) => textOf(await answer(workspace, input))

/** The header of an image that says how large it is; nothing else is looked at. */
function png(width: number, height: number): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([header, size, Buffer.from([8, 6, 0, 0, 0])])
}

async function pdf(pages: number, options: { password?: string } = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  for (let page = 1; page <= pages; page++) document.addPage([100 + page, 100])
  if (options.password) document.encrypt({ userPassword: options.password, ownerPassword: options.password })
  return document.save()
}

/** How wide the pages of the document in an answer are: 101 for the first one of `pdf`. */
async function widthsOf({ content }: Awaited<ReturnType<typeof answer>>): Promise<number[]> {
  const block: any = Array.isArray(content) && content.find(({ type }) => type === 'document')
  expect(block, `expected a document, got ${JSON.stringify(content)?.slice(0, 200)}`).toBeTruthy()
  const document = await PDFDocument.load(Buffer.from(block.source.data, 'base64'))
  return document.getPages().map((page) => page.getWidth())
}

describe('task 3: Read', () => {
  it('shows a file with numbered lines', async ({ workspace }) => {
    await workspace.write('a.ts', 'one\n\ttwo\n')
    expect(await read(workspace, { file_path: 'a.ts' })).toBe('     1\tone\n     2\t\ttwo')
    expect(await read(workspace, { file_path: workspace.path('a.ts') })).toBe('     1\tone\n     2\t\ttwo')
  })

  it('shows a part, also when its numbers come as text', async ({ workspace }) => {
    await workspace.write('a.ts', 'one\ntwo\nthree\nfour\n')
    expect(await read(workspace, { file_path: 'a.ts', offset: '2', limit: 2 })).toMatch(
      /^ {5}2\ttwo\n {5}3\tthree\n.*offset=4\b/,
    )
    expect(await read(workspace, { file_path: 'a.ts', offset: 0, limit: 1 }), 'offset 0').toMatch(/^ {5}1\tone\n/)
  })

  it('shows 2,000 lines unless it is told otherwise', async ({ workspace }) => {
    await workspace.write('a.txt', Array.from({ length: 2500 }, (_, index) => `line ${index + 1}`).join('\n'))
    const text = await read(workspace, { file_path: 'a.txt' })
    expect(text).toContain('  2000\tline 2000\n')
    expect(text).not.toContain('line 2001')
    expect(text).toMatch(/offset=2001\b/)
    expect(await read(workspace, { file_path: 'a.txt', limit: 2500 })).toMatch(/ {2}2500\tline 2500$/)
  })

  it('bounds the whole, and says where to go on', async ({ workspace }) => {
    await workspace.write('wide.txt', `${'x'.repeat(1500)}\n`.repeat(2000))
    const text = await read(workspace, { file_path: 'wide.txt' })
    expect(text.length).toBeLessThan(300_000)
    expect(text).toMatch(/offset=\d+/)
  })

  it('says of an empty file and of an offset beyond the end which it is', async ({ workspace }) => {
    await workspace.write('empty.txt', '')
    await workspace.write('mark.txt', '\uFEFF')
    await workspace.write('five.txt', '1\n2\n3\n4\n5')
    expect(await read(workspace, { file_path: 'empty.txt' })).toMatch(/empty/i)
    expect(await read(workspace, { file_path: 'mark.txt' }), 'only a byte order mark').toMatch(/empty/i)
    const beyond = await read(workspace, { file_path: 'five.txt', offset: 100 })
    expect(beyond).toMatch(/\b5\b/)
    expect(beyond).not.toMatch(/empty/i)
  })

  it('reads UTF-16 either way round, and shows no byte order mark', async ({ workspace }) => {
    const text = Buffer.from('\uFEFFgrüß\r\n日本\r\n', 'utf16le')
    await workspace.write('le.txt', text)
    await workspace.write('be.txt', Buffer.from(text).swap16())
    await workspace.write('utf8.txt', '\uFEFFgrüß\r\n日本\r\n')
    for (const file of ['le.txt', 'be.txt', 'utf8.txt']) {
      const shown = await read(workspace, { file_path: file })
      expect(shown, file).toMatch(/^ {5}1\tgrüß\n {5}2\t日本\n/)
      expect(shown, file).toMatch(/CRLF|\\r|carriage return|windows/i)
    }
  })

  it('names what a file is that has no text', async ({ workspace }) => {
    await workspace.write('report.ods', Buffer.from('PK\x03\x04\0\0\0'))
    const message = await errorOf(() => read(workspace, { file_path: 'report.ods' }))
    expect(message).toContain('report.ods')
    expect(message).toMatch(/binary/)
    expect(message).toMatch(/\b7 bytes/)
    expect(await errorOf(() => read(workspace, { file_path: '.' }))).toMatch(/directory/)
  })

  it('remembers the file as it was, by its real path', async ({ workspace }) => {
    const path = await workspace.write('a.ts', 'one\n')
    await symlink('a.ts', workspace.path('link.ts'))
    const context = createContext(workspace.root)
    await answer(workspace, { file_path: 'link.ts' }, context)
    const { mtimeMs } = await stat(path)
    const hash = createHash('sha256').update('one\n').digest('hex')
    expect([...context.readFileState]).toEqual([[path, { mtimeMs, size: 4, hash }]])
  })

  it('has no hash of a file of which only a part was read', async ({ workspace }) => {
    const path = await workspace.write('a.ts', `one\ntwo\n${'x'.repeat(3000)}\n`)
    for (const part of [{ limit: 1 }, { offset: 2 }, { offset: 100 }, {}]) {
      const context = createContext(workspace.root)
      await answer(workspace, { file_path: 'a.ts', ...part }, context)
      expect(context.readFileState.get(path)?.size).toBe(3009)
      expect(context.readFileState.get(path)?.hash, JSON.stringify(part)).toBeUndefined()
    }
  })

  it('remembers nothing of what could not be read', async ({ workspace }) => {
    await workspace.write('binary', Buffer.from([0]))
    const context = createContext(workspace.root)
    const { is_error } = await answer(workspace, { file_path: 'binary' }, context)
    expect(context.readFileState.size).toBe(0)
    expect(is_error).toBe(true)
    expect(await errorOf(() => read(workspace, { file_path: 'binary' }))).toMatch(/binary/)
  })

  it('stops when it is aborted', async ({ workspace }) => {
    const file = await open(await workspace.write('large', ''), 'w')
    await file.write(Buffer.alloc(64 * 1024, 'x\n'))
    await file.truncate(4 * 1024 ** 3)
    await file.close()
    expect(await read(workspace, { file_path: 'large', limit: 1 }), 'unless it is aborted').toMatch(/^ {5}1\tx/)
    const context = createContext(workspace.root)
    const running = answer(workspace, { file_path: 'large', offset: 10_000_000 }, context)
    context.abortController.abort(new Error('enough'))
    expect(await errorOf(() => running)).toBe('enough')
  })

  it.runIf(process.platform === 'linux')('leaves no descriptor open, whatever comes of it', async ({ workspace }) => {
    await workspace.write('a.ts', 'one\ntwo\n')
    await workspace.write('binary', Buffer.from([0]))
    await workspace.write('broken.pdf', '%PDF-1.7\nthis is all')
    expect(await read(workspace, { file_path: 'a.ts' })).toContain('two')
    const before = readdirSync('/proc/self/fd').length
    for (const input of [
      { file_path: 'a.ts', limit: 1 },
      { file_path: 'a.ts', pages: '1' },
    ])
      await answer(workspace, input)
    for (const file_path of ['binary', 'broken.pdf', 'missing', '.']) await answer(workspace, { file_path })
    expect(readdirSync('/proc/self/fd').length).toBe(before)
  })

  it('knows an image by its bytes, whatever its name', async ({ workspace }) => {
    await workspace.write('photo.jpg', png(4, 4))
    const { content } = await answer(workspace, { file_path: 'photo.jpg' })
    const source = { type: 'base64', media_type: 'image/png', data: png(4, 4).toString('base64') }
    expect(content).toEqual([{ type: 'image', source }])
  })

  it('refuses an image that the API would not take, and says what to do', async ({ workspace }) => {
    await workspace.write('wide.png', png(8001, 10))
    await workspace.write('heavy.png', Buffer.concat([png(10, 10), Buffer.alloc(4_000_000)]))
    await workspace.write('broken.png', png(10, 10).subarray(0, 12))
    expect(await errorOf(() => read(workspace, { file_path: 'wide.png' }))).toMatch(/8001.*smaller/)
    expect(await errorOf(() => read(workspace, { file_path: 'heavy.png' }))).toMatch(/4,000,029 bytes.*smaller/)
    expect(await errorOf(() => read(workspace, { file_path: 'broken.png' }))).toMatch(/broken\.png.*damaged/)
  })

  it('shows a short PDF whole, and the pages of a long one that are asked for', async ({ workspace }) => {
    await workspace.write('short.pdf', await pdf(3))
    await workspace.write('long.pdf', await pdf(30))
    expect(await widthsOf(await answer(workspace, { file_path: 'short.pdf' }))).toEqual([101, 102, 103])
    expect(await widthsOf(await answer(workspace, { file_path: 'long.pdf', pages: '2-4' }))).toEqual([102, 103, 104])
    expect(await widthsOf(await answer(workspace, { file_path: 'long.pdf', pages: '29-' }))).toEqual([129, 130])
    const tooLong = await errorOf(() => read(workspace, { file_path: 'long.pdf' }))
    expect(tooLong).toMatch(/\b30\b/)
    expect(tooLong, 'names the field to give').toMatch(/\bpages\b/)
    const beyond = await errorOf(() => read(workspace, { file_path: 'long.pdf', pages: '31' }))
    expect(beyond).toMatch(/\b31\b/)
    expect(beyond).toMatch(/\b30\b/)
  })

  it('says that a PDF is encrypted or damaged', async ({ workspace }) => {
    await workspace.write('locked.pdf', await pdf(2, { password: 'secret' }))
    await workspace.write('broken.pdf', '%PDF-1.7\nthis is all')
    expect(await errorOf(() => read(workspace, { file_path: 'locked.pdf' }))).toMatch(/locked\.pdf.*encrypted/)
    expect(await errorOf(() => read(workspace, { file_path: 'broken.pdf' }))).toMatch(/broken\.pdf.*damaged/)
  })

  it('refuses pages for what is no PDF', async ({ workspace }) => {
    await workspace.write('a.ts', 'one\n')
    expect(await errorOf(() => read(workspace, { file_path: 'a.ts', pages: '1' }))).toMatch(/PDF/)
  })

  it('shows the cells of a notebook with their outputs', async ({ workspace }) => {
    const image = png(2, 2).toString('base64')
    const cells = [
      { cell_type: 'markdown', id: 'intro', source: ['# Title\n', 'text'] },
      {
        cell_type: 'code',
        execution_count: 3,
        source: 'plot()',
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['hello\n'] },
          { output_type: 'display_data', data: { 'text/plain': ['<Figure>'], 'image/png': image } },
          { output_type: 'error', ename: 'ValueError', evalue: 'bad', traceback: ['\x1b[31mValueError\x1b[0m: bad'] },
        ],
      },
      { cell_type: 'code', source: 'last()', outputs: [{ output_type: 'stream', text: 'x'.repeat(50_000) }] },
    ]
    await workspace.write('a.ipynb', JSON.stringify({ nbformat: 4, cells }))
    const whole = await answer(workspace, { file_path: 'a.ipynb' })
    const text = textOf(whole)
    for (const part of ['# Title\ntext', 'intro', 'plot()', 'hello', '<Figure>', 'ValueError: bad', 'last()']) {
      expect(text).toContain(part)
    }
    expect(text, 'a long output is cut, and said to be').toMatch(/50,000/)
    expect(text.length).toBeLessThan(15_000)
    expect((whole.content as any[]).find(({ type }) => type === 'image').source.data).toBe(image)
    const second = await read(workspace, { file_path: 'a.ipynb', offset: 2, limit: 1 })
    expect(second).toContain('plot()')
    expect(second).not.toMatch(/Title|last\(\)/)
    expect(second).toMatch(/offset=3\b/)
  })

  it('says what is wrong with a notebook that is none', async ({ workspace }) => {
    await workspace.write('a.ipynb', '{"cells": [')
    await workspace.write('b.ipynb', '{"cells": 1}')
    expect(await errorOf(() => read(workspace, { file_path: 'a.ipynb' }))).toMatch(/a\.ipynb.*JSON/)
    expect(await errorOf(() => read(workspace, { file_path: 'b.ipynb' }))).toMatch(/b\.ipynb.*cells/)
  })

  it.skipIf(process.platform === 'win32')('answers at once for a pipe in the project', async ({ workspace }) => {
    execFileSync('mkfifo', [workspace.path('pipe')])
    expect(await errorOf(() => read(workspace, { file_path: 'pipe' }))).toMatch(/pipe/)
  })
})

describe('given: what Read says of itself', () => {
  it('may run beside others, changes nothing, and is never cut by others', () => {
    expect(ReadTool.isReadOnly({ file_path: 'a' })).toBe(true)
    expect(ReadTool.isConcurrencySafe({ file_path: 'a' })).toBe(true)
    expect(ReadTool.maxResultSizeChars).toBe(Infinity)
  })
})
