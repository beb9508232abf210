import { existsSync } from 'node:fs'
import { BashTool, type ToolResult } from '#04-tool-engine/tools.ts'
import { describe, expect, it } from '#support/test.ts'

/** Runs a command and returns its ToolResult. A command that hangs is ended after `timeout` ms. */
function bash(cwd: string, command: string, timeout = 4000) {
  return BashTool.call({ command, timeout }, { cwd, verbose: false })
}

describe('task 3: BashTool', () => {
  it('returns what the command printed', async ({ workspace }) => {
    expect(await bash(workspace.root, 'echo hello')).toEqual({ success: true, output: 'hello\n' })
    expect(await bash(workspace.root, 'echo "naïve 🙂"'), 'text is UTF-8').toEqual({
      success: true,
      output: 'naïve 🙂\n',
    })
    expect(await bash(workspace.root, 'true'), 'nothing printed').toEqual({ success: true, output: '' })
  })

  it('runs without a timeout of its own, too', async ({ workspace }) => {
    const result = await BashTool.call({ command: 'echo hello' }, { cwd: workspace.root, verbose: false })
    expect(result).toEqual({ success: true, output: 'hello\n' })
  })

  it('runs in the folder of the context', async ({ workspace }) => {
    await workspace.write('here.txt', '')
    expect(await bash(workspace.root, 'ls')).toEqual({ success: true, output: 'here.txt\n' })
  })

  it('returns what a command that succeeds printed on stderr', async ({ workspace }) => {
    const result = await bash(workspace.root, 'echo a warning >&2; echo out')
    expect(result).toMatchObject({ success: true, output: expect.stringContaining('a warning') })
    expect(result).toMatchObject({ output: expect.stringContaining('out') })
  })

  it('runs bash, and not whatever sh is', async ({ workspace }) => {
    const result = await bash(workspace.root, `words=(one two); [[ \${words[1]} == t* ]] && echo "\${words[1]}"`)
    expect(result).toEqual({ success: true, output: 'two\n' })
  })

  it('hands the command over as it is: quotes, $ and a heredoc arrive whole', async ({ workspace }) => {
    const command = `X=1; cat <<'EOF'\nit's "$X" \\n\nEOF\necho "got $X"`
    expect(await bash(workspace.root, command)).toEqual({ success: true, output: 'it\'s "$X" \\n\ngot 1\n' })
  })

  it.for([
    ['a comment', 'echo hi # there'],
    ['a backslash', 'echo hi \\'],
    ['an open heredoc', "cat <<'EOF'\nhi"],
  ])('runs a command that ends in %s: nothing of yours stands behind it', async ([, command], { workspace }) => {
    const result = await bash(workspace.root, command)
    expect(result).toEqual({ success: true, output: expect.stringMatching(/^hi/m) })
  })

  it('fails with stdout, stderr and the exit code', async ({ workspace }) => {
    const result = await bash(workspace.root, 'echo half done; echo it broke >&2; exit 3')
    expect(result).toEqual({ success: false, error: expect.stringMatching(/exit code 3/i) })
    expect(result).toMatchObject({ error: expect.stringContaining('half done') })
    expect(result).toMatchObject({ error: expect.stringContaining('it broke') })
  })

  it('says how a command ended behind its output, on a line of its own', async ({ workspace }) => {
    const error = errorIn(await bash(workspace.root, 'printf "half done"; exit 3'))
    expect(error, 'is the ending glued to the output?').toMatch(/half done\s*\n.*exit code 3/i)
  })

  it('fails with the words of bash when the command is no bash', async ({ workspace }) => {
    const result = await bash(workspace.root, 'echo (')
    expect(result).toMatchObject({ success: false, error: expect.stringMatching(/syntax error/i) })
    expect(await bash(workspace.root, 'no-such-program')).toMatchObject({
      success: false,
      error: expect.stringContaining('no-such-program'),
    })
  })

  it('takes a command that a signal ended for a failure, and names the signal', async ({ workspace }) => {
    const result = await bash(workspace.root, 'echo before; kill -9 $$')
    expect(result).toEqual({ success: false, error: expect.stringContaining('SIGKILL') })
    expect(result).toMatchObject({ error: expect.stringContaining('before') })
  })

  it('gives a command that reads its input the end at once', async ({ workspace }) => {
    expect(await bash(workspace.root, 'read x; echo "got:$x"')).toEqual({ success: true, output: 'got:\n' })
    expect(await bash(workspace.root, 'cat; echo end')).toEqual({ success: true, output: 'end\n' })
  })

  it('ends a command that takes too long, and says the limit in ms', async ({ workspace }) => {
    const result = await bash(workspace.root, 'echo started; exec sleep 4', 1000)
    expect(result).toEqual({ success: false, error: expect.stringMatching(/timed? ?-?out/i) })
    expect(result, 'the model chose the limit: name it').toMatchObject({ error: expect.stringMatching(/\b1000 ?ms/) })
    expect(result).toMatchObject({ error: expect.stringContaining('started') })
  })

  it('ends a command that does not listen to SIGTERM', async ({ workspace }) => {
    const command = "trap '' TERM; sleep 3; touch survived"
    expect(await bash(workspace.root, command, 1000)).toMatchObject({ success: false })
    expect(existsSync(workspace.path('survived')), 'the command ran to its end').toBe(false)
  })

  it('stops a command that prints without end, and says how much it may print', async ({ workspace }) => {
    const error = errorIn(await bash(workspace.root, 'yes'))
    const ending = error.slice(-300)
    expect(ending, 'how many bytes may it print?').toMatch(/\b1[,_ ]?048[,_ ]?576 bytes/i)
    expect(ending, 'a time limit is another thing').not.toMatch(/timed? ?-?out/i)
    expect(error.length, 'bounded').toBeLessThan(2 * 1048576)
  })

  it('returns as much as it may print', async ({ workspace }) => {
    const result = await bash(workspace.root, 'head -c 1000000 /dev/zero | tr "\\0" x')
    expect(result).toMatchObject({ success: true })
    expect((result as { output: string }).output).toHaveLength(1_000_000)
  })

  it('names a working directory that is gone, instead of blaming bash', async ({ workspace }) => {
    const gone = workspace.path('gone')
    const result = await bash(gone, 'echo hello')
    expect(result).toEqual({ success: false, error: expect.stringContaining(gone) })
    expect(result).toMatchObject({ error: expect.stringMatching(/director|folder|cwd/i) })
  })

  it('names a working directory that is a file', async ({ workspace }) => {
    const file = await workspace.write('a.txt', '')
    const error = errorIn(await bash(file, 'echo hello'))
    expect(error).toContain(file)
    expect(error, 'it does exist, but what is it not?').toMatch(/(not|no) (a |an )?(director|folder)|is a file/i)
  })

  it('returns a failure when the command has a NUL byte, which no program can be given', async ({ workspace }) => {
    const error = errorIn(await bash(workspace.root, 'echo a\0b'))
    expect(error, 'there is no output: is that what you show?').not.toContain('undefined')
  })

  it('says why when the command is too long to be handed over, and shows no output', async ({ workspace }) => {
    const error = errorIn(await bash(workspace.root, `echo ${'x'.repeat(3_000_000)}`)).slice(-300)
    expect(error, 'what did Node say?').toMatch(/E2BIG|too (long|big|large)/i)
    expect(error, 'there is no output: is that what you show?').not.toMatch(/null|undefined/)
  })
})

function errorIn(result: ToolResult): string {
  expect(result).toEqual({ success: false, error: expect.stringMatching(/\S/) })
  return (result as { error: string }).error
}
