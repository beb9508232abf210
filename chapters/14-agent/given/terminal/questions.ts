import pc from 'picocolors'
import type { PermissionResult, ToolUseContext } from '#05-build-tool/tool.ts'
import type { PipelineContext, Question } from '#11-pipeline/run-tool-use.ts'
import { callLine, diffLines, wordsOf } from './call-view.ts'
import { clean, columnsOf, wrap } from './columns.ts'
import type { Keyboard } from './keyboard.ts'
import { previewOf } from './preview.ts'
import type { RunView, ShownSession } from './run-view.ts'
import type { Screen } from './screen.ts'

/** More lines of a command than anybody reads before they answer. */
const MAX_CALL_LINES = 20

export interface AskerOptions {
  screen: Screen
  keyboard: Keyboard
  view: RunView
  session: ShownSession
  /** Adds a rule that allows, for the rest of the session. */
  allow(rule: string): void
  /** Whether the rules allow it by now: somebody may have said "always" meanwhile. */
  isAllowed(question: Question, context: ToolUseContext): Promise<boolean>
  /** The person wants to stop it all. */
  interrupt(): void
}

/** Asks the person, one question after the other, also when several calls ask at the same time. */
export function createAsker(options: AskerOptions): NonNullable<PipelineContext['askUser']> {
  let last: Promise<unknown> = Promise.resolve()
  return (question, context) => {
    const answer = last.then(() => ask(question, context, options))
    last = answer.catch(() => {})
    return answer
  }
}

async function ask(question: Question, context: ToolUseContext, options: AskerOptions): Promise<PermissionResult> {
  const { keyboard, view, allow, isAllowed, interrupt } = options
  const { signal } = context.abortController
  const yes: PermissionResult = { behavior: 'allow', updatedInput: question.input }
  const stopped: PermissionResult = { behavior: 'deny', message: 'The user has stopped the run.' }
  if (signal.aborted) return stopped
  if (await isAllowed(question, context)) return yes
  view.isAsking = true
  try {
    await show(question, context, options)
    const key = await keyboard.key(question.suggestion ? 'yan' : 'yn', signal)
    process.stdout.write(key ? `${key}\n` : '\n')
    if (key === 'y') return yes
    if (key === 'a') {
      allow(question.suggestion!)
      return yes
    }
    if (key === 'n') {
      const reason = await keyboard.line('  Why not? (for the model to read) ', { signal })
      if (reason.type === 'line') return { behavior: 'deny', message: noFor(question, reason.text) }
    }
    if (!signal.aborted) interrupt()
    return stopped
  } finally {
    view.isAsking = false
  }
}

/** What the model reads. */
function noFor({ tool }: Question, reason: string): string {
  const why = reason.trim()
  const said = `The user said no to this call of ${tool.name}`
  return why === '' ? `${said}, and gave no reason. Ask what to do instead.` : `${said}: ${why}`
}

/** The call, what it would change, why there is a question, and which keys answer it. */
async function show(
  question: Question,
  context: ToolUseContext,
  { screen, view, session }: AskerOptions,
): Promise<void> {
  const { tool, input, message, suggestion } = question
  const call = { name: tool.name, input }
  const { width } = screen
  view.endLine()
  const { title, words } = wordsOf(call, session)
  const isLong = words.includes('\n') || columnsOf(`${title} ${words}`) > width - 2
  screen.print('', `${pc.yellow('?')} ${callLine(call, session, width - 2)}`)
  if (isLong)
    screen.print(
      ...wrap(words, width - 4)
        .slice(0, MAX_CALL_LINES)
        .map((line) => `  ${line}`),
    )
  const diff = await previewOf(question, context)
  if (diff) screen.print(...diffLines(diff.replaceAll(`${session.permissions.cwd}/`, ''), width))
  screen.print(...wrap(`  ${clean(message)}`, width).map(pc.dim))
  if (suggestion) screen.print(...wrap(`  Always: the rule ${clean(suggestion)}, for this session.`, width).map(pc.dim))
  process.stdout.write(`  ${pc.bold('y')} yes · ${suggestion ? `${pc.bold('a')} always · ` : ''}${pc.bold('n')} no > `)
}
