import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type BashInput, bashModelInput } from '#03-contract/contract.ts'
import { buildTool } from '#05-build-tool/tool.ts'
import { describeEnding, exec } from './exec.ts'
import { MAX_OUTPUT_CHARS } from './output.ts'
import { parseCommand, simpleCommands } from './parse.ts'
import { checkReadOnlyConstraints } from './read-only.ts'
import { bashSession } from './session.ts'
import { sleepProblem } from './sleep.ts'

const DEFAULT_TIMEOUT_MS = 120_000
const maxTimeoutMs = () => Number(process.env.BASH_MAX_TIMEOUT_MS ?? 600_000)
/** In bytes: Linux takes no argument of more than 128 KiB. */
const MAX_COMMAND_BYTES = 100_000

export interface BashOutcome {
  /** What the model reads. */
  text: string
  /** The id of a command that goes on in the background. */
  backgroundId?: string
}

/** Runs a command with bash. See `exec` for how, and `checkReadOnlyConstraints` for which ones change nothing. */
export const BashTool = buildTool({
  name: 'Bash',
  searchHint: 'run shell commands, programs, tests and git',
  get inputSchema() {
    return bashModelInput()
  },
  maxResultSizeChars: MAX_OUTPUT_CHARS + 1_000,
  prompt: async () =>
    `Runs a command with bash and returns what it printed, stdout and stderr together. The folder that a cd leads to is \
kept for the next call; variables are not. There is nothing on stdin. Ends after ${DEFAULT_TIMEOUT_MS} ms unless timeout \
says otherwise, at most ${maxTimeoutMs()}. Long output loses its middle. For servers, watchers and whatever takes long, \
use run_in_background, then BashOutput and KillShell.`,
  description: async ({ description, command }) => description ?? `Run ${command ?? 'a command'}`,
  validateInput: async ({ command, run_in_background }) => {
    const problem = inputProblem(command, run_in_background ?? false)
    return problem ? { result: false, message: problem } : { result: true }
  },
  isReadOnly: isReadOnlyCall,
  isConcurrencySafe: (input) => isReadOnlyCall(input) && !changesFolder(input.command),
  toAutoClassifierInput: ({ command }) => command,
  async call(args, context, _canUseTool, _parentMessage, onProgress): Promise<{ data: BashOutcome }> {
    const { command, timeout = DEFAULT_TIMEOUT_MS, run_in_background, _simulatedSedEdit }: BashInput = args
    if (_simulatedSedEdit) return { data: await applyEdit(_simulatedSedEdit, context.cwd) }
    const session = bashSession(context)
    const folders = { cwd: session.cwd, fallbackCwd: context.cwd }
    if (run_in_background) {
      const id = session.background.start(command, folders)
      return { data: { text: `Started in the background as ${id}. Read it with BashOutput.`, backgroundId: id } }
    }
    const { ending, output, cwd, notes } = await exec(command, {
      ...folders,
      timeout: Math.min(timeout, maxTimeoutMs()),
      signal: context.abortController.signal,
      onOutput: (text) => onProgress({ type: 'bash_output', text }),
    })
    session.cwd = cwd
    const said = [...notes.map((note) => `[${note}]\n`), output].join('')
    if (ending.type === 'exited' && ending.code === 0) return { data: { text: said } }
    throw new Error(`${said}${said === '' || said.endsWith('\n') ? '' : '\n'}[${describeEnding(ending)}]`)
  },
  mapToolResultToToolResultBlockParam: ({ text }, toolUseID) => ({
    type: 'tool_result',
    tool_use_id: toolUseID,
    content: text.trim() === '' ? '(no output)' : text,
  }),
  renderToolUseMessage: ({ command = '' }) => command,
  renderToolResultMessage: ({ text }) => text,
})

/**
 * What is wrong with a call before anything runs, as a text that says what to do; undefined if nothing is.
 * A command that is blank, has a NUL in it or is longer than MAX_COMMAND_BYTES can't be run. One that only passes the time
 * (`sleepProblem`) may run in the background, and nowhere else.
 */
export function inputProblem(command: string, inBackground: boolean): string | undefined {
  // #region task 5: Refuse what can't be run, and what only waits.
  if (command.trim() === '') return 'The command is empty. Write the command to run.'
  if (command.includes('\0')) return 'The command has a NUL character in it, which no shell takes. Leave it out.'
  const bytes = Buffer.byteLength(command)
  if (bytes > MAX_COMMAND_BYTES) {
    return `The command is ${bytes} bytes long, at most ${MAX_COMMAND_BYTES} fit. Write it to a script file and run that.`
  }
  return inBackground ? undefined : sleepProblem(command)
  // #endregion
}

/** Whether a call is known to change nothing. One that goes to the background stays there: that is a change. */
function isReadOnlyCall({ command, run_in_background }: { command: string; run_in_background?: boolean }): boolean {
  // #region task 5: Let the syntax tree decide.
  return !run_in_background && checkReadOnlyConstraints({ command }).behavior === 'allow'
  // #endregion
}

/** Whether the next command would start in another folder. */
function changesFolder(command: string): boolean {
  const parsed = parseCommand(command)
  return !parsed.trusted || simpleCommands(parsed.root).some(({ words }) => words[0]?.value === 'cd')
}

async function applyEdit(edit: NonNullable<BashInput['_simulatedSedEdit']>, cwd: string): Promise<BashOutcome> {
  await writeFile(resolve(cwd, edit.file_path), edit.content)
  return { text: `Edited ${edit.file_path}.` }
}
