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
  // #region task 4: Allow what can be trusted and has no problem; ask about everything else.
  const ask = (problem: string): ReadOnlyDecision => ({
    behavior: 'ask',
    reason: `This may not be read-only: ${problem}.`,
  })
  const parsed = parseCommand(command)
  if (!parsed.trusted) return ask(parsed.reason)
  const problem = problemOf(parsed.root) ?? xargsProblem(parsed.root)
  if (problem) return ask(problem)

  const commands = simpleCommands(parsed.root)
  if (commands.length === 0) return ask('there is no command in it')
  const values = commands.map(({ words }) => words.map(({ value }) => value))
  const runsGit = ([name = '', ...args]: Array<string | undefined>) =>
    name === 'git' || (COMMANDS[name].runsAfter !== undefined && args.includes('git'))
  if (values.some(([name]) => name === 'cd') && values.some(runsGit)) {
    return ask('git would use the configuration of another folder')
  }
  return { behavior: 'allow' }
  // #endregion
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
  // #region task 4: Walk down what is known to be as good as its parts, and refuse every other node.
  const asGoodAsTheirParts = ['program', 'list', 'pipeline', 'negated_command', 'redirected_statement']
  const harmless = ['&&', '||', '|', '|&', ';', '!', 'comment']
  if (asGoodAsTheirParts.includes(node.type)) return firstProblem(node.children.map(problemOf))
  if (node.type === 'command' || node.type === 'test_command') return problemOfCommand(node)
  if (node.type === 'file_redirect') return problemOfRedirect(node)
  return harmless.includes(node.type) ? undefined : `${node.type} is not known to be read-only`
  // #endregion
}

/**
 * Says what is wrong with a simple command. `simpleCommand` takes it apart: its variables are all in SAFE_VARIABLES, with
 * a value that fits; its redirections have no problem; and `checkWords` has nothing against its words.
 */
function problemOfCommand(node: SyntaxNode): Problem {
  // #region task 4: Check the variables, the redirections and the words.
  const { assignments, words } = simpleCommand(node)
  const unsafe = assignments.find((assignment) => {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(assignment) ?? []
    return name === undefined || !Object.hasOwn(SAFE_VARIABLES, name) || !SAFE_VARIABLES[name].test(value)
  })
  if (unsafe) return `${unsafe} may change what the command does`
  const redirects = node.children.filter(({ type }) => type.endsWith('_redirect'))
  return firstProblem([...redirects.map(problemOfRedirect), checkWords(words)])
  // #endregion
}

/**
 * Says what is wrong with a redirection. Three kinds are fine: output (`>`, `>>`, `&>`, `&>>`) to /dev/null, written just
 * so; 1 and 2 put together, `2>&1` or `>&2`; and standard input (`<`, with no descriptor or 0) from a file that has a
 * value, is no pattern, and that `checkWord` has nothing against. Output means no descriptor, 1 or 2: `5>/dev/null` asks.
 */
function problemOfRedirect(node: SyntaxNode): Problem {
  // #region task 4: Know the three kinds that change nothing.
  const { source, descriptor, operator, target } = redirect(node)
  const output = descriptor === undefined || descriptor === '1' || descriptor === '2'
  if (['>', '>>', '&>', '&>>'].includes(operator) && output && target?.source === '/dev/null') return undefined
  if (operator === '>&' && output && (target?.source === '1' || target?.source === '2')) return undefined
  if (operator === '<' && (descriptor ?? '0') === '0' && target?.value !== undefined && !target.glob) {
    return checkWord(target)
  }
  return `${source} may write to a file, or more`
  // #endregion
}

function firstProblem(problems: Problem[]): Problem {
  return problems.find((problem) => problem !== undefined)
}
