import type { Session } from '../session.ts'
import type { Conversation } from './conversation.ts'
import { outcomeLine } from './outcome-line.ts'
import { RunView } from './run-view.ts'
import { Screen } from './screen.ts'

export interface Talk {
  conversation: Conversation
  session: Session
  baseURL: string
  model: string
}

/** Does one task, and asks nothing. The model's text goes to stdout, all else to stderr. Returns the exit code. */
export async function printAnswer(task: string, { conversation, session, baseURL, model }: Talk): Promise<number> {
  const [text, log] = [process.stdout, process.stderr].map((out) => new Screen({ write: (line) => out.write(line) }))
  const view = new RunView({ text, log }, session)
  const abortController = new AbortController()
  const stop = () => abortController.abort()
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    const { outcome } = await conversation.say(task, { abortController, onEvent: view.take })
    const line = outcomeLine(outcome, { baseURL, model })
    if (line !== undefined) log.print(line)
    return outcome.type === 'finished' ? 0 : 1
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
