import { createInterface } from 'node:readline'

/** What a person typed: a line, or that they want no more of this (Ctrl-C), or of all (Ctrl-D). */
export type Typed = { type: 'line'; text: string } | { type: 'interrupt' } | { type: 'end' }

const CTRL_C = '\x03'
const CTRL_D = '\x04'

/**
 * The keyboard of a terminal. Who listened last gets what is typed, and who listened before gets it when that one is
 * done. When nobody listens, the terminal is as it was.
 */
export class Keyboard {
  readonly #in: NodeJS.ReadStream
  readonly #out: NodeJS.WriteStream
  readonly #listeners: Array<(typed: string) => void> = []

  constructor(input: NodeJS.ReadStream = process.stdin, output: NodeJS.WriteStream = process.stdout) {
    this.#in = input
    this.#out = output
  }

  /** Asks for a line, which can be edited. Ends early, as an interrupt, when the signal is aborted. */
  line(prompt: string, { signal, history = [] }: { signal?: AbortSignal; history?: string[] } = {}): Promise<Typed> {
    if (signal?.aborted) return Promise.resolve({ type: 'interrupt' })
    this.#in.off('data', this.#take)
    return new Promise((resolve) => {
      const reader = createInterface({ input: this.#in, output: this.#out, terminal: true, history, historySize: 100 })
      const end = (typed: Typed) => {
        signal?.removeEventListener('abort', interrupt)
        reader.off('close', endOfInput)
        reader.close()
        this.#apply()
        resolve(typed)
      }
      const interrupt = () => {
        this.#out.write('\n')
        end({ type: 'interrupt' })
      }
      const endOfInput = () => {
        this.#out.write('\n')
        end({ type: 'end' })
      }
      signal?.addEventListener('abort', interrupt, { once: true })
      reader.on('SIGINT', () => {
        if (reader.line === '') return interrupt()
        // With something typed, Ctrl-C takes that back, as in a shell.
        this.#out.write('^C\n')
        reader.write(null, { ctrl: true, name: 'e' })
        reader.write(null, { ctrl: true, name: 'u' })
      })
      reader.on('close', endOfInput)
      reader.question(prompt, (text) => end({ type: 'line', text }))
    })
  }

  /** Waits for one of the keys, in lower case. Ctrl-C, Ctrl-D and the signal's abort give undefined. */
  key(keys: string, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const end = (key: string | undefined) => {
        stopListening()
        signal.removeEventListener('abort', giveUp)
        resolve(key)
      }
      const giveUp = () => end(undefined)
      const stopListening = this.listen((typed) => {
        if (typed === CTRL_C || typed === CTRL_D) return giveUp()
        const key = typed.toLowerCase()
        if (key.length === 1 && keys.includes(key)) end(key)
      })
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** Calls `onInterrupt` at each Ctrl-C, and takes no heed of any other key. Returns what ends that. */
  watch(onInterrupt: () => void): () => void {
    return this.listen((typed) => {
      for (const letter of typed) if (letter === CTRL_C) onInterrupt()
    })
  }

  /** Hands on what is typed, key by key, unseen. Returns what ends that. */
  listen(onTyped: (typed: string) => void): () => void {
    this.#listeners.push(onTyped)
    this.#apply()
    return () => {
      const at = this.#listeners.lastIndexOf(onTyped)
      if (at !== -1) this.#listeners.splice(at, 1)
      this.#apply()
    }
  }

  /** Nobody listens any more. */
  close(): void {
    this.#listeners.length = 0
    this.#apply()
  }

  readonly #take = (chunk: Buffer): void => this.#listeners.at(-1)?.(chunk.toString('utf8'))

  #apply(): void {
    const isListening = this.#listeners.length > 0
    this.#in.off('data', this.#take)
    this.#in.setRawMode(isListening)
    if (isListening) this.#in.on('data', this.#take).resume()
    else this.#in.pause()
  }
}
