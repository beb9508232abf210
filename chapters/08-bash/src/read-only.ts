import { checkWord } from '../given/checks.ts'
import { COMMANDS, SAFE_VARIABLES } from '../given/policy.ts'
import { xargsProblem } from '../given/xargs.ts'
import { checkWords, type Problem } from './check-words.ts'
import { parseCommand, redirect, type SyntaxNode, simpleCommand, simpleCommands } from './parse.ts'

/** Whether a command may run unasked because it can't change anything. `reason`: why it can't be known. */
export type ReadOnlyDecision = { behavior: 'allow' } | { behavior: 'ask'; reason: string }

/**
 * Says whether a command is known to leave everything as it is: files, processes, the network, the shell's own state, and
 * whether it keeps the environment to itself.
 *
 * What isn't known, asks. The answer is `allow` if the command can be trusted to be what its syntax tree shows
 * (`parseCommand`), there is a command in it, neither `problemOf` nor `xargsProblem` finds anything in the tree, and it
 * doesn't use git in a folder that it has just changed to, whose configuration nobody has looked at: `cd` and `git` are
 * both among the commands in it, in whatever order. A command that another one runs (`timeout 5 git log`; its policy says
 * `runsAfter`) counts, a word that happens to be `git` (`grep git f`) doesn't.
 *
 * `reason` is a sentence for the person who is asked. Nothing is run or read, and nothing is thrown.
 */
export function checkReadOnlyConstraints({ command }: { command: string }): ReadOnlyDecision {
  // TODO(task 4): Allow what can be trusted and has no problem; ask about everything else.
  throw new Error('TODO(task 4): checkReadOnlyConstraints')
}

/**
 * Says what is wrong with a part of the tree, and all that is below it.
 *
 * - Lists, pipelines and negations are as good as their parts; so is a command with redirections.
 * - Their operators `&&`, `||`, `|`, `|&`, `;` and `!` are fine, and so is a comment. `&` is not: what it starts goes on.
 * - A `command` and a `test_command` are checked by `problemOfCommand`, a `file_redirect` by `problemOfRedirect`.
 * - Every other type of node is a problem, whatever it is: the reason names it.
 */
function problemOf(node: SyntaxNode): Problem {
  // TODO(task 4): Walk down what is known to be as good as its parts, and refuse every other node.
  throw new Error('TODO(task 4): problemOf')
}

/**
 * Says what is wrong with a simple command. `simpleCommand` takes it apart: its variables are all in SAFE_VARIABLES, with
 * a value that fits; its redirections have no problem; and `checkWords` has nothing against its words.
 */
function problemOfCommand(node: SyntaxNode): Problem {
  // TODO(task 4): Check the variables, the redirections and the words.
  throw new Error('TODO(task 4): problemOfCommand')
}

/**
 * Says what is wrong with a redirection. Three kinds are fine: output (`>`, `>>`, `&>`, `&>>`) to /dev/null, written just
 * so; 1 and 2 put together, `2>&1` or `>&2`; and standard input (`<`, with no descriptor or 0) from a file that has a
 * value, is no pattern, and that `checkWord` has nothing against. Output means no descriptor, 1 or 2: `5>/dev/null` asks.
 */
function problemOfRedirect(node: SyntaxNode): Problem {
  // TODO(task 4): Know the three kinds that change nothing.
  throw new Error('TODO(task 4): problemOfRedirect')
}

function firstProblem(problems: Problem[]): Problem {
  return problems.find((problem) => problem !== undefined)
}
