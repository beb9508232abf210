import { type ChildProcess, spawn } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How the command of a hook ended, and what it said. */
export type CommandEnd =
  | { type: 'exited'; code: number; stdout: string; stderr: string }
  | { type: 'killed'; signal: NodeJS.Signals }
  /** It was still running when `signal` was aborted, and was killed with all that it had started. */
  | { type: 'stopped' }
  /** It said more than MAX_OUTPUT_BYTES, and was killed. */
  | { type: 'too_long' }
  | { type: 'not_started'; message: string }

/** More than a hook has to say, in bytes. */
const MAX_OUTPUT_BYTES = 1024 * 1024

/**
 * Runs a command line in the shell, in a process group of its own, with `stdin` as its standard input. Never rejects.
 * Resolves when the shell has ended, also where something that it started goes on and holds its output open. When
 * `signal` is aborted, the whole group is killed.
 */
export function runCommand(
  command: string,
  { stdin, cwd, signal }: { stdin: string; cwd: string; signal: AbortSignal },
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ type: 'stopped' })
    const child = spawn(command, { shell: true, detached: true, cwd, stdio: 'pipe' })
    const said = { bytes: 0, stdout: [] as Buffer[], stderr: [] as Buffer[] }
    const finish = (end: CommandEnd) => {
      signal.removeEventListener('abort', stop)
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
      resolve(end)
    }
    const kill = (end: CommandEnd) => {
      killGroup(child)
      finish(end)
    }
    const stop = () => kill({ type: 'stopped' })
    signal.addEventListener('abort', stop, { once: true })
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', (chunk: Buffer) => {
        said.bytes += chunk.length
        if (said.bytes > MAX_OUTPUT_BYTES) kill({ type: 'too_long' })
        else said[name].push(chunk)
      })
      child[name].on('error', () => {})
    }
    // A hook that does not read its input ends, and the pipe breaks: its exit code tells all.
    child.stdin.on('error', () => {}).end(stdin)
    child.once('error', (error) => finish({ type: 'not_started', message: error.message }))
    child.once('exit', async (code, killedBy) => {
      if (killedBy) return finish({ type: 'killed', signal: killedBy })
      await untilQuiet(() => said.bytes)
      const [stdout, stderr] = [said.stdout, said.stderr].map((chunks) => Buffer.concat(chunks).toString('utf8'))
      finish({ type: 'exited', code: code ?? 1, stdout, stderr })
    })
  })
}

/** Resolves when turns of the event loop bring nothing new: what was in the pipes at the shell's end has been read. */
async function untilQuiet(receivedBytes: () => number): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const before = receivedBytes()
    await nextTurn()
    quiet = receivedBytes() === before ? quiet + 1 : 0
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
