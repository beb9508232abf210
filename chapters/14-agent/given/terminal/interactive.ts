import pc from 'picocolors'
import { clean, wrap } from './columns.ts'
import { Keyboard } from './keyboard.ts'
import { outcomeLine } from './outcome-line.ts'
import { SIGNALS, type Talk } from './print.ts'
import { createAsker } from './questions.ts'
import { RunView } from './run-view.ts'
import { Screen } from './screen.ts'
import { isSlashCommand, runSlashCommand } from './slash-commands.ts'

/**
 * Talks with the person until they leave. `task` is what they have said already, if anything. Returns the exit code.
 */
export async function converse(task: string | undefined, talk: Talk): Promise<number> {
  const keyboard = new Keyboard()
  const loop = new Interaction(talk, keyboard)
  const leave = () => loop.leave()
  for (const signal of SIGNALS) process.on(signal, leave)
  try {
    await loop.run(task)
    return 0
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave)
    keyboard.close()
  }
}

class Interaction {
  readonly #talk: Talk
  readonly #keyboard: Keyboard
  readonly #screen = new Screen(process.stdout)
  readonly #view: RunView
  readonly #history: string[] = []
  /** Aborted when the person leaves, wherever that is. */
  readonly #left = new AbortController()
  /** What goes on now, if anything. */
  #current: AbortController | undefined
  /** The last thing that was pressed is Ctrl-C: once more is enough to leave. */
  #wasInterrupted = false

  constructor(talk: Talk, keyboard: Keyboard) {
    this.#talk = talk
    this.#keyboard = keyboard
    this.#view = new RunView({ text: this.#screen, log: this.#screen }, talk.session)
  }

  leave(): void {
    this.#left.abort()
    this.#current?.abort()
  }

  async run(task: string | undefined): Promise<void> {
    const { model, baseURL, session } = this.#talk
    const { cwd, mode } = session.permissions
    this.#print(pc.dim(`${model} at ${baseURL} · ${cwd} · mode ${mode}`))
    this.#print(pc.dim('/help says what there is. Ctrl-C interrupts, twice leaves.'))
    let next = task
    if (next !== undefined) this.#print('', `${pc.bold('>')} ${clean(next)}`)
    while (!this.#left.signal.aborted) {
      next ??= await this.#nextLine()
      if (next === undefined || next === '/quit') return
      if (isSlashCommand(next)) {
        runSlashCommand(next, { screen: this.#screen, session, timeline: this.#talk.conversation.timeline })
      } else if (next !== '') {
        await this.#work(next)
      }
      next = undefined
    }
  }

  /** What the person types next. Undefined: they leave. */
  async #nextLine(): Promise<string | undefined> {
    while (true) {
      const { signal } = this.#left
      const typed = await this.#keyboard.line(`\n${pc.bold('>')} `, { signal, history: [...this.#history] })
      if (typed.type === 'line') {
        this.#wasInterrupted = false
        const text = typed.text.trim()
        if (text !== '') this.#history.unshift(text)
        return text
      }
      if (typed.type === 'end' || this.#wasInterrupted || signal.aborted) return undefined
      this.#wasInterrupted = true
      this.#print(pc.dim('Ctrl-C once more leaves.'))
    }
  }

  async #work(text: string): Promise<void> {
    const { conversation, session, baseURL, model } = this.#talk
    const abortController = new AbortController()
    this.#current = abortController
    const stopWatching = this.#keyboard.watch(() => this.#interrupt())
    const askUser = createAsker({
      screen: this.#screen,
      keyboard: this.#keyboard,
      view: this.#view,
      session,
      allow: (rule) => session.allow(rule),
      isAllowed: async ({ tool, input }, context) =>
        (await session.canUseTool(tool, input, context, undefined as never)).behavior === 'allow',
      interrupt: () => this.#interrupt(),
    })
    try {
      const { outcome } = await conversation.say(text, { abortController, askUser, onEvent: this.#view.take })
      const line = outcomeLine(outcome, { baseURL, model })
      if (line !== undefined) this.#print(pc.yellow(line))
    } finally {
      this.#current = undefined
      stopWatching()
    }
  }

  /** The first time, what goes on is to end. The second time, all is. */
  #interrupt(): void {
    if (this.#wasInterrupted) this.leave()
    this.#wasInterrupted = true
    this.#current?.abort()
  }

  #print(...texts: string[]): void {
    this.#screen.print(...texts.flatMap((text) => wrap(text, this.#screen.width)))
  }
}
