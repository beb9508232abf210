import Anthropic from '@anthropic-ai/sdk'
import { RuleError } from '#10-permissions/decide.ts'
import { startSession } from './session.ts'
import { chooseModel } from './terminal/choose-model.ts'
import { closingLine, ownChapters } from './terminal/closing-line.ts'
import { wrap } from './terminal/columns.ts'
import { Conversation } from './terminal/conversation.ts'
import { type Flags, readFlags } from './terminal/flags.ts'
import { workFolder } from './terminal/folder.ts'
import { converse } from './terminal/interactive.ts'
import { printAnswer } from './terminal/print.ts'
import { Problem } from './terminal/problem.ts'
import { Screen } from './terminal/screen.ts'

/**
 * The agent in a terminal. `npm run agent` starts it; everything that it needs to know stands in its flags and its
 * environment.
 */
async function main(words: string[]): Promise<number> {
  const flags = readFlags(words)
  checkTerminal(flags)
  if (!process.env.ANTHROPIC_API_KEY && !process.env.ANTHROPIC_AUTH_TOKEN) {
    throw new Problem(2, 'There is no key. Set ANTHROPIC_API_KEY.')
  }
  const cwd = await workFolder(flags.cwd)
  const client = new Anthropic()
  const model = await chooseModel(client, flags.model ?? (process.env.ANTHROPIC_MODEL || undefined))
  const session = await startSession({ ...flags, client, cwd, maxTokens: model.maxTokens, warn: console.error })
  const conversation = new Conversation({ client, model, session })
  const { baseURL } = client
  try {
    if (flags.print) return await printAnswer(flags.task!, { conversation, session, baseURL, model: model.name })
    return await converse(flags.task, { conversation, session, baseURL, model: model.name })
  } finally {
    await session.close()
    const line = closingLine(conversation.totals, ownChapters())
    const screen = new Screen(process.stderr)
    screen.print('', ...wrap(line, screen.width))
  }
}

function checkTerminal({ print, task }: Flags): void {
  if (print && !task?.trim()) throw new Problem(2, 'There is no task. Say it behind --print.')
  if (print || (process.stdin.isTTY && process.stdout.isTTY)) return
  throw new Problem(
    2,
    'There is no terminal here, so nobody could answer a question. With --print and a task, nothing is asked: npm run agent -- --print "TASK"',
  )
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isTold = error instanceof Problem || error instanceof RuleError
  console.error(isTold ? error.message : error)
  process.exitCode = error instanceof Problem ? error.exitCode : error instanceof RuleError ? 2 : 1
}
// Whatever a tool has left running that does not end by itself ends with us.
setTimeout(() => process.exit(), 3_000).unref()
