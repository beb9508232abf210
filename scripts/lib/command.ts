import './closed-pipe.ts'
import { WrongUse } from './wrong-use.ts'

/** Exit codes of every command: all green, tests red, wrong use. */
export type ExitCode = 0 | 1 | 2

/**
 * Runs a command's main function and ends the process with its exit code.
 * A WrongUse becomes its message and 2. Any other error is a fault of the workshop, and shows its stack.
 */
export async function runCommand(main: (words: string[]) => Promise<ExitCode>): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}
