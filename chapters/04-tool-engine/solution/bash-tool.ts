import { execSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { z } from 'zod'
import type { Tool } from './tools.ts'

/** Two minutes: the default of Claude Code's Bash, too. */
const DEFAULT_TIMEOUT_MS = 120_000
/** Ten minutes: the most that Claude Code's Bash takes. */
const MAX_TIMEOUT_MS = 600_000
/** How much a command may print. It is Node's default for `maxBuffer`, written out because the message needs it. */
const MAX_OUTPUT_BYTES = 1024 * 1024

const bashInput = z.strictObject({
  command: z.string().describe('The command line, as you would type it into bash.'),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .optional()
    .describe(`How long it may run, in milliseconds: at most ${MAX_TIMEOUT_MS}, ${DEFAULT_TIMEOUT_MS} if left out.`),
})

export const BashTool: Tool<typeof bashInput> = {
  name: 'bash',
  description:
    'Runs a command with bash in the project folder and returns what it prints. It cannot answer questions: stdin is ' +
    'empty. Each call is a new shell, so cd and variables do not last.',
  inputSchema: bashInput,

  /**
   * Runs the command with bash in `cwd`, with nothing to read on its stdin. The output is what it printed, on stdout and
   * on stderr. The command reaches bash as it is: it may end in a comment, a backslash or an open heredoc.
   *
   * A command fails when its exit code is not 0, when a signal ends it, when it runs for longer than `timeout`, or when
   * it prints more than MAX_OUTPUT_BYTES. It is stopped in the last two cases, by a signal that it cannot ignore. `error`
   * holds what it had printed and, behind that and on a line of its own, which case it was. These very words are in it:
   * `exit code N`, the signal's name, `timed out after N ms`, or `N bytes` with the number that it may print.
   *
   * A `cwd` that is not a folder is a failure that names it and says so. So is a command that bash cannot be started
   * with, as it is too long or has a NUL byte in it: the failure says why, as Node's message does.
   */
  async call({ command, timeout = DEFAULT_TIMEOUT_MS }, { cwd }) {
    // #region task 3: Run the command. Its output is the result, and each way to fail has its own words.
    try {
      if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
        return { success: false, error: `The working directory ${cwd} is not a folder.` }
      }
      const output = execSync(`exec 2>&1\n${command}`, {
        cwd,
        timeout,
        shell: 'bash',
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: MAX_OUTPUT_BYTES,
        killSignal: 'SIGKILL',
      })
      return { success: true, output }
    } catch (error) {
      const { stdout, stderr } = error as ExecSyncError
      return { success: false, error: `${stdout ?? ''}${stderr ?? ''}\n[${endingOf(error as ExecSyncError, timeout)}]` }
    }
    // #endregion
  },
}

/** How a command that failed came to its end, in words for the model. */
function endingOf({ code, signal, status, message }: ExecSyncError, timeout: number): string {
  // #region task 3: Tell the time limit, the output limit, a signal and an exit code apart.
  if (code === 'ETIMEDOUT') return `timed out after ${timeout} ms`
  if (code === 'ENOBUFS') return `stopped: it may print ${MAX_OUTPUT_BYTES} bytes. Send its output to a file instead`
  if (signal) return `killed by ${signal}`
  return typeof status === 'number' ? `exit code ${status}` : message
  // #endregion
}

/**
 * What `execSync` throws. `code` is set where Node itself ended the command, or could not start it. In the latter case
 * there is no output: it is null, or not even there.
 */
type ExecSyncError = Error & {
  code?: string
  status?: number | null
  signal?: NodeJS.Signals | null
  stdout?: string | null
  stderr?: string | null
}
