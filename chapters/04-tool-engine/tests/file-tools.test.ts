import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { z } from 'zod'
import { callTool, ReadFileTool, type ToolResult, WriteFileTool } from '#04-tool-engine/tools.ts'
import { describe, expect, it } from '#support/test.ts'

type Range = { start_line?: number; end_line?: number }

function read(cwd: string, path: string, range: Range = {}) {
  return ReadFileTool.call({ path, ...range }, { cwd, verbose: false })
}

// The input is `any` because its type grows only when task 5 is done.
function write(cwd: string, input: any) {
  return WriteFileTool.call(input, { cwd, verbose: false })
}

describe('task 4: ReadFileTool', () => {
  it('numbers the lines', async ({ workspace }) => {
    await workspace.write('a.txt', 'first\n\n  third\n')
    expect(await read(workspace.root, 'a.txt')).toEqual(shown(' 1 │ first\n 2 │ \n 3 │   third'))
  })

  it('counts a last line that has no line end', async ({ workspace }) => {
    await workspace.write('a.txt', 'first\nsecond')
    expect(await read(workspace.root, 'a.txt')).toEqual(shown(' 1 │ first\n 2 │ second'))
    await workspace.write('b.txt', '\n')
    expect(await read(workspace.root, 'b.txt'), 'one empty line').toEqual(shown(' 1 │ '))
  })

  it('keeps the bars in one column, with a space before the longest number', async ({ workspace }) => {
    await workspace.write('a.txt', Array.from({ length: 10 }, (_, i) => `line${i + 1}\n`).join(''))
    const lines = outputOf(await read(workspace.root, 'a.txt')).split('\n')
    expect(lines).toHaveLength(10)
    expect(new Set(lines.map((line) => line.indexOf('│'))).size, 'the bars are in one column').toBe(1)
    expect(lines[0]).toMatch(/^ +1 │ line1$/)
    expect(lines[9]).toMatch(/^ +10 │ line10$/)
  })

  it('shows the range alone, both ends included, with the numbers of the file', async ({ workspace }) => {
    await workspace.write('a.txt', 'a\nb\nc\nd\ne\n')
    const range = (start_line?: number, end_line?: number) => read(workspace.root, 'a.txt', { start_line, end_line })
    expect(await range(2, 4)).toEqual(shown(' 2 │ b\n 3 │ c\n 4 │ d'))
    expect(await range(3, 3), 'one line').toEqual(shown(' 3 │ c'))
    expect(await range(4), 'to the end').toEqual(shown(' 4 │ d\n 5 │ e'))
    expect(await range(undefined, 2), 'from the start').toEqual(shown(' 1 │ a\n 2 │ b'))
    expect(await range(5, 5), 'the last line').toEqual(shown(' 5 │ e'))
  })

  it('stops at the last line when end_line is behind it', async ({ workspace }) => {
    await workspace.write('a.txt', 'a\nb\n')
    expect(await read(workspace.root, 'a.txt', { start_line: 2, end_line: 900 })).toEqual(shown(' 2 │ b'))
  })

  it('says how long the file is when start_line is behind its end', async ({ workspace }) => {
    await workspace.write('a.txt', 'a\nb\nc\nd\ne\n')
    for (const range of [{ start_line: 100 }, { start_line: 6 }, { start_line: 100, end_line: 200 }]) {
      const error = errorIn(await read(workspace.root, 'a.txt', range))
      expect(error, 'how many lines are there?').toMatch(/\b5\b/)
      expect(error, 'a file with five lines is not empty').not.toMatch(/empty/i)
    }
  })

  it('says that an empty file is empty', async ({ workspace }) => {
    await workspace.write('empty.txt', '')
    expect(outputOf(await read(workspace.root, 'empty.txt'))).toMatch(/empty/i)
    await workspace.write('bom.txt', '\uFEFF')
    expect(outputOf(await read(workspace.root, 'bom.txt'))).toMatch(/empty/i)
  })

  it('says that an empty file is empty, wherever the range starts', async ({ workspace }) => {
    await workspace.write('empty.txt', '')
    for (const range of [{ start_line: 5 }, { start_line: 5, end_line: 9 }, { end_line: 9 }]) {
      expect(outputOf(await read(workspace.root, 'empty.txt', range))).toMatch(/empty/i)
    }
  })

  it('names both bounds of a range that ends before it starts', async ({ workspace }) => {
    await workspace.write('a.txt', 'a\n'.repeat(20))
    const error = errorIn(await read(workspace.root, 'a.txt', { start_line: 17, end_line: 12 }))
    expect(error).toMatch(/\b17\b/)
    expect(error).toMatch(/\b12\b/)
  })

  it('names the bound that is below 1', async ({ workspace }) => {
    await workspace.write('a.txt', 'a\nb\n')
    expect(errorIn(await read(workspace.root, 'a.txt', { start_line: 0 }))).toMatch(/\b0\b/)
    expect(errorIn(await read(workspace.root, 'a.txt', { start_line: -3 }))).toContain('-3')
    expect(errorIn(await read(workspace.root, 'a.txt', { end_line: 0 }))).toMatch(/\b0\b/)
  })

  it('shows Windows line ends and the byte order mark to nobody', async ({ workspace }) => {
    await workspace.write('a.txt', '\uFEFFone\r\n\r\nthree\r\n')
    expect(await read(workspace.root, 'a.txt')).toEqual(shown(' 1 │ one\n 2 │ \n 3 │ three'))
  })

  it('fails with the name of a file that does not exist', async ({ workspace }) => {
    expect(errorIn(await read(workspace.root, 'gone.txt'))).toContain('gone.txt')
  })

  it('fails with the number of bytes of a binary file', async ({ workspace }) => {
    await workspace.write('report.txt', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff]))
    const error = errorIn(await read(workspace.root, 'report.txt'))
    expect(error).toMatch(/binary/i)
    expect(error).toMatch(/\b7\b/)
  })

  it('names the path as the model wrote it, not where that is on this machine', async ({ workspace }) => {
    await workspace.write('src/a.txt', 'a\n')
    await workspace.write('src/empty.txt', '')
    await workspace.write('src/binary', Buffer.from([0, 1]))
    for (const path of ['src/gone.txt', 'src', 'src/binary', 'src/a.txt', 'src/empty.txt']) {
      const text = JSON.stringify(await read(workspace.root, path, { start_line: 7 }))
      expect(text).toContain(path)
      expect(text, path).not.toContain(workspace.root)
    }
  })

  it('says at once that a folder is a folder', async ({ workspace }) => {
    await mkdir(workspace.path('src'))
    expect(errorIn(await read(workspace.root, 'src'))).toMatch(/director|folder/i)
  })

  it.skipIf(process.platform === 'win32')(
    'says at once that a pipe is no file, and does not wait for it',
    async ({ workspace }) => {
      execFileSync('mkfifo', [workspace.path('pipe')])
      expect(errorIn(await read(workspace.root, 'pipe'))).toMatch(/not a regular file|pipe|fifo/i)
    },
  )

  it('takes an absolute path inside the folder of the context', async ({ workspace }) => {
    await workspace.write('src/a.txt', 'a\n')
    expect(await read(workspace.root, workspace.path('src/a.txt'))).toEqual(shown(' 1 │ a'))
    expect(await read(workspace.path('src'), 'a.txt'), 'a relative one counts from cwd').toEqual(shown(' 1 │ a'))
  })

  it('refuses to read outside the folder of the context, by any way', async ({ workspace }) => {
    const secret = await workspace.write('../proj-secrets/key', 'hunter2\n')
    await symlink(secret, workspace.path('link'))
    for (const path of ['../proj-secrets/key', secret, 'link']) {
      const error = errorIn(await read(workspace.root, path))
      expect(error, 'which path was refused?').toContain(path)
      expect(error).not.toContain('hunter2')
    }
  })
})

describe('task 5: WriteFileTool', () => {
  it('takes a path and a content, both of them text', () => {
    const accepts = (input: unknown) => WriteFileTool.inputSchema.safeParse(input).success
    expect(accepts({ path: 'a.txt', content: '' }), 'an empty file is fine').toBe(true)
    for (const wrong of [
      { path: 'a.txt' },
      { content: 'x' },
      { path: 'a.txt', content: 7 },
      { path: 7, content: '' },
    ]) {
      expect(accepts(wrong), JSON.stringify(wrong)).toBe(false)
    }
  })

  it('refuses a field that it does not know, so that a typing error is told', () => {
    const { error } = WriteFileTool.inputSchema.safeParse({ path: 'a.txt', content: 'x', mode: '755' })
    expect(error?.issues, 'mode is unknown, and nothing else is wrong').toMatchObject([
      { code: 'unrecognized_keys', keys: ['mode'] },
    ])
  })

  it('describes both of its fields to the model', () => {
    const { properties } = z.toJSONSchema(WriteFileTool.inputSchema)
    for (const field of ['path', 'content']) {
      expect(properties?.[field], field).toMatchObject({ description: expect.stringMatching(/\w+ \w+/) })
    }
  })

  it('writes a file and says how many bytes that were', async ({ workspace }) => {
    const output = outputOf(await write(workspace.root, { path: 'a.txt', content: 'naïve 🙂\n' }))
    expect(await workspace.text('a.txt')).toBe('naïve 🙂\n')
    expect(output, 'bytes, not characters').toMatch(/\b12\b/)
    expect(output).toContain('a.txt')
  })

  it('says where it wrote in the words of the model, not where that is on this machine', async ({ workspace }) => {
    const output = outputOf(await write(workspace.root, { path: './src/../a.txt', content: 'x' }))
    expect(output).toContain('./src/../a.txt')
    expect(output).not.toContain(workspace.root)
  })

  it('replaces what was there', async ({ workspace }) => {
    await workspace.write('a.txt', 'a long text that was there before\n')
    outputOf(await write(workspace.root, { path: 'a.txt', content: 'short' }))
    expect(await workspace.text('a.txt')).toBe('short')
  })

  it('writes every character as it is', async ({ workspace }) => {
    const content = '\uFEFFa\r\nb\n\n$& \\n'
    outputOf(await write(workspace.root, { path: 'a.txt', content }))
    expect(await workspace.text('a.txt')).toBe(content)
    outputOf(await write(workspace.root, { path: 'a.txt', content: '' }))
    expect(await workspace.text('a.txt'), 'an empty content makes an empty file').toBe('')
  })

  it('makes the folders that the file needs', async ({ workspace }) => {
    outputOf(await write(workspace.root, { path: 'one/two/three.txt', content: '3' }))
    expect(await workspace.text('one/two/three.txt')).toBe('3')
  })

  it('refuses to write outside the folder of the context, and makes nothing there', async ({ workspace }) => {
    await mkdir(workspace.path('../elsewhere'))
    await symlink('../elsewhere', workspace.path('link'))
    for (const path of ['../elsewhere/new/a.txt', workspace.path('../elsewhere/new/a.txt'), 'link/new/a.txt']) {
      expect(errorIn(await write(workspace.root, { path, content: 'x' }))).toContain(path)
    }
    expect(execFileSync('ls', [workspace.path('../elsewhere')], { encoding: 'utf8' })).toBe('')
  })

  it('fails when a folder has that name', async ({ workspace }) => {
    await mkdir(workspace.path('src'))
    expect(errorIn(await write(workspace.root, { path: 'src', content: 'x' }))).toMatch(/director|folder/i)
  })

  it.skipIf(process.platform === 'win32')('does not wait for a reader of a pipe', async ({ workspace }) => {
    execFileSync('mkfifo', [workspace.path('pipe')])
    expect(errorIn(await write(workspace.root, { path: 'pipe', content: 'x' }))).toContain('pipe')
  })

  it('fails when a file stands where a folder would have to be', async ({ workspace }) => {
    await workspace.write('a.txt', 'a file')
    errorIn(await write(workspace.root, { path: 'a.txt/b.txt', content: 'x' }))
    expect(await workspace.text('a.txt')).toBe('a file')
  })

  it('works together with the others through callTool', async ({ workspace }) => {
    const ctx = { cwd: workspace.root, verbose: false }
    await callTool('write_file', { path: 'src/a.sh', content: 'echo one\necho two\n' }, ctx)
    expect(await callTool('bash', { command: 'bash src/a.sh' }, ctx)).toEqual(shown('one\ntwo\n'))
    const range = { path: 'src/a.sh', start_line: '2', end_line: null }
    expect(await callTool('read_file', range, ctx)).toEqual(shown(' 2 │ echo two'))
  })
})

function shown(output: string): ToolResult {
  return { success: true, output }
}

function outputOf(result: ToolResult): string {
  expect(result).toEqual({ success: true, output: expect.any(String) })
  return (result as { output: string }).output
}

function errorIn(result: ToolResult): string {
  expect(result).toEqual({ success: false, error: expect.stringMatching(/\S/) })
  return (result as { error: string }).error
}
