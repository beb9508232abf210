import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio'

/** How a server is started. */
export interface McpServerConfig {
  /** What it is called in the names of its tools. */
  name: string
  command: string
  args?: string[]
  /** Beside HOME, LOGNAME, PATH, SHELL, TERM and USER, which it gets anyway. Nothing else of ours: no key, no token. */
  env?: Record<string, string>
  cwd?: string
}

const MAX_STDERR = 2_000
/** How long a killed process's pipes may stay open, in milliseconds. */
const LAST_MS = 5_000

/** The client package's transport, and the process behind it: what it printed, and whether it has really ended. */
export class ServerProcess extends StdioClientTransport {
  #pid: number | undefined
  #stderr = ''
  /** Resolves when the process has ended and its pipes are closed, or could not be started. */
  readonly ended: Promise<void>

  constructor({ command, args, env, cwd }: StdioServerParameters) {
    super({ command, args, env, cwd, stderr: 'pipe' })
    // A pipe that nobody reads is full one day, and then the server waits for us for ever.
    this.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-MAX_STDERR)
    })
    this.ended = new Promise((resolve) => {
      this.onclose = resolve
    })
  }

  override async start(): Promise<void> {
    await super.start()
    this.#pid = this.pid ?? undefined
  }

  /** The end of what the server has written to stderr. */
  get lastWords(): string {
    return this.#stderr.trim()
  }

  /** The process's number, also when it has ended. */
  get processId(): number | undefined {
    return this.#pid
  }

  /**
   * Waits until the process has ended. It is told to more and more firmly, each `graceMs` milliseconds: its stdin is closed
   * (by whoever closes the client), SIGTERM, SIGKILL. No timer stays.
   */
  async untilEnded(graceMs: number): Promise<void> {
    const timers = [
      setTimeout(() => this.#kill('SIGTERM'), graceMs),
      setTimeout(() => this.#kill('SIGKILL'), 2 * graceMs),
    ]
    // A child of the server's can hold its pipes open for longer than we want to wait.
    const atLast = new Promise<void>((resolve) => timers.push(setTimeout(resolve, 2 * graceMs + LAST_MS)))
    await Promise.race([this.#pid === undefined ? undefined : this.ended, atLast])
    for (const timer of timers) clearTimeout(timer)
  }

  #kill(signal: NodeJS.Signals): void {
    try {
      if (this.#pid !== undefined) process.kill(this.#pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}
