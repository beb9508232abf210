import { checkWord } from '../given/checks.ts'
import { type Arguments, COMMANDS, type CommandPolicy, isListed } from '../given/policy.ts'
import { isPlain, type Word } from './parse.ts'

/** What is wrong with a command, as the end of a sentence; undefined if nothing is. */
export type Problem = string | undefined

/**
 * Says what is wrong with a simple command, given by its words: why it might change something or run something else.
 *
 * - The first word is a name of COMMANDS, written plainly.
 * - Every other word has a value, and `checkWord` has nothing against it.
 * - The arguments are what the command's policy says, see `checkArguments`.
 */
export function checkWords(words: readonly Word[]): Problem {
  // #region task 3: Find the command's policy by its name, and hold the other words against it.
  const [name, ...args] = words
  if (!name || !isPlain(name) || !Object.hasOwn(COMMANDS, name.source)) {
    return `${name?.source ?? 'nothing'} is not known to be read-only`
  }
  for (const word of args) {
    const problem = word.value === undefined ? `only the shell can tell what ${word.source} is` : checkWord(word)
    if (problem) return problem
  }
  return checkArguments(name.source, args, COMMANDS[name.source])
  // #endregion
}

/**
 * Holds a command's arguments (each has a value) against a policy. `name` is for the messages.
 *
 * - They are sorted by `sortArguments`; what it can't sort is a problem, and so is what `policy.check` says.
 *   That holds also where a subcommand or another command follows, for what stands before it.
 * - There are at most `policy.operands` operands. Where a word is a pattern, the policy says `harmless`; the words that
 *   follow (a subcommand, a command that it runs) are not this policy's.
 * - Where there are `subcommands`, the first operand is one of them, and what follows is held against its policy; without
 *   any operand only a `bare` one passes.
 * - With `runsAfter: N`, what follows N operands is a command: `checkWords` has nothing against it, and neither has
 *   `addedProblem` if the policy `addsArguments`.
 */
export function checkArguments(name: string, args: readonly Word[], policy: CommandPolicy): Problem {
  // #region task 3: Check the arguments that are the command's own, then the command that they lead to.
  const sorted = sortArguments(args, policy)
  if (typeof sorted === 'string') return `${name} ${sorted} is not known to be read-only`
  const { rest } = sorted
  const own = args.slice(0, args.length - rest.length)
  const glob = own.find((word) => word.glob)
  if (glob && !policy.harmless) return `a file that ${glob.source} matches could be taken for a flag of ${name}`
  if (sorted.operands.length > (policy.operands ?? Infinity))
    return `${name} takes its last argument for something else`
  const problem = policy.check?.(sorted)
  if (problem) return problem

  const [next, ...behind] = rest
  if (policy.subcommands) {
    if (!next) return policy.bare ? undefined : `${name} alone is not known to be read-only`
    const known = isPlain(next) && Object.hasOwn(policy.subcommands, next.source)
    if (!known) return `${name} ${next.source} is not known to be read-only`
    return checkArguments(`${name} ${next.source}`, behind, policy.subcommands[next.source])
  }
  if (policy.runsAfter === undefined) return undefined
  return policy.addsArguments ? (addedProblem(name, rest) ?? checkWords(rest)) : checkWords(rest)
  // #endregion
}

/**
 * Sorts arguments into flags, their values, and operands, as `CommandPolicy` describes them. Flags may stand behind
 * operands, `-` is an operand, and so is everything behind `--`. Where another command or a subcommand follows, sorting
 * ends before it, and `rest` is what follows.
 *
 * Returns the flag itself, as it is written, where the policy doesn't list it or its value is missing.
 */
function sortArguments(args: readonly Word[], policy: CommandPolicy): (Arguments & { rest: readonly Word[] }) | string {
  const own = policy.subcommands ? 0 : (policy.runsAfter ?? Infinity)
  const sorted: Arguments = { flags: [], values: [], operands: [] }
  let flagsEnd = policy.text === true
  for (let at = 0; at < args.length; at++) {
    const text = args[at].value!
    if (!flagsEnd && text === '--') {
      flagsEnd = true
    } else if (flagsEnd || !text.startsWith('-') || text === '-') {
      if (sorted.operands.length === own) return { ...sorted, rest: args.slice(at) }
      sorted.operands.push(text)
    } else if (!(policy.number && /^-\d+$/.test(text))) {
      const found = flagsIn(text, policy)
      if (!found) return args[at].source
      sorted.flags.push(...found.flags)
      if (found.value !== undefined) sorted.values.push({ flag: found.flags.at(-1)!, value: found.value })
      if (!found.wantsValue) continue
      if (++at === args.length) return text
      sorted.values.push({ flag: found.flags.at(-1)!, value: args[at].value! })
    }
  }
  return { ...sorted, rest: [] }
}

/** The flags that one argument stands for, with the value that is glued to the last of them, or wanted next. */
interface FoundFlags {
  flags: string[]
  value?: string
  wantsValue?: boolean
}

/**
 * Takes apart one argument that starts with a dash: `-la`, `-n5`, `--lines=5`, `-name`. Undefined where one of its flags
 * isn't listed, or has a value where it has none.
 */
export function flagsIn(text: string, policy: CommandPolicy): FoundFlags | undefined {
  // #region task 3: Find every flag in the policy's lists (isListed), exactly as it is written, and what belongs to the last one.
  const alone = (flag: string) => isListed(policy.flags, flag) || isListed(policy.optional, flag)
  if (policy.wholeWords || text.startsWith('--')) return wholeWord(text, policy)
  const flags: string[] = []
  for (let at = 1; at < text.length; at++) {
    const flag = `-${text[at]}`
    const glued = text.slice(at + 1)
    flags.push(flag)
    if (isListed(policy.values, flag)) return glued ? { flags, value: glued } : { flags, wantsValue: true }
    if (glued && isListed(policy.optional, flag)) return { flags, value: glued }
    if (!alone(flag)) return undefined
  }
  return { flags }
  // #endregion
}

/** `flagsIn` for a flag that is a whole word: `--lines`, `--lines=5`, and with `wholeWords` also `-name`. */
function wholeWord(text: string, policy: CommandPolicy): FoundFlags | undefined {
  const [, flag, value] = /^([^=]*)(?:=(.*))?$/s.exec(text)!
  if (value !== undefined && policy.wholeWords) return undefined
  if (value === undefined) {
    if (isListed(policy.values, flag)) return { flags: [flag], wantsValue: true }
    return isListed(policy.flags, flag) || isListed(policy.optional, flag) ? { flags: [flag] } : undefined
  }
  return isListed(policy.values, flag) || isListed(policy.optional, flag) ? { flags: [flag], value } : undefined
}

/** What is wrong with giving a command (its name, its arguments) more arguments that nobody has seen. */
function addedProblem(name: string, [inner, ...args]: readonly Word[]): Problem {
  const known = inner !== undefined && isPlain(inner) && Object.hasOwn(COMMANDS, inner.source)
  if (!known || !COMMANDS[inner.source].harmless) {
    return `${name} gives ${inner?.source ?? 'its command'} arguments that nobody has seen`
  }
  const part = args.find(({ value }) => value?.includes('{}') && value !== '{}')
  return part && `${name} makes a word of ${part.source} that nobody has seen`
}
