import { type Ending, exec } from './exec.ts'
import { BoundedOutput } from './output.ts'

/** A command that goes on while the model does something else. */
export interface BackgroundCommand {
  id: string
  command: string
  /** Undefined while it runs. `failed`: it could not be started. */
  ending: Ending | { type: 'failed'; message: string } | undefined
}

interface Entry extends BackgroundCommand {
  unread: BoundedOutput
  controller: AbortController
  ended: Promise<void>
}

/** The commands that a session has in the background. They end when the session does, or this process. */
export class BackgroundCommands {
  readonly #entries = new Map<string, Entry>()
  #disposed = false

  /** Starts a command, without a time limit, and returns its id at once. */
  start(command: string, folders: { cwd: string; fallbackCwd?: string }): string {
    if (this.#disposed) throw new Error('The session has ended: nothing can be started in the background any more.')
    const id = `bash_${this.#entries.size + 1}`
    const unread = new BoundedOutput()
    const controller = new AbortController()
    const entry: Entry = { id, command, ending: undefined, unread, controller, ended: Promise.resolve() }
    entry.ended = exec(command, {
      ...folders,
      timeout: Infinity,
      signal: controller.signal,
      onOutput: (text) => unread.add(Buffer.from(text)),
    }).then(
      ({ ending, notes }) => {
        entry.ending = ending
        for (const note of notes) unread.add(Buffer.from(`[${note}]\n`))
      },
      (error: Error) => {
        entry.ending = { type: 'failed', message: error.message }
      },
    )
    this.#entries.set(id, entry)
    return id
  }

  /** Every command that was started, those that have ended too. */
  list(): BackgroundCommand[] {
    return [...this.#entries.values()].map(({ id, command, ending }) => ({ id, command, ending }))
  }

  /** What it printed since it was last read, bounded, and how it ended, if it has. Throws for an id that is none. */
  read(id: string): BackgroundCommand & { output: string } {
    const { command, ending, unread } = this.#find(id)
    return { id, command, ending, output: unread.take() }
  }

  /** Ends it, with all that it started, and resolves when that is done. Fine if it has ended. Throws like `read`. */
  async stop(id: string): Promise<BackgroundCommand> {
    const entry = this.#find(id)
    entry.controller.abort()
    await entry.ended
    return { id, command: entry.command, ending: entry.ending }
  }

  /** The session has ended: stops every command, and lets no other start. */
  async dispose(): Promise<void> {
    this.#disposed = true
    await Promise.all([...this.#entries.keys()].map((id) => this.stop(id)))
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id)
    if (entry) return entry
    const known = [...this.#entries.keys()].join(', ') || 'none'
    throw new Error(`There is no background command "${id}". There is: ${known}.`)
  }
}
