import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { type Ending, endingOf } from '../given/ending.ts'
import { groupIsAlive, isFolder, type Shell, signalGroup, startShell } from '../given/shell.ts'
import { BoundedOutput } from './output.ts'

export { describeEnding, type Ending } from '../given/ending.ts'

export interface ExecOptions {
  /** The folder to start in: absolute. */
  cwd: string
  /** Where to start if `cwd` is gone. */
  fallbackCwd?: string
  /** In milliseconds; 120,000 unless you say otherwise, at most LONGEST_TIMER_MS. `Infinity`: no limit. */
  timeout?: number
  /** Ends the command when it is aborted. */
  signal?: AbortSignal
  /** Gets the text as it comes, all of it. What it throws is lost. */
  onOutput?: (text: string) => void
  /** How much of the output is kept, in characters: see BoundedOutput. */
  maxOutputChars?: number
  /** How long a process that was asked to end may take until it is killed, in milliseconds. */
  graceMs?: number
}

export interface ExecResult {
  ending: Ending
  /** What it printed, bounded. */
  output: string
  /** The folder that the shell was in when it ended: where a `cd` took it. */
  cwd: string
  /** What the model should know beside the output: that the folder was gone, for one. */
  notes: string[]
}

const DEFAULT_TIMEOUT_MS = 120_000
const DEFAULT_GRACE_MS = 1_000
/** Of a longer time Node makes a timer of one millisecond; of `Infinity`, too. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** How often to look whether a group has ended, in milliseconds. */
const LOOK_MS = 20
/** More than a pipe or a socket holds by default, in bytes: what was in it when the shell ended is less. */
const PIPE_BYTES = 1024 * 1024

/**
 * Runs a command with bash, and resolves when the shell has ended, also where a child of it goes on and holds the
 * output open. A failing command is no exception: `ending` says how it ended.
 *
 * - At the time limit, and when the signal is aborted, the whole process group is ended (see `endGroup`) before the
 *   promise resolves. With a signal that is aborted already, nothing is started.
 * - Whatever the shell wrote before its end is in the output; a character that it never finished is U+FFFD.
 * - A time limit longer than LONGEST_TIMER_MS is that long, and `Infinity` is none: no timer.
 * - However it ends, no timer, no listener on the signal and no pipe is left behind; not by a start that fails either,
 *   whether startShell throws or the promise of `exitOf` rejects.
 *
 * Rejects when there is no folder to start in, or the shell cannot be started.
 */
export async function exec(command: string, options: ExecOptions): Promise<ExecResult> {
  const { timeout = DEFAULT_TIMEOUT_MS, signal, graceMs = DEFAULT_GRACE_MS } = options
  const { cwd, notes } = folderFor(options)
  const output = new BoundedOutput(options.maxOutputChars)
  // TODO(task 2): Start the shell, follow it to its end or bring it about, and leave nothing behind.
  throw new Error('TODO(task 2): exec')
}

/**
 * Ends every process of a group: asks with SIGTERM, and those that are still there after `graceMs` get SIGKILL. Resolves
 * as soon as none is left, however long the grace, or when the second signal has been sent. A process that sets itself apart (`setsid`) is in no group
 * of ours, and stays.
 */
async function endGroup(group: number, graceMs: number): Promise<void> {
  // TODO(task 2): Ask the group to end, give it time, and kill what is left.
  throw new Error('TODO(task 2): endGroup')
}

/**
 * Resolves when what was in the pipes at the shell's end has been read: when two turns of the event loop brought
 * nothing new. Where a child goes on writing, that never happens: then, after PIPE_BYTES.
 *
 * On Linux Node happens to read what is there before it tells of an exit, so no test can show you what gets lost
 * without this. Nobody has promised that, there or elsewhere.
 */
async function drain(output: BoundedOutput): Promise<void> {
  // TODO(task 2): Wait for turns of the event loop, not for the clock and not for the pipes to close.
  throw new Error('TODO(task 2): drain')
}

/** Resolves when the shell has ended, whoever still holds its pipes; rejects when it could not be started. */
function exitOf({ process }: Shell): Promise<Ending> {
  return new Promise((resolve, reject) => {
    process.once('error', reject)
    process.once('exit', (code, signal) => resolve(endingOf(code, signal)))
  })
}

/**
 * Takes in what the shell says. Returns a function to call once, when all has been read and before you ask `output` for
 * its text: it gives up on a character whose rest never came, and returns the folder that the shell ended in, or the
 * empty text.
 */
function listen(shell: Shell, output: BoundedOutput, onOutput?: (text: string) => void): () => string {
  const tell = (text: string) => {
    try {
      if (text !== '') onOutput?.(text)
    } catch {
      // Whoever watches must not stop the command.
    }
  }
  for (const pipe of shell.outputs) {
    pipe.on('data', (chunk: Buffer) => tell(output.add(chunk)))
    // A pipe that breaks has nothing more to say: how the command ended is told by its exit.
    pipe.on('error', () => {})
  }
  const said: Buffer[] = []
  shell.folder.on('data', (chunk: Buffer) => said.push(chunk)).on('error', () => {})
  return () => {
    tell(output.end())
    return Buffer.concat(said).toString('utf8').replace(/\n$/, '')
  }
}

function folderFor({ cwd, fallbackCwd }: ExecOptions): { cwd: string; notes: string[] } {
  if (isFolder(cwd)) return { cwd, notes: [] }
  if (fallbackCwd !== undefined && isFolder(fallbackCwd)) {
    return { cwd: fallbackCwd, notes: [`The folder ${cwd} is gone. The command ran in ${fallbackCwd}.`] }
  }
  throw new Error(`The folder ${cwd} does not exist (or is none), so no command can start in it.`)
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
