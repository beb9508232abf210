import { execFileSync } from 'node:child_process'
import { runBash, runEdit, runRead } from '#01-dispatch/handlers.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'

describe('task 2: runBash', () => {
  it('returns what the command printed', async ({ workspace }) => {
    expect(await runBash(workspace.root, { command: 'echo hello' })).toBe('hello\n')
  })

  it('returns what the command printed on stderr, too', async ({ workspace }) => {
    const output = await runBash(workspace.root, { command: 'echo out; echo err >&2' })
    expect(output).toContain('out')
    expect(output).toContain('err')
  })

  it('runs in the root', async ({ workspace }) => {
    await workspace.write('here.txt', '')
    expect(await runBash(workspace.root, { command: 'ls' })).toBe('here.txt\n')
  })

  it('hands the command to bash as it is: quotes, $ and a heredoc arrive whole', async ({ workspace }) => {
    const command = `X=1; cat <<'EOF'\nit's "$X" \\n\nEOF\necho "got $X"`
    expect(await runBash(workspace.root, { command })).toBe('it\'s "$X" \\n\ngot 1\n')
  })

  it('runs bash, not whatever sh is', async ({ workspace }) => {
    expect(await runBash(workspace.root, { command: '[[ abc == a* ]] && echo same' })).toBe('same\n')
  })

  it('returns what a failing command printed on stderr, and says how it ended on a line of its own', async ({
    workspace,
  }) => {
    const output = await runBash(workspace.root, { command: 'printf half; printf done >&2; exit 3' })
    expect(output).toContain('done')
    expect(output.trimEnd().split('\n').at(-1), 'the last line').toMatch(/^\W*exit code 3\W*$/i)
  })

  it('returns the output and the exit code of a command that fails', async ({ workspace }) => {
    const output = await runBash(workspace.root, { command: 'echo before; exit 3' })
    expect(output).toContain('before')
    expect(output, 'the model must see how the command ended').toMatch(/exit code 3/i)
  })

  it('returns the output and the signal of a command that was killed', async ({ workspace }) => {
    const output = await runBash(workspace.root, { command: 'echo before; kill -9 $$' })
    expect(output).toContain('before')
    expect(output, 'a command that was killed has no exit code').toContain('SIGKILL')
  })

  it('answers at once when a command reads from its input', async ({ workspace }) => {
    expect(await runBash(workspace.root, { command: 'read x; echo "got:$x"' })).toContain('got:')
    expect(await runBash(workspace.root, { command: 'cat; echo end' })).toContain('end')
  })

  it('does not block the process while the command runs', async ({ workspace }) => {
    // The command waits for a file that is written after it was started, and gives up when nobody gets to write it.
    const command = 'for i in $(seq 200); do [ -e go ] && echo seen && exit; sleep 0.02; done; echo blocked'
    const [output] = await Promise.all([runBash(workspace.root, { command }), workspace.write('go', '')])
    expect(output).toBe('seen\n')
  })
})

describe('task 3: runRead', () => {
  it('returns the text of the file', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\ntwo\n')
    expect(await runRead(workspace.root, { path: 'a.txt' })).toBe('one\ntwo\n')
    await workspace.write('empty.txt', '')
    expect(await runRead(workspace.root, { path: 'empty.txt' })).toBe('')
  })

  it('returns the first lines only and says how many are left', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\ntwo\nthree\nfour\n')
    const output = await runRead(workspace.root, { path: 'a.txt', limit: 1 })
    expect(output).toMatch(/^one\n/)
    expect(output).not.toContain('two')
    expect(output.slice('one\n'.length), 'three of the four lines are left').toMatch(/\b3\b/)
  })

  it('says nothing of a cut when the limit is as long as the file', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\ntwo\n')
    expect(await runRead(workspace.root, { path: 'a.txt', limit: 2 })).toBe('one\ntwo\n')
    await workspace.write('b.txt', 'one\ntwo')
    expect(await runRead(workspace.root, { path: 'b.txt', limit: 2 }), 'no line end at the end').toBe('one\ntwo')
  })

  it('refuses a path that leads outside, in the words of safePath', async ({ workspace }) => {
    await workspace.write('../secret.txt', 'secret')
    expect(await errorOf(() => runRead(workspace.root, { path: '../secret.txt' }))).toContain('../secret.txt')
  })

  it('names the file that does not exist', async ({ workspace }) => {
    expect(await errorOf(() => runRead(workspace.root, { path: 'gone.txt' }))).toContain('gone.txt')
  })

  it('says at once that a folder is a folder', async ({ workspace }) => {
    await workspace.write('src/a.ts', '')
    expect(await errorOf(() => runRead(workspace.root, { path: 'src' }))).toMatch(/director|folder/i)
  })

  it.skipIf(process.platform === 'win32')(
    'says at once that a pipe is no file, and does not wait for it',
    async ({ workspace }) => {
      execFileSync('mkfifo', [workspace.path('pipe')])
      expect(await errorOf(() => runRead(workspace.root, { path: 'pipe' }))).toMatch(/not a regular file|pipe|fifo/i)
    },
  )

  it('says that a binary file is binary, and how many bytes it has', async ({ workspace }) => {
    await workspace.write('report.txt', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff]))
    const message = await errorOf(() => runRead(workspace.root, { path: 'report.txt' }))
    expect(message).toMatch(/binary/i)
    expect(message).toMatch(/\b7\b/)
  })

  it('finds a NUL byte wherever it is', async ({ workspace }) => {
    await workspace.write('late.txt', Buffer.concat([Buffer.alloc(9000, 'a'), Buffer.from([0])]))
    expect(await errorOf(() => runRead(workspace.root, { path: 'late.txt' }))).toMatch(/binary.*\b9001\b/i)
  })

  it('shows U+FEFF anywhere but at the very start', async ({ workspace }) => {
    await workspace.write('bom.txt', '\uFEFFa\uFEFFb\n')
    expect(await runRead(workspace.root, { path: 'bom.txt' })).toBe('a\uFEFFb\n')
  })

  it('does not show the byte order mark', async ({ workspace }) => {
    await workspace.write('bom.txt', '\uFEFFk=1\n')
    expect(await runRead(workspace.root, { path: 'bom.txt' })).toBe('k=1\n')
  })
})

describe('task 4: runEdit', () => {
  const edit = (root: string, oldText: string, newText: string) =>
    runEdit(root, { path: 'f', old_text: oldText, new_text: newText })

  it('replaces the one place where the old text stands', async ({ workspace }) => {
    await workspace.write('f', 'one\ntwo\nthree\n')
    await edit(workspace.root, 'two', 'TWO')
    expect(await workspace.text('f')).toBe('one\nTWO\nthree\n')
  })

  it.for(['$&', '$$', '$`', "$'", '$1', '\\n'])('writes %s as it is', async (special, { workspace }) => {
    await workspace.write('f', 'log("done");\n')
    await edit(workspace.root, 'log("done");', `log("${special} ok");`)
    expect(await workspace.text('f')).toBe(`log("${special} ok");\n`)
  })

  it('says that the old text was not found, and leaves the file alone', async ({ workspace }) => {
    await workspace.write('f', 'one\n')
    expect(await errorOf(() => edit(workspace.root, 'two', '2'))).toMatch(
      /not found|no match|(not|n't) (contain|occur|find|stand|exist)/i,
    )
    expect(await workspace.text('f')).toBe('one\n')
  })

  it('says how often an ambiguous old text stands there, and leaves the file alone', async ({ workspace }) => {
    await workspace.write('f', 'x = 1\nx = 1\nx = 1\n')
    expect(await errorOf(() => edit(workspace.root, 'x = 1', 'x = 2'))).toMatch(/\b3\b/)
    expect(await workspace.text('f')).toBe('x = 1\nx = 1\nx = 1\n')
  })

  it('counts places that overlap', async ({ workspace }) => {
    await workspace.write('f', 'aaa')
    expect(await errorOf(() => edit(workspace.root, 'aa', 'b'))).toMatch(/\b2\b/)
  })

  it('refuses an empty old text instead of finding it everywhere', async ({ workspace }) => {
    await workspace.write('f', 'abc')
    expect(await errorOf(() => edit(workspace.root, '', 'X'))).toMatch(/empty/i)
    expect(await workspace.text('f')).toBe('abc')
  })

  it('deletes the old text when the new one is empty', async ({ workspace }) => {
    await workspace.write('f', 'abc')
    await edit(workspace.root, 'b', '')
    expect(await workspace.text('f')).toBe('ac')
  })

  it('keeps the byte order mark, also when the first line changes', async ({ workspace }) => {
    await workspace.write('f', '\uFEFFk=1\n')
    await edit(workspace.root, 'k=1', 'k=2')
    expect(await workspace.text('f')).toBe('\uFEFFk=2\n')
  })

  it('keeps bytes that are no UTF-8', async ({ workspace }) => {
    await workspace.write('f', Buffer.from('caf\xe9 = 1\n', 'latin1'))
    await edit(workspace.root, '= 1', '= 2')
    expect(await workspace.bytes('f')).toEqual(Buffer.from('caf\xe9 = 2\n', 'latin1'))
  })

  it('finds text of several lines in a file with Windows line ends, and keeps them', async ({ workspace }) => {
    await workspace.write('f', 'a\r\nb\r\nc\r\n')
    await edit(workspace.root, 'a\nb', 'x\ny')
    expect(await workspace.text('f')).toBe('x\r\ny\r\nc\r\n')
  })

  it('gives new lines the ends of the line they come to, in a file with both kinds', async ({ workspace }) => {
    await workspace.write('f', 'a\r\nb\nc\r\n')
    await edit(workspace.root, 'a', '1\n2')
    expect(await workspace.text('f'), 'line a ends in \\r\\n').toBe('1\r\n2\r\nb\nc\r\n')
    await edit(workspace.root, 'b', '3\n4')
    expect(await workspace.text('f'), 'line b ends in \\n').toBe('1\r\n2\r\n3\n4\nc\r\n')
  })

  it('counts a text that stands there with both kinds of line ends as ambiguous', async ({ workspace }) => {
    await workspace.write('f', 'a\nb\r\na\r\nb\n')
    expect(await errorOf(() => edit(workspace.root, 'a\nb', 'x')), 'to the model the two look the same').toMatch(
      /\b2\b/,
    )
    expect(await workspace.text('f')).toBe('a\nb\r\na\r\nb\n')
  })

  it('changes no line end outside the place', async ({ workspace }) => {
    await workspace.write('f', 'a\nb\r\nc\n')
    await edit(workspace.root, 'c', 'd')
    expect(await workspace.text('f')).toBe('a\nb\r\nd\n')
  })

  it('tells straight quotes from curly ones', async ({ workspace }) => {
    await workspace.write('f', "it's and it\u2019s")
    await edit(workspace.root, "it's", 'it\u2019s')
    expect(await workspace.text('f')).toBe('it\u2019s and it\u2019s')
  })
})
