import { z } from 'zod'
import { lazySchema } from '#03-contract/contract.ts'
import { buildTool } from '#05-build-tool/tool.ts'
import type { BackgroundCommand } from './background.ts'
import { describeEnding } from './exec.ts'
import { MAX_OUTPUT_CHARS } from './output.ts'
import { bashSession } from './session.ts'

const outputInput = lazySchema(() =>
  z.strictObject({
    bash_id: z.string().describe('The id that Bash gave the command in the background.'),
    filter: z
      .string()
      .optional()
      .describe('A regular expression: only lines that match are shown, the others are lost.'),
  }),
)

const killInput = lazySchema(() =>
  z.strictObject({ shell_id: z.string().describe('The id of the background command to end.') }),
)

/** Reads what a background command printed since it was last read. */
export const BashOutputTool = buildTool({
  name: 'BashOutput',
  searchHint: 'read the output of a background command',
  get inputSchema() {
    return outputInput()
  },
  maxResultSizeChars: MAX_OUTPUT_CHARS + 1_000,
  prompt: async () => 'Returns what a background command printed since it was last read, and whether it still runs.',
  isReadOnly: () => true,
  validateInput: async ({ filter }) => {
    const problem = filter === undefined ? undefined : regexProblem(filter)
    return problem ? { result: false, message: problem } : { result: true }
  },
  async call({ bash_id, filter }, context) {
    const { output, ...command } = bashSession(context).background.read(bash_id)
    return { data: `[${describe(command)}]\n${filter === undefined ? output : matchingLines(output, filter)}` }
  },
})

/** Ends a background command, with all that it started. */
export const KillShellTool = buildTool({
  name: 'KillShell',
  searchHint: 'stop a background command',
  get inputSchema() {
    return killInput()
  },
  maxResultSizeChars: 1_000,
  prompt: async () => 'Ends a background command that Bash started, by its id.',
  async call({ shell_id }, context) {
    return { data: `[${describe(await bashSession(context).background.stop(shell_id))}]` }
  },
})

function describe({ id, ending }: BackgroundCommand): string {
  if (!ending) return `${id} is still running`
  if (ending.type === 'failed') return `${id} could not be started: ${ending.message}`
  return ending.type === 'aborted' ? `${id} was stopped` : `${id} has ended: ${describeEnding(ending)}`
}

function matchingLines(output: string, filter: string): string {
  const pattern = new RegExp(filter)
  return output
    .split('\n')
    .filter((line) => pattern.test(line))
    .join('\n')
}

function regexProblem(filter: string): string | undefined {
  try {
    new RegExp(filter)
    return undefined
  } catch (error) {
    return `filter is no regular expression: ${(error as Error).message}`
  }
}
