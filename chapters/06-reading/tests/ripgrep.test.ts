import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { type RipgrepOptions, ripgrep } from '#06-reading/ripgrep.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'

const onUnix = process.platform !== 'win32'

async function run(cwd: string, args: string[], options: Partial<RipgrepOptions> = {}) {
  const records: string[] = []
  const onRecord = (record: string) => records.push(record) > 0
  const signal = new AbortController().signal
  const end = await ripgrep(args, { cwd, signal, separator: '\n', onRecord, ...options })
  return { records, ...end }
}

/** Whether some process has a named pipe open to read it. */
function hasReader(pipe: string): boolean {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
    return true
  } catch {
    return false
  }
}

describe('task 4: ripgrep', () => {
  it('hands out the output record by record', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\ntwo\none and a half\n')
    const { records, isStopped, problems } = await run(workspace.root, ['-e', 'one', '--', './a.txt'])
    expect(records).toEqual(['one', 'one and a half'])
    expect(isStopped).toBe(false)
    expect(problems).toBe('')
  })

  it.skipIf(!onUnix)('splits at NUL where that is the separator', async ({ workspace }) => {
    await workspace.write('a\nb.txt', 'x')
    await workspace.write('c.txt', 'x')
    const { records } = await run(workspace.root, ['--files', '--null', '--', '.'], { separator: '\0' })
    expect(records.sort()).toEqual(['./a\nb.txt', './c.txt'])
  })

  it('finds nothing without an error', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\n')
    expect(await run(workspace.root, ['-e', 'two', '--', '.'])).toEqual({ records: [], isStopped: false, problems: '' })
  })

  it('throws in the words of rg when the pattern makes no sense', async ({ workspace }) => {
    expect(await errorOf(() => run(workspace.root, ['-e', 'a(b', '--', '.']))).toMatch(/unclosed group/)
    expect(await errorOf(() => run(workspace.root, ['-e', 'x', '--type', 'nope', '--', '.']))).toMatch(/nope/)
  })

  it('keeps what was found when a part could not be searched, and says which', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\n')
    const { records, problems } = await run(workspace.root, ['-e', 'one', '--', './a.txt', './missing.txt'])
    expect(records).toEqual(['./a.txt:one'])
    expect(problems).toContain('missing.txt')
  })

  it('keeps a bounded start of what rg complains of', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\n')
    const missing = Array.from({ length: 1000 }, (_, index) => `./missing-${index}.txt`)
    const { records, problems } = await run(workspace.root, ['-e', 'one', '--', './a.txt', ...missing])
    expect(records).toEqual(['./a.txt:one'])
    expect(problems).toMatch(/missing-\d/)
    expect(problems.length, 'MAX_COMPLAINTS').toBeLessThanOrEqual(4000)
  })

  it('does not throw when nothing was found and a part could not be searched', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\n')
    const { records, problems } = await run(workspace.root, ['-e', 'two', '--', './a.txt', './missing.txt'])
    expect(records).toEqual([])
    expect(problems).toContain('missing.txt')
  })

  it('keeps characters whole, however the output is cut into pieces', async ({ workspace }) => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `${'x'.repeat(index % 7)}日本語 é 😀`)
    await workspace.write('a.txt', lines.join('\n'))
    const { records } = await run(workspace.root, ['-e', '.', '--', './a.txt'])
    expect(records.length).toBe(lines.length)
    expect(records.find((record, index) => record !== lines[index])).toBeUndefined()
  })

  it('hands out no more once there is enough', async ({ workspace }) => {
    await workspace.write('a.txt', 'line\n'.repeat(50_000))
    const records: string[] = []
    const onRecord = (record: string) => records.push(record) < 3
    const { isStopped } = await run(workspace.root, ['-e', 'line', '--', './a.txt'], { onRecord })
    expect(isStopped).toBe(true)
    expect(records).toHaveLength(3)
  })

  it.skipIf(!onUnix)('ends rg once there is enough, though it has more to do', async ({ workspace }) => {
    await workspace.write('a.txt', 'line\n')
    execFileSync('mkfifo', [workspace.path('pipe')])
    const args = ['--threads=1', '--line-buffered', '-e', 'line', '--', './a.txt', './pipe']
    const { isStopped } = await run(workspace.root, args, { onRecord: () => false })
    expect(isStopped).toBe(true)
    expect(hasReader(workspace.path('pipe')), 'rg still waits for the pipe').toBe(false)
  })

  it.skipIf(!onUnix)('ends rg when onRecord throws, and throws the same', async ({ workspace }) => {
    await workspace.write('a.txt', 'line\n')
    execFileSync('mkfifo', [workspace.path('pipe')])
    const onRecord = () => {
      throw new Error('no room left')
    }
    const args = ['--threads=1', '--line-buffered', '-e', 'line', '--', './a.txt', './pipe']
    expect(await errorOf(() => run(workspace.root, args, { onRecord }))).toBe('no room left')
    expect(hasReader(workspace.path('pipe')), 'rg still waits for the pipe').toBe(false)
    const last = ['--files', '--null', '--', './a.txt']
    expect(await errorOf(() => run(workspace.root, last, { onRecord })), 'at the last record').toBe('no room left')
  })

  it.skipIf(!onUnix)('ends rg when it is aborted, and throws the reason', async ({ workspace }) => {
    execFileSync('mkfifo', [workspace.path('pipe')])
    const controller = new AbortController()
    const running = errorOf(() => run(workspace.root, ['-e', 'x', '--', './pipe'], { signal: controller.signal }))
    controller.abort(new Error('that is enough'))
    expect(await running).toBe('that is enough')
    expect(hasReader(workspace.path('pipe')), 'rg still waits for the pipe').toBe(false)
  })

  it('does not start rg when it is aborted already', async ({ workspace }) => {
    const signal = AbortSignal.abort(new Error('too late'))
    expect(await errorOf(() => run(workspace.root, ['-e', 'x', '--', '.'], { signal }))).toBe('too late')
  })

  it('gives rg nothing to read on stdin', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\n')
    expect((await run(workspace.root, ['-e', 'one'])).records, 'without a path, rg would read a pipe on stdin').toEqual(
      ['a.txt:one'],
    )
  })

  it("ignores the user's configuration", async ({ workspace }) => {
    await workspace.write('a.txt', 'one\nONE\n')
    const before = process.env.RIPGREP_CONFIG_PATH
    process.env.RIPGREP_CONFIG_PATH = await workspace.write('../ripgreprc', '--ignore-case\n')
    try {
      expect((await run(workspace.root, ['-e', 'one', '--', './a.txt'])).records).toEqual(['one'])
    } finally {
      if (before === undefined) delete process.env.RIPGREP_CONFIG_PATH
      else process.env.RIPGREP_CONFIG_PATH = before
    }
  })

  it('has no shell that could read the arguments', async ({ workspace }) => {
    await workspace.write('a.txt', 'costs $HOME; `date`\n')
    expect((await run(workspace.root, ['-F', '-e', '$HOME; `date`', '--', './a.txt'])).records).toHaveLength(1)
  })

  it('throws when rg cannot be started, and so has no exit', async ({ workspace }) => {
    expect(await errorOf(() => run(workspace.path('gone'), ['-e', 'x', '--', '.']))).not.toBe('')
  })
})
