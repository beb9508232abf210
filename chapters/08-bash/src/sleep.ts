import { descendantsOf, parseCommand, type SyntaxNode, simpleCommand } from './parse.ts'

/** In seconds. A command that starts with a longer sleep waits for something. */
export const MAX_SLEEP_SECONDS = 2

const WHAT_TO_DO =
  'Start what you wait for with run_in_background and read it with BashOutput when you need to know; then nothing has to sleep.'

/**
 * Says what is wrong with a command that only passes the time, as a text for the model; undefined if nothing is.
 *
 * - A loop (`while`, `until`, `for`) that runs `sleep` in its body, wherever the loop stands: it asks again and again.
 * - A `sleep` of more than MAX_SLEEP_SECONDS that is the first command to run, alone or with others behind it:
 *   `sleep 60`, `sleep 60 && cat log`, `(sleep 60; ls)`. `infinity` is longer, too.
 *
 * Everything else is fine: a shorter sleep, one that is not the first command, one in a pipeline (`sleep 9 | cat`), one
 * whose length is unknown (`sleep $N`), one that goes to the background (`sleep 60 & …`), one behind `!` (`! sleep 60`) or
 * in a condition (`while sleep 5; do …`, `if sleep 60; then …`), a command that is not trusted.
 */
export function sleepProblem(command: string): string | undefined {
  // TODO(task 5): Find a loop that sleeps, then look at the first command that runs.
  throw new Error('TODO(task 5): sleepProblem')
}

/** How long the first command of this part of the tree sleeps, in seconds; undefined if it is no sleep to be refused. */
function firstSleep(node: SyntaxNode): number | undefined {
  // TODO(task 5): Go down to the first command, unless a pipeline or an & is on the way.
  throw new Error('TODO(task 5): firstSleep')
}

/** How long a `command` sleeps, in seconds; NaN where nobody can tell. Undefined if it is not `sleep`. */
export function secondsOf(node: SyntaxNode): number | undefined {
  const [name, ...times] = simpleCommand(node).words
  if (name?.value !== 'sleep') return undefined
  return times.reduce((sum, { value = '' }) => {
    const [, number, unit = 's'] = /^(\d+\.?\d*|\.\d+|inf|infinity)([smhd]?)$/i.exec(value) ?? []
    const seconds = { s: 1, m: 60, h: 3600, d: 86_400 }[unit || 's']!
    return sum + (/^inf/i.test(number) ? Infinity : Number(number)) * seconds
  }, 0)
}
