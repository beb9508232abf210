import { runAgentCommand } from './lib/agent.ts'
import { runCommand } from './lib/command.ts'

/**
 * `npm run agent [scenario | "task"]`: the agent of chapter 14, on your own code for the chapters that you have
 * finished.
 */
await runCommand(runAgentCommand)
