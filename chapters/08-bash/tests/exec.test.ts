import { getEventListeners } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type ExecOptions, exec } from '#08-bash/exec.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { during, isRunning, pidsIn, until, untilDead } from './processes.ts'

/** Ends what a test has started and the command under test was right to leave alone. */
function kill(pids: number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

describe('task 2: exec', () => {
  it('returns what was printed, and the exit code', async ({ workspace }) => {
    const result = await exec('echo hi; exit 3', { cwd: workspace.root })
    expect(result).toMatchObject({ output: 'hi\n', ending: { type: 'exited', code: 3 } })
    expect(await exec('true', { cwd: workspace.root })).toMatchObject({
      output: '',
      ending: { type: 'exited', code: 0 },
    })
  })

  it('keeps stdout and stderr in the order in which they came', async ({ workspace }) => {
    const command = 'for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done'
    const { output } = await exec(command, { cwd: workspace.root })
    expect(output).toBe([1, 2, 3, 4, 5].map((i) => `out${i}\nerr${i}\n`).join(''))
  })

  it('hands the command over as it is', async ({ workspace }) => {
    const command = `cat > f << 'EOF'\nit's "$X" \\n\nEOF\ncat f; echo "$# \${BASH_ENV-unset}"`
    expect((await exec(command, { cwd: workspace.root })).output).toBe('it\'s "$X" \\n\n0 unset\n')
  })

  it('gives a command that reads its input the end at once', async ({ workspace }) => {
    expect((await exec('read x; echo "got:$x"; cat', { cwd: workspace.root })).output).toBe('got:\n')
  })

  it('says which signal ended the command, with what it had printed', async ({ workspace }) => {
    expect(await exec('printf before; kill -9 $$', { cwd: workspace.root })).toMatchObject({
      output: 'before',
      ending: { type: 'killed', signal: 'SIGKILL' },
    })
  })

  it('says in which folder the command ended, and runs the next one there', async ({ workspace }) => {
    const first = await exec('mkdir -p "a b/c" && cd "a b/c" && exit 1', { cwd: workspace.root })
    expect(first.cwd).toBe(workspace.path('a b/c'))
    expect((await exec('pwd', { cwd: first.cwd })).output).toBe(`${workspace.path('a b/c')}\n`)
  })

  it('goes to the other folder when the one to start in is gone, and says so', async ({ workspace }) => {
    const gone = workspace.path('gone')
    const result = await exec('pwd', { cwd: gone, fallbackCwd: workspace.root })
    expect(result).toMatchObject({ output: `${workspace.root}\n`, cwd: workspace.root })
    expect(result.notes.join(' ')).toContain(gone)
  })

  it('rejects when there is no folder to start in', async ({ workspace }) => {
    // The second half makes sure that a blank is not taken for a refusal.
    expect(await errorOf(() => exec('pwd', { cwd: workspace.path('gone') }))).toContain(workspace.path('gone'))
    expect((await exec('pwd', { cwd: workspace.root })).notes).toEqual([])
  })

  it('settles when the shell has ended, though a child of it holds the output open', async ({ workspace }) => {
    const result = await exec('sleep 20 & echo $! > pid; echo started', { cwd: workspace.root })
    expect(result).toMatchObject({ output: 'started\n', ending: { type: 'exited', code: 0 } })
    const pids = await pidsIn(workspace.path('pid'), 1)
    expect(pids.map(isRunning), 'a server that was started with & goes on').toEqual([true])
    kill(pids)
  })

  it('settles though a child goes on printing without end', async ({ workspace }) => {
    const command = 'yes & echo $! > pid; echo started'
    const result = await exec(command, { cwd: workspace.root })
    expect(result.ending).toEqual({ type: 'exited', code: 0 })
    const pids = await pidsIn(workspace.path('pid'), 1)
    await untilDead(pids).catch(() => kill(pids))
  })

  it('has all of what the shell wrote before it ended', async ({ workspace }) => {
    const { output } = await exec('sleep 20 & echo $! > pid; head -c 150000 /dev/zero | tr "\\0" x; echo end', {
      cwd: workspace.root,
      maxOutputChars: 400_000,
    })
    kill(await pidsIn(workspace.path('pid'), 1))
    expect(output.length).toBe(150_004)
    expect(output).toMatch(/x{100}end\n$/)
  })

  it('shows a character that was never finished', async ({ workspace }) => {
    const seen: string[] = []
    const options: ExecOptions = { cwd: workspace.root, onOutput: (text) => seen.push(text) }
    expect((await exec("printf 'a\\303'", options)).output).toBe('a\uFFFD')
    expect(seen.join(''), 'whoever watches sees it, too').toBe('a\uFFFD')
  })

  it.for([
    [Infinity, 'none at all'],
    [3e9, 'one that no timer can hold'],
  ] as const)('lets a command run to its end with a time limit of %d (%s)', async ([timeout], { workspace }) => {
    const { output, ending } = await exec('sleep 0.2; echo hi', { cwd: workspace.root, timeout })
    expect({ output, ending }).toEqual({ output: 'hi\n', ending: { type: 'exited', code: 0 } })
  })

  it('ends every process of the command at the time limit, and says the limit', async ({ workspace }) => {
    const command =
      'sleep 20 & echo $! >> pids; (sleep 20 & echo $! >> pids; wait) & echo $$ >> pids; echo on; sleep 20'
    const result = await exec(command, { cwd: workspace.root, timeout: 400, graceMs: 200 })
    expect(result).toMatchObject({ ending: { type: 'timed_out', ms: 400 } })
    await untilDead(await pidsIn(workspace.path('pids'), 3))
  })

  it('kills what does not listen to SIGTERM', async ({ workspace }) => {
    const command = `trap '' TERM; echo $$ >> pids; sleep 20 & echo $! >> pids; for i in {1..20}; do sleep 1; done`
    const result = await exec(command, { cwd: workspace.root, timeout: 400, graceMs: 100 })
    expect(result.ending.type).toBe('timed_out')
    await untilDead(await pidsIn(workspace.path('pids'), 2))
  })

  it('kills a child that does not listen, when the shell itself has ended at once', async ({ workspace }) => {
    const child = `trap "" TERM; echo $$ >> pids; for i in {1..20}; do sleep 1; done`
    const result = await exec(`bash -c '${child}' & wait`, { cwd: workspace.root, timeout: 500, graceMs: 100 })
    expect(result.ending.type).toBe('timed_out')
    await untilDead(await pidsIn(workspace.path('pids'), 1))
  })

  it('asks with SIGTERM first, and gives time to clean up', async ({ workspace }) => {
    const command = `trap 'echo cleaned > out; exit' TERM; echo $$ > pid; while :; do sleep 0.01; done`
    const controller = new AbortController()
    const running = exec(command, { cwd: workspace.root, signal: controller.signal, graceMs: 2000 })
    await during(running, pidsIn(workspace.path('pid'), 1))
    controller.abort()
    await running
    expect(await workspace.text('out')).toBe('cleaned\n')
  })

  it('comes back as soon as the group has ended, however long the grace may be', async ({ workspace }) => {
    // The shell collects its child before it ends, so that no dead process is left in the group.
    const command = "trap 'wait; exit' TERM; sleep 20 & wait"
    let back = false
    const running = exec(command, { cwd: workspace.root, timeout: 300, graceMs: 8_000 }).then((result) => {
      back = true
      return result
    })
    await during(
      running,
      until('exec comes back before the grace is over', () => back),
    )
    expect((await running).ending.type).toBe('timed_out')
  })

  it('comes back at the time limit though a process that set itself apart goes on printing', async ({ workspace }) => {
    await workspace.write('apart.sh', 'trap "" TERM HUP\necho $$ > pid\nwhile echo x; do sleep 0.05; done\n')
    await workspace.write(
      'run.mjs',
      "import { spawn } from 'node:child_process'\nspawn('bash', ['apart.sh'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }).unref()\n",
    )
    const command = 'node run.mjs; sleep 20'
    const running = exec(command, { cwd: workspace.root, timeout: 1500, graceMs: 100 })
    const pids = await during(running, pidsIn(workspace.path('pid'), 1))
    expect((await running).ending.type).toBe('timed_out')
    await untilDead(pids).catch(() => kill(pids))
  })

  it('ends every process of the command when the signal is aborted', async ({ workspace }) => {
    const controller = new AbortController()
    const running = exec(`trap '' TERM; sleep 20 & echo $! >> pids; echo $$ >> pids; echo half; sleep 20`, {
      cwd: workspace.root,
      signal: controller.signal,
      graceMs: 200,
      onOutput: () => controller.abort(),
    })
    expect(await running).toMatchObject({ ending: { type: 'aborted' }, output: 'half\n' })
    await untilDead(await pidsIn(workspace.path('pids'), 2))
  })

  it('starts nothing when the signal is aborted already', async ({ workspace }) => {
    const result = await exec('touch ran', { cwd: workspace.root, signal: AbortSignal.abort() })
    expect(result.ending).toEqual({ type: 'aborted' })
    expect(await readdir(workspace.root)).toEqual([])
  })

  it('leaves no listener on the signal', async ({ workspace }) => {
    const { signal } = new AbortController()
    await exec('true', { cwd: workspace.root, signal })
    await exec('sleep 20', { cwd: workspace.root, signal, timeout: 50, graceMs: 100 })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('leaves no timer and no pipe behind', async ({ workspace }) => {
    const open = () => process.getActiveResourcesInfo().filter((kind) => kind === 'PipeWrap').length
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = { open: open(), timers: timers() }
    await exec('sleep 20 & echo $! > pid; echo on', { cwd: workspace.root, timeout: 3_600_000 })
    await until('the pipes are closed', () => open() <= before.open)
    expect(timers(), 'the time limit still runs').toBeLessThanOrEqual(before.timers)
    kill(await pidsIn(workspace.path('pid'), 1))
  })

  it('tells what is printed while the command still runs', async ({ workspace }) => {
    const seen: string[] = []
    const options: ExecOptions = { cwd: workspace.root, onOutput: (text) => seen.push(text) }
    const running = exec('echo one; while [ ! -e go ]; do sleep 0.02; done; echo two', options)
    await during(
      running,
      until('the first line is told', () => seen.join('') === 'one\n'),
    )
    await workspace.write('go', '')
    expect((await running).output).toBe('one\ntwo\n')
    expect(seen.join('')).toBe('one\ntwo\n')
  })

  it('goes on when whoever watches throws', async ({ workspace }) => {
    const onOutput = () => {
      throw new Error('watcher')
    }
    expect((await exec('echo one', { cwd: workspace.root, onOutput })).output).toBe('one\n')
  })

  it('keeps the beginning and the end of a long output, and lets the command run to its end', async ({ workspace }) => {
    const command = 'echo first; yes | head -c 3000000; echo last; exit 4'
    const { output, ending } = await exec(command, { cwd: workspace.root, maxOutputChars: 100 })
    expect(output).toMatch(/^first\ny/)
    expect(output).toMatch(/y\nlast\n$/)
    expect(output).toContain('2999911')
    expect(ending).toEqual({ type: 'exited', code: 4 })
  })

  it('rejects when the command cannot be handed over, and leaves nothing behind', async ({ workspace }) => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    const { signal } = new AbortController()
    const options: ExecOptions = { cwd: workspace.root, signal, timeout: 3_600_000 }
    expect(await errorOf(() => exec('echo a\0b', options))).toMatch(/null byte|NUL/i)
    expect(getEventListeners(signal, 'abort'), 'a listener on the signal').toEqual([])
    expect(timers(), 'the time limit still runs').toBeLessThanOrEqual(before)
  })

  it('rejects when there is no bash, and leaves nothing behind', async ({ workspace }) => {
    const { signal } = new AbortController()
    const { PATH } = process.env
    process.env.PATH = workspace.root
    try {
      const message = await errorOf(() => exec('echo a', { cwd: workspace.root, signal }))
      expect(message).toMatch(/ENOENT/)
    } finally {
      process.env.PATH = PATH
    }
    expect(getEventListeners(signal, 'abort'), 'a listener on the signal').toEqual([])
  })
})
