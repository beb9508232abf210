import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { MARKER_VARIABLE, ProcessWatch } from './process-watch.ts'
import { REPORT_FD } from './protocol.ts'

export interface Limits {
  /** Bytes of memory, for all processes of a submission together. */
  memory: number
  /** Bytes that it may report. */
  reports: number
  /** Milliseconds that it may go on without a sign of life, and without a step, as `onLine` counts them. */
  silence: number
  step: number
  /** Milliseconds for all of it. */
  whole: number
}

export interface ContainedRun {
  command: string[]
  /** A folder that is its own, with `stage/` to work in, `home/` and `tmp/`. An absolute path without links. */
  place: string
  /** What the command knows that folder as, where a sandbox shows it under another path. */
  seenAs?: string
  /** Unique to this run. */
  marker: string
  /** What it reads from its standard input. */
  input: string
  limits: Limits
  /** Called with each line that it reports. Says what that was worth: a step forward, a sign of life, or nothing. */
  onLine(line: string): 'step' | 'sign' | undefined
}

/** How a run ended: by itself, or because it went over a limit. */
export type Ending = 'ended' | 'memory' | 'reports' | 'time'

const LOOK_MS = 500
/** Several times what the tests of a chapter take. More would only let a heap that grows without end take longer to fail. */
const HEAP_MEGABYTES = 768

const running = new Set<ProcessWatch>()
// Whoever interrupts the marking ends what it started, too.
process.on('exit', () => {
  for (const watch of running) watch.endNow()
})

/** Runs a command that nobody trusts, and ends whatever is left of it. Never throws. */
export async function runContained(run: ContainedRun): Promise<Ending> {
  const [program, ...words] = run.command
  const child = spawn(program, words, {
    cwd: join(run.place, 'stage'),
    env: environment(run),
    // Its own process group, to be ended as a whole. What it prints is nobody's business: what counts is reported.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    windowsHide: true,
  })
  let ending: Ending = 'ended'
  const exited = new Promise<void>((resolve) => {
    child.on('error', () => resolve())
    child.on('exit', () => resolve())
  })
  if (child.pid === undefined) return exited.then(() => ending)
  offerToKernel(child.pid)
  const watch = new ProcessWatch(child.pid, { marker: run.marker, folder: run.place })
  running.add(watch)
  const end = (why: Ending) => {
    if (ending === 'ended') ending = why
    if (process.platform === 'win32') spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'])
    child.kill('SIGKILL')
  }

  const started = Date.now()
  let stepped = started
  let heard = started
  const look = setInterval(() => {
    const now = Date.now()
    const { silence, step, whole } = run.limits
    if (now - heard > silence || now - stepped > step || now - started > whole) end('time')
    else if (watch.look() > run.limits.memory) end('memory')
  }, LOOK_MS)

  const stdin = child.stdio[0] as Writable
  stdin.on('error', () => {})
  stdin.end(run.input)
  const pipe = child.stdio[REPORT_FD] as Readable
  const reported = readLines(pipe, run.limits.reports, (line) => {
    if (line === undefined) return end('reports')
    const worth = run.onLine(line)
    if (worth) heard = Date.now()
    if (worth === 'step') stepped = heard
  })
  await exited
  clearInterval(look)
  await watch.end()
  running.delete(watch)
  // Somebody who could not be found and ended might hold the pipe open.
  const patience = setTimeout(() => pipe.destroy(), 1000)
  await reported
  clearTimeout(patience)
  return ending
}

/** Hands out lines as they come, and `undefined` once there are more than `max` bytes. Done when the pipe is closed. */
function readLines(pipe: Readable, max: number, onLine: (line: string | undefined) => void): Promise<void> {
  let rest = ''
  let bytes = 0
  pipe.setEncoding('utf8')
  pipe.on('data', (chunk: string) => {
    bytes += chunk.length
    if (bytes > max) {
      pipe.destroy()
      onLine(undefined)
      return
    }
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) onLine(line)
  })
  return new Promise((resolve) => {
    pipe.on('close', () => resolve())
    pipe.on('error', () => {})
  })
}

/** Nothing of the person's own environment but what programs need to be found and to run. */
function environment({ place, seenAs = place, marker }: ContainedRun): NodeJS.ProcessEnv {
  const home = join(seenAs, 'home')
  const tmp = join(seenAs, 'tmp')
  const { PATH, SystemRoot, ComSpec, PATHEXT } = process.env
  const windows = process.platform === 'win32' ? { SystemRoot, ComSpec, PATHEXT, USERPROFILE: home, TEMP: tmp } : {}
  return {
    ...windows,
    ...{ PATH, HOME: home, TMPDIR: tmp, LANG: 'C.UTF-8', CI: 'true', NO_COLOR: '1', [MARKER_VARIABLE]: marker },
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}`,
  }
}

/** When memory runs out all the same, the kernel should end this one and not the person's own programs. Linux only. */
function offerToKernel(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // Not Linux, or it has ended.
  }
}
