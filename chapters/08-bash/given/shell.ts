import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** A shell that is running a command, in a session and a process group of its own. The group's id is the shell's pid. */
export interface Shell {
  process: ChildProcess
  /** What it and its children print, stdout and stderr in the order in which they came. */
  outputs: Readable[]
  /** What it says of the folder that it ended in. */
  folder: Readable
}

const PRELUDE = fileURLToPath(new URL('prelude.sh', import.meta.url))

/** Nobody is there to answer a question, to use an editor, or to turn the pages of a pager. */
const UNATTENDED = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  EDITOR: 'true',
  VISUAL: 'true',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
}

/** Groups that may still have a process in them. They die with this process. */
const groups = new Set<number>()
process.once('exit', () => {
  for (const group of groups) signalGroup(group, 'SIGKILL')
})

/**
 * Starts `bash -c command` in `cwd`. The command is one argument, as it came. Its stdin is at its end.
 * What goes wrong with the start itself is an `error` event of the process, or thrown.
 */
export function startShell(command: string, cwd: string): Shell {
  const child = spawn('bash', ['-c', command], {
    cwd,
    // A session of its own: no terminal to ask on, and a group that can be signalled as a whole.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // Bash expands BASH_ENV's value: through a variable, no character of the path has a meaning.
    env: { ...process.env, ...UNATTENDED, BASH_ENV: '$WORKSHOP_PRELUDE', WORKSHOP_PRELUDE: PRELUDE },
  })
  for (const group of groups) if (!groupIsAlive(group)) groups.delete(group)
  if (child.pid !== undefined) groups.add(child.pid)
  const { stdout, stderr, stdio } = child
  return { process: child, outputs: [stdout!, stderr!], folder: stdio[3] as Readable }
}

/** Sends a signal to every process of a group. False if there is none any more. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a group has a process in it. */
export function groupIsAlive(group: number): boolean {
  return signalGroup(group, 0)
}

/** Whether `path` is a folder that a command can start in. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
