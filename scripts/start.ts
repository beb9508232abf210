import { board, nextStep } from './lib/board.ts'
import { runCommand } from './lib/command.ts'
import { Guide } from './lib/guide.ts'

/** `npm start`: the guide. Where there is no terminal: the board of chapters and the next step. */
await runCommand(async () => {
  const hasTerminal = process.stdin.isTTY && process.stdout.isTTY
  if (hasTerminal) await new Guide().run()
  console.log(`${board()}\n\n${nextStep()}`)
  if (hasTerminal) process.exit(0)
  return 0
})
