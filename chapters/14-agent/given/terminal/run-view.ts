import pc from 'picocolors'
import type { ToolProgress } from '#05-build-tool/tool.ts'
import type { QueuedCall } from '../../../12-streaming-executor/given/types.ts'
import type { Session } from '../session.ts'
import type { AgentEvent } from '../types.ts'
import { callLine, resultLines, wordsOf } from './call-view.ts'
import { clean, cutTo, wrap } from './columns.ts'
import { reasonOf } from './explain-failure.ts'
import type { Screen } from './screen.ts'

/** How many of the last lines of a running call are shown. */
const LIVE_LINES = 3
/** More than these lines can have in them, in UTF-16 code units. */
const KEPT_CHARS = 2_000

/** What a view has to know of a session. */
export type ShownSession = Pick<Session, 'tools' | 'permissions'>

/** Shows a run while it goes on: the text as it is streamed, each call when it is over, and below, what runs now. */
export class RunView {
  readonly #log: Screen
  /** Where the model's text goes. */
  readonly #text: Screen
  readonly #session: ShownSession
  /** The line of the model's text that is not whole yet. */
  #line = ''
  readonly #running = new Map<QueuedCall, { said: string }>()
  #isAsking = false

  constructor({ text, log }: { text: Screen; log: Screen }, session: ShownSession) {
    this.#text = text
    this.#log = log
    this.#session = session
  }

  readonly take = (event: AgentEvent): void => {
    switch (event.type) {
      case 'text':
        this.#write(event.text)
        break
      case 'queued':
        this.endLine()
        break
      case 'started':
        this.#running.set(event.call, { said: '' })
        break
      case 'progress':
        this.#hear(event.call, event.update.data)
        break
      case 'answered':
        this.#running.delete(event.call)
        this.#printCall(
          event.call.block,
          resultLines(event.call.block, event.result, { session: this.#session, width: this.#log.width }),
        )
        break
      case 'not_run':
        this.#printCall(event.call, [`  └ ${pc.red(cutTo(clean(event.call.problem ?? ''), this.#log.width - 4))}`])
        break
      case 'retry':
        this.endLine()
        this.#log.print(pc.yellow(cutTo(retryLine(event), this.#log.width)))
        break
      case 'usage':
        this.endLine()
        break
    }
    this.draw()
  }

  /** Nothing moves below the log while a question is open. */
  set isAsking(isAsking: boolean) {
    this.#isAsking = isAsking
    this.draw()
  }

  /** What is left of a line is a line. */
  endLine(): void {
    if (this.#line.trim() !== '') this.#text.print(...wrap(this.#line, this.#text.width))
    this.#line = ''
  }

  draw(): void {
    if (this.#isAsking) {
      this.#log.show([])
      return
    }
    const { width } = this.#log
    const calls = [...this.#running].flatMap(([{ block }, { said }]) => {
      const lines = said.split('\n').filter((line) => line.trim() !== '')
      return [
        `${pc.yellow('○')} ${callLine(block, this.#session, width - 2)}`,
        ...lines.slice(-LIVE_LINES).map((line) => pc.dim(`  │ ${cutTo(line, width - 4)}`)),
      ]
    })
    this.#log.show([...(this.#line === '' ? [] : wrap(this.#line, width)), ...calls])
  }

  #write(text: string): void {
    const lines = (this.#line + clean(text)).split('\n')
    this.#line = lines.pop()!
    for (const line of lines) this.#text.print(...wrap(line, this.#text.width))
  }

  #hear(call: QueuedCall, progress: ToolProgress): void {
    const running = this.#running.get(call)
    if (running) running.said = (running.said + clean(wordsFor(progress, this.#session))).slice(-KEPT_CHARS)
  }

  #printCall(call: { name: string; input: unknown }, lines: string[]): void {
    this.endLine()
    const { width } = this.#log
    this.#log.print(`${pc.cyan('●')} ${callLine(call, this.#session, width - 2)}`, ...lines)
  }
}

/** What a tool says on its way, as a text: output as it comes, and what a sub-agent calls. */
function wordsFor(progress: ToolProgress, session: ShownSession): string {
  if (typeof progress.text === 'string') return progress.text
  if (progress.type !== 'agent_call') return ''
  const { name, input } = progress as unknown as { name: string; input: unknown }
  const { title, words } = wordsOf({ name, input }, session)
  return `${title} ${words}\n`
}

function retryLine({ error, delayMs, attempt }: Extract<AgentEvent, { type: 'retry' }>): string {
  const when = delayMs < 100 ? 'now' : `in ${(delayMs / 1000).toFixed(1)} s`
  return `↻ asking again ${when} (${ordinal(attempt)} try): ${clean(reasonOf(error)).split('\n')[0]}`
}

function ordinal(number: number): string {
  return ['1st', '2nd', '3rd'][number - 1] ?? `${number}th`
}
