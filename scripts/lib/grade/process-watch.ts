import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The environment variable by which a process is known as a submission's, whatever became of its parents. */
export const MARKER_VARIABLE = 'WORKSHOP_GRADE'

export interface WatchOptions {
  /** The value of MARKER_VARIABLE in the environment of the first process. */
  marker: string
  /** The folder that the submission works in. */
  folder: string
}

/**
 * Knows a process and all that came from it, also what left its group and its session. On Linux it finds them in /proc: as
 * children of what it knows (so call `look` now and then), by the marker in their environment, and by their working folder.
 * Elsewhere it knows the process group only.
 */
export class ProcessWatch {
  readonly #first: number
  readonly #options: WatchOptions
  /** The known ones' start times by id: an id that starts anew is somebody else. */
  readonly #known = new Map<number, string>()

  constructor(first: number, options: WatchOptions) {
    this.#first = first
    this.#options = options
  }

  /** The bytes of memory that they use together, 0 where that is not to be had. What they share counts for each. */
  look(): number {
    return this.#alive(recentProcesses()).reduce((sum, pid) => sum + residentBytes(pid), 0)
  }

  /** Ends those that there are now, at once. */
  endNow(): void {
    endGroup(this.#first)
    for (const pid of this.#alive(processes(), true)) endProcess(pid)
  }

  /** Ends them all, and those that they start meanwhile. Returns how many were left when the first one had gone. */
  async end(): Promise<number> {
    endGroup(this.#first)
    const left = new Set<number>()
    for (let round = 0; round < 100; round++) {
      const alive = this.#alive(processes(), true)
      if (alive.length === 0) break
      for (const pid of alive) {
        left.add(pid)
        endProcess(pid)
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return left.size
  }

  /** `thorough` looks at environments and folders, too. */
  #alive(all: Process[], thorough = false): number[] {
    const alive = new Set(all.filter(({ pid, started }) => this.#known.get(pid) === started).map(({ pid }) => pid))
    for (let grown = true; grown; ) {
      grown = false
      for (const { pid, parent, group, session, started } of all) {
        if (alive.has(pid)) continue
        const kin = pid === this.#first || alive.has(parent) || group === this.#first || session === this.#first
        if (!kin && !(thorough && this.#isOurs(pid))) continue
        alive.add(pid)
        this.#known.set(pid, started)
        grown = true
      }
    }
    return [...alive]
  }

  #isOurs(pid: number): boolean {
    if (pid === process.pid) return false
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARKER_VARIABLE}=${this.#options.marker}`))
        return true
      return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${this.#options.folder}/`)
    } catch {
      return false
    }
  }
}

interface Process {
  pid: number
  parent: number
  group: number
  session: number
  /** In clock ticks since the machine started. */
  started: string
}

let recent: { at: number; list: Process[] } = { at: 0, list: [] }

/** The processes of a moment ago: one look at them all is enough for several watches. */
function recentProcesses(): Process[] {
  if (Date.now() - recent.at > 200) recent = { at: Date.now(), list: processes() }
  return recent.list
}

/** All processes that are alive, without those that wait to be buried. Empty where there is no /proc. */
function processes(): Process[] {
  if (process.platform !== 'linux') return []
  const found: Process[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      // The name in parentheses may hold anything: what counts stands behind the last one.
      const fields = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
      const [state, parent, group, session] = fields
      if (state === 'Z' || state === 'X') continue
      const [pid, ...ids] = [name, parent, group, session].map(Number)
      found.push({ pid, parent: ids[0], group: ids[1], session: ids[2], started: fields[19] })
    } catch {
      // It has ended.
    }
  }
  return found
}

function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    return kilobytes ? Number(kilobytes[1]) * 1024 : 0
  } catch {
    return 0
  }
}

function endGroup(pid: number): void {
  endProcess(process.platform === 'win32' ? pid : -pid)
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
