import { chmod, link, mkdir, readdir, readlink, stat, symlink, utimes } from 'node:fs/promises'
import { EditTool } from '#07-editing/edit.ts'
import { allowEverything, noMessage } from '#support/run-tool.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import type { Workspace } from '#support/workspace.ts'
import { diffOf, renderChange } from '../given/change.ts'
import { startSession } from './session.ts'

/** A session in which the file `f` has been read. */
async function openFile(workspace: Workspace, content: string | Uint8Array) {
  const session = startSession(workspace)
  await workspace.write('f', content)
  await session.read('f')
  return session
}

describe('task 5: Edit replaces the one place', () => {
  it.for<[what: string, before: string, old: string, now: string, after: string]>([
    ['a word', 'one two three\n', 'two', '2', 'one 2 three\n'],
    ['a word by nothing', 'one two three\n', ' two', '', 'one three\n'],
    ['several lines', 'a\nb\nc\n', 'a\nb', 'x\ny\nz', 'x\ny\nz\nc\n'],
    ['all of the file', 'one', 'one', 'two', 'two'],
    ['the end of a file without a last line end', 'a\nb', 'b', 'c', 'a\nc'],
    ['lines that end in \\r\\n', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny', 'x\r\ny\r\nc\r\n'],
    ['one line by two where lines end in \\r\\n', 'a\r\nb\r\n', 'a', 'a\nx', 'a\r\nx\r\nb\r\n'],
    ['the last line by two where lines end in \\r\\n', 'a\r\nb', 'b', 'b\nc', 'a\r\nb\r\nc'],
    ['one line by two in a mixed file, as its line ends', 'a\nb\r\nc\n', 'b', 'b\nx', 'a\nb\r\nx\r\nc\n'],
    ['lines of mixed ends, each as it was', 'a\r\nb\nc', 'a\nb\nc', 'x\ny\nz', 'x\r\ny\nz'],
    ['a whole line that ends in \\r\\n', 'a\r\nb\r\nc', '\nb', '', 'a\r\nc'],
    ['a word next to a lone \\r', 'a\rb\rc', 'b', 'x', 'a\rx\rc'],
    ['the first line behind a byte order mark', '\uFEFFk=1\n', 'k=1', 'k=2', '\uFEFFk=2\n'],
    ['a line far behind a byte order mark', '\uFEFFa\nk=1\n', 'k=1', 'k=2', '\uFEFFa\nk=2\n'],
    ['the first line without a second byte order mark', '\uFEFFk=1\n', '\uFEFFk=1', '\uFEFFk=2', '\uFEFFk=2\n'],
    [
      'the exact quotes, though others look like them',
      'g = "hi"\ng = “hi”\n',
      'g = "hi"',
      'g = 1',
      'g = 1\ng = “hi”\n',
    ],
    ['straight quotes by curly ones', "say '%s'\n", "'%s'", '‘%s’', 'say ‘%s’\n'],
    [
      'composed letters where the file has separate accents',
      'e\u0301 = e\u0301 2\n',
      '\u00e9 = ',
      'x = ',
      'x = e\u0301 2\n',
    ],
    ['\\n by \\r\\n, when it is asked for', 'a\nb\n', 'a\nb', 'a\r\nb', 'a\r\nb\n'],
    ['\\r\\n by \\n, when it is asked for', 'a\r\nb\r\n', 'a\r\nb', 'a\nb', 'a\nb\r\n'],
  ])('replaces %s', async ([, before, old, now, after], { workspace }) => {
    const { edit } = await openFile(workspace, before)
    await edit('f', old, now)
    expect(await workspace.text('f')).toBe(after)
  })

  it.for(['$&', '$$', '$`', "$'", '$1', '$<a>', '\\n'])(
    'writes %s as it is, once or everywhere',
    async (special, { workspace }) => {
      const { edit } = await openFile(workspace, 'log("done");\n')
      await edit('f', 'log("done");', `log("${special} ok");`)
      expect(await workspace.text('f')).toBe(`log("${special} ok");\n`)
      await edit('f', special, `${special}${special}`, { replace_all: true })
      expect(await workspace.text('f')).toBe(`log("${special}${special} ok");\n`)
    },
  )

  it('keeps bytes that are no UTF-8', async ({ workspace }) => {
    const { edit } = await openFile(workspace, Buffer.from('\xff caf\xe9 = 1\n\x80', 'latin1'))
    await edit('f', '= 1', '= 2')
    expect(await workspace.bytes('f')).toEqual(Buffer.from('\xff caf\xe9 = 2\n\x80', 'latin1'))
  })

  it.for([
    ['UTF-16, low byte first', [0xff, 0xfe], (bytes: Buffer) => bytes],
    ['UTF-16, high byte first', [0xfe, 0xff], (bytes: Buffer) => bytes.swap16()],
  ] as const)('edits %s', async ([, bom, order], { workspace }) => {
    const utf16 = (text: string) => Buffer.concat([Buffer.from(bom), order(Buffer.from(text, 'utf16le'))])
    const { edit } = await openFile(workspace, utf16('a\r\nb\r\n'))
    await edit('f', 'a', 'é👍\nc')
    expect(await workspace.bytes('f')).toEqual(utf16('é👍\r\nc\r\nb\r\n'))
  })

  it('keeps the mode and the link, and leaves nothing else in the folder', async ({ workspace }) => {
    const session = startSession(workspace)
    const path = await workspace.write('run.sh', 'echo one\n')
    await chmod(path, 0o755)
    await symlink('run.sh', workspace.path('link'))
    await session.read('run.sh')
    await session.edit('link', 'one', 'two')
    expect(await workspace.text('run.sh')).toBe('echo two\n')
    expect((await stat(path)).mode & 0o777).toBe(0o755)
    expect(await readlink(workspace.path('link'))).toBe('run.sh')
    expect((await readdir(workspace.root)).sort()).toEqual(['link', 'run.sh'])
  })

  it('tells the model shortly what was done, and where', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'a\nb\nc\n')
    const answer = await edit('f', 'b', 'x')
    expect(answer).toMatch(/\bf\b.*line 2/)
    expect(answer.length).toBeLessThan(200)
  })

  it('says that other names of the file keep the old content', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'one\n')
    await link(workspace.path('f'), workspace.path('g'))
    expect(await edit('f', 'one', 'two')).toMatch(/hard link/i)
    expect(await workspace.text('g')).toBe('one\n')
  })

  it('shows people a unified diff', async ({ workspace }) => {
    const { context } = await openFile(workspace, 'a\nb\nc\n')
    const input = { file_path: 'f', old_string: 'b', new_string: 'x' }
    const { data } = await EditTool.call(input, context, allowEverything, noMessage, () => {})
    expect(data.diff).toMatch(/^--- f\n\+\+\+ f\n@@ -1,3 \+1,3 @@\n a\n-b\n\+x\n c\n/)
    expect(EditTool.renderToolResultMessage(data)).toContain('\n-b\n+x\n')
  })
})

describe('task 5: Edit with replace_all', () => {
  it('replaces every place, and says how many', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'x = x + x\n')
    expect(await edit('f', 'x', 'xx', { replace_all: true })).toMatch(/\b3\b/)
    expect(await workspace.text('f')).toBe('xx = xx + xx\n')
  })

  it('replaces a single place, too', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'abc')
    await edit('f', 'b', 'x', { replace_all: true })
    expect(await workspace.text('f')).toBe('axc')
  })

  it('takes places that overlap from the left', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'aaaaa')
    expect(await edit('f', 'aa', 'b', { replace_all: true })).toMatch(/\b2\b/)
    expect(await workspace.text('f')).toBe('bba')
  })

  it('gives each place the line ends that it has', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'a\nb\r\na\r\nb\n')
    await edit('f', 'a\nb', 'x\ny', { replace_all: true })
    expect(await workspace.text('f')).toBe('x\ny\r\nx\r\ny\n')
  })

  it('says that nothing was found, too', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'abc')
    expect(await errorOf(() => edit('f', 'x', 'y', { replace_all: true }))).toMatch(/not found/i)
  })
})

describe('task 5: Edit refuses', () => {
  /** What came of an edit that must be refused: its message. The file must be as it was. */
  async function refusal(workspace: Workspace, content: string | Uint8Array, [old, now, replace_all]: RefusedEdit) {
    const { edit } = await openFile(workspace, content)
    const message = await errorOf(() => edit('f', old, now, { replace_all }))
    expect(await workspace.bytes('f')).toEqual(Buffer.from(content as string))
    expect(await readdir(workspace.root)).toEqual(['f'])
    return message
  }
  type RefusedEdit = [old: string, now: string, replace_all?: boolean]

  it('a text that is not there, and names what is nearly it', async ({ workspace }) => {
    const message = await refusal(workspace, 'a\n\tb\n', ['  b', 'x'])
    expect(message).toMatch(/not found/i)
    expect(message).toMatch(/line 2\b/)
  })

  it('a text that is there twice: it says how often, and at which lines', async ({ workspace }) => {
    const message = await refusal(workspace, 'x = 1\ny\nx = 1\nx = 1\n', ['x = 1', 'x = 2'])
    expect(message).toMatch(/\b3 times/)
    expect(message).toMatch(/lines 1, 3 and 4/)
    expect(message).toMatch(/replace_all/)
  })

  it('a text that is there twice in a line, and gives that line once', async ({ workspace }) => {
    const message = await refusal(workspace, 'y\nx = x\n', ['x', 'z'])
    expect(message).toMatch(/\b2 times/)
    expect(message).toMatch(/\bline 2\b/)
    expect(message).not.toMatch(/2 and 2|2, 2/)
  })

  it('a text that overlaps with itself', async ({ workspace }) => {
    expect(await refusal(workspace, 'aaa', ['aa', 'b'])).toMatch(/\b2 times/)
  })

  it('a text that is there once with \\n and once with \\r\\n', async ({ workspace }) => {
    expect(await refusal(workspace, 'a\nb\r\na\r\nb\n', ['a\nb', 'x'])).toMatch(/\b2 times.*lines 1 and 3/)
  })

  it('a text of which two places look alike', async ({ workspace }) => {
    expect(await refusal(workspace, 'e\u0301\ne\u0301\n', ['\u00e9', 'x'])).toMatch(/\b2 times/)
  })

  it('an old text that is empty, before it counts anything', async ({ workspace }) => {
    expect(await refusal(workspace, 'abc', ['', 'X'])).toMatch(/empty/i)
    expect(await refusal(workspace, 'abc', ['', 'X', true])).toMatch(/empty/i)
    expect(await refusal(workspace, '\n', ['', 'X'])).toMatch(/empty/i)
  })

  it('an old text that is the new one', async ({ workspace }) => {
    expect(await refusal(workspace, 'abc', ['b', 'b'])).toMatch(/same|identical/i)
    expect(await refusal(workspace, 'abc', ['x', 'x'])).toMatch(/same|identical/i)
  })

  it('an edit that would change nothing', async ({ workspace }) => {
    expect(await refusal(workspace, 'a\r\nb', ['a\nb', 'a\r\nb'])).toMatch(/nothing|no change/i)
  })

  it('a text that is nothing but the byte order mark', async ({ workspace }) => {
    expect(await refusal(workspace, '\uFEFFk=1\n', ['\uFEFF', 'x'])).toMatch(/not found/i)
  })

  it('an old text that is the new one, before it looks for the file', async ({ workspace }) => {
    const { edit } = startSession(workspace)
    expect(await errorOf(() => edit('missing', 'x', 'x'))).toMatch(/same|identical/i)
    expect(await errorOf(() => edit('missing', '', ''))).toMatch(/same|identical/i)
    expect(await readdir(workspace.root)).toEqual([])
  })

  it('an empty old text, before it asks whether the file is binary', async ({ workspace }) => {
    expect(await refusal(workspace, Buffer.from([0x61, 0, 0x62]), ['', 'x'])).toMatch(/empty/i)
  })

  it('a binary file', async ({ workspace }) => {
    expect(await refusal(workspace, Buffer.from([0x61, 0, 0x62]), ['a', 'x'])).toMatch(/binary/i)
  })

  it('a binary file that has not been read: nobody can read it', async ({ workspace }) => {
    await workspace.write('f', Buffer.from([0x61, 0, 0x62]))
    expect(await errorOf(() => startSession(workspace).edit('f', 'a', 'x'))).toMatch(/binary.*\b3\b/i)
  })

  it('an empty old text for a file that has content and has not been read', async ({ workspace }) => {
    await workspace.write('f', 'abc')
    expect(await errorOf(() => startSession(workspace).edit('f', '', 'x'))).toMatch(/empty/i)
    expect(await workspace.text('f')).toBe('abc')
  })

  it('a file that is missing, and suggests a near name', async ({ workspace }) => {
    await workspace.write('src/greeting.ts', 'one\n')
    const { edit } = startSession(workspace)
    const message = await errorOf(() => edit('src/greting.ts', 'one', 'two'))
    expect(message).toMatch(/src\/greting\.ts does not exist/)
    expect(message).toContain('src/greeting.ts')
  })

  it('a folder', async ({ workspace }) => {
    await mkdir(workspace.path('src'))
    expect(await errorOf(() => startSession(workspace).edit('src', 'one', 'two'))).toMatch(/director|folder/i)
  })

  it('a file that has not been read', async ({ workspace }) => {
    await workspace.write('f', 'one\n')
    const message = await errorOf(() => startSession(workspace).edit('f', 'one', 'two'))
    expect(message).toMatch(/read/i)
    expect(await workspace.text('f')).toBe('one\n')
  })

  it.for([
    ['missing', 'three'],
    ['there twice', 'one'],
  ])('a file that has not been read, before it says that the text is %s', async ([, old], { workspace }) => {
    await workspace.write('f', 'one\none\n')
    const message = await errorOf(() => startSession(workspace).edit('f', old, 'two'))
    expect(message).toMatch(/read/i)
    expect(message, 'what stands in it is not for who has not read it').not.toMatch(/not found|times|lines?\b/i)
  })

  it('a file that changed since it was read', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'one\n')
    await workspace.write('f', 'one\ntwo\n')
    expect(await errorOf(() => edit('f', 'one', '1'))).toMatch(/changed.*read it again/i)
    expect(await workspace.text('f')).toBe('one\ntwo\n')
  })

  it('already in validateInput, and again in call', async ({ workspace }) => {
    const { context } = await openFile(workspace, 'one\n')
    const input = { file_path: 'f', old_string: 'one', new_string: 'two' }
    expect(await EditTool.validateInput(input, context)).toEqual({ result: true })
    expect(await workspace.text('f'), 'validateInput changes nothing').toBe('one\n')
    await workspace.write('f', 'one and more\n')
    const call = () => EditTool.call(input, context, allowEverything, noMessage, () => {})
    expect(await errorOf(call), 'a person may have thought about it for an hour').toMatch(/changed/i)
    expect(await EditTool.validateInput(input, context)).toMatchObject({ result: false })
  })

  it('to write after an abort', async ({ workspace }) => {
    const { context } = await openFile(workspace, 'one\n')
    const input = { file_path: 'f', old_string: 'one', new_string: 'two' }
    context.abortController.abort(new Error('stopped by the user'))
    const call = () => EditTool.call(input, context, allowEverything, noMessage, () => {})
    expect(await errorOf(call)).toContain('stopped by the user')
    expect(await workspace.text('f')).toBe('one\n')
  })

  it('to write after an abort that comes while it prepares', async ({ workspace }) => {
    const { context } = await openFile(workspace, 'one\n')
    const input = { file_path: 'f', old_string: 'one', new_string: 'two' }
    const call = () => {
      const running = EditTool.call(input, context, allowEverything, noMessage, () => {})
      context.abortController.abort(new Error('stopped by the user'))
      return running
    }
    expect(await errorOf(call)).toContain('stopped by the user')
    expect(await workspace.text('f')).toBe('one\n')
  })
})

describe('task 5: Edit makes and fills files', () => {
  it('makes a missing file when the old text is empty', async ({ workspace }) => {
    const { edit } = startSession(workspace)
    expect(await edit('src/new.ts', '', 'one\n')).toMatch(/created/i)
    expect(await workspace.text('src/new.ts')).toBe('one\n')
    await edit('src/new.ts', 'one', 'two')
    expect(await workspace.text('src/new.ts')).toBe('two\n')
  })

  it('fills an empty file when the old text is empty', async ({ workspace }) => {
    await workspace.write('f', '')
    await startSession(workspace).edit('f', '', 'one\n')
    expect(await workspace.text('f')).toBe('one\n')
  })

  it('fills a file that has nothing but a byte order mark', async ({ workspace }) => {
    await workspace.write('f', '\uFEFF')
    await startSession(workspace).edit('f', '', 'one\n')
    expect(await workspace.text('f')).toBe('\uFEFFone\n')
  })
})

describe('task 5: Edit after Edit', () => {
  it('edits again without a Read: its own write is no change', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'one two\n')
    await edit('f', 'one', '1')
    await edit('./f', 'two', '2')
    expect(await workspace.text('f')).toBe('1 2\n')
  })

  it('edits again after an edit back: what counts are the bytes that it saved', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'a\r\nb\nc\n')
    await edit('f', 'a\nb\nc', 'x')
    await edit('f', 'x', 'a\nb\nc')
    await edit('f', 'c', 'd')
    expect(await workspace.text('f')).toBe('a\r\nb\nd\n')
  })

  it('notices a change after its own edit', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'one two\n')
    await edit('f', 'one', '1')
    await workspace.write('f', '1 two three\n')
    expect(await errorOf(() => edit('f', 'two', '2'))).toMatch(/changed/i)
  })

  it('edits a file that was only touched since', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'one\n')
    await utimes(workspace.path('f'), 5000, 5000)
    await edit('f', 'one', 'two')
    expect(await workspace.text('f')).toBe('two\n')
  })

  it('loses neither of two edits that are made at the same time', async ({ workspace }) => {
    for (let round = 0; round < 5; round++) {
      const { edit } = await openFile(workspace, 'one two\n')
      const edits = [edit('f', 'one', '1'), edit('f', 'two', '2')]
      const outcomes = await Promise.allSettled(edits)
      const text = await workspace.text('f')
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected' && outcome.reason.message.startsWith('TODO')) throw outcome.reason
      }
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).not.toHaveLength(0)
      expect(text.includes('1'), 'what an edit says must be true').toBe(outcomes[0].status === 'fulfilled')
      expect(text.includes('2')).toBe(outcomes[1].status === 'fulfilled')
    }
  })
})

describe('given: the diff', () => {
  it('counts the lines of the whole file, and shows three around the change', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`)
    const before = Buffer.from(lines.join(''))
    const after = Buffer.from(lines.with(49, 'fifty\n').join(''))
    expect(diffOf('f', before, after)).toBe(
      '--- f\n+++ f\n@@ -47,7 +47,7 @@\n line 47\n line 48\n line 49\n-line 50\n+fifty\n line 51\n line 52\n line 53\n',
    )
  })

  it('is bounded, however much changes', () => {
    const before = Buffer.from('old\n'.repeat(50_000))
    expect(diffOf('f', before, Buffer.from('new line\n'.repeat(50_000))).length).toBeLessThan(60_000)
  })

  it('cannot move the cursor of a terminal', () => {
    const change = { filePath: 'f', summary: 'Edited f.', diff: '+\u001b[2Jgone\r\n'.repeat(100) }
    expect(renderChange(change)).not.toContain('\u001b')
    expect(renderChange(change)).not.toContain('\r')
    expect(renderChange(change).split('\n').length).toBeLessThan(60)
  })
})

describe('given: what is refused before your code is asked', () => {
  it('refuses a new text that no text file can have', async ({ workspace }) => {
    const { edit } = await openFile(workspace, 'abc')
    expect(await errorOf(() => edit('f', 'b', 'x\0y'))).toMatch(/new_string.*NUL/i)
    expect(await errorOf(() => edit('f', 'b', '\ud83d'))).toMatch(/new_string.*surrogate/i)
    expect(await workspace.text('f')).toBe('abc')
  })

  it('refuses a path that is empty, or goes in a circle', async ({ workspace }) => {
    await symlink('b', workspace.path('a'))
    await symlink('a', workspace.path('b'))
    const { edit, write } = startSession(workspace)
    expect(await errorOf(() => edit('', 'a', 'b'))).toMatch(/empty/i)
    expect(await errorOf(() => write('a', 'x'))).toMatch(/circle/i)
  })

  it('refuses to write to a folder', async ({ workspace }) => {
    await workspace.write('src/a.ts', '')
    expect(await errorOf(() => startSession(workspace).write('src', 'x'))).toMatch(/director|folder/i)
  })
})
