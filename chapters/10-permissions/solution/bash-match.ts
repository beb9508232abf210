import { isKnown, type Part } from '../given/bash-parts.ts'
import { spellings, wrapped } from '../given/see-through.ts'
import type { Rule } from '../given/types.ts'
import { fitsPieces, hasWildcard, literalPattern, piecesOf } from '../given/wildcard.ts'
import { parseRule } from './rules.ts'

/**
 * Whether a command fits a rule's pattern, all of it.
 *
 * - `*` stands for any text, blanks and slashes as well, also for none: `npm run test*`. `\*` is a star. `piecesOf` and
 *   `fitsPieces` know both.
 * - ` *` at the end is a border between words, and the command alone fits, too: `ls *` is `ls` and `ls -la`, not `lsof`.
 * - With `inWord`, as rules that allow are read, a star that is not at the end stays within one word: `git * main` is
 *   `git checkout main`, and not `git push origin main`. That holds for `git * main *`, too.
 *
 * Takes about as long as the texts are long: an expression with a `.*` for each star may go on for ever.
 */
export function commandFits(pattern: string, command: string, options: { inWord?: boolean } = {}): boolean {
  // #region task 2: Compare, and let ` *` at the end also stand for nothing.
  if (fitsPieces(command, piecesOf(pattern), options)) return true
  const isPrefix = pattern.endsWith(' *')
  return isPrefix && fitsPieces(command, piecesOf(pattern.slice(0, -' *'.length)), options)
  // #endregion
}

/**
 * Whether a rule that denies or asks strikes this part, which is to say: is about it. Its specifier is any, or one of the part's `spellings` fits the
 * pattern.
 */
export function isStruck(rule: Rule, part: Part): boolean {
  // #region task 2: Look at everything that the part may be meant as.
  const { specifier } = rule
  if (specifier.type === 'any') return true
  return specifier.type === 'command' && spellings(part).some((text) => commandFits(specifier.pattern, text))
  // #endregion
}

/**
 * Whether a rule that allows covers this part.
 *
 * - A specifier of any covers every part.
 * - A pattern without a star covers the part whose `text` is the same.
 * - Any pattern covers the part if the command that it really runs (`wrapped`) fits (`inWord`): its words as they are
 *   written (`source`), quotes and all, with one blank between two. Where `wrapped` knows none, no pattern with a star covers it.
 */
export function isCovered(rule: Rule, part: Part): boolean {
  // #region task 2: Look at what the part runs, and trust nothing that hides it.
  const { specifier } = rule
  if (specifier.type === 'any') return true
  if (specifier.type !== 'command') return false
  if (!hasWildcard(specifier.pattern) && commandFits(specifier.pattern, part.text)) return true
  const command = wrapped(part)?.map(({ source }) => source)
  return command !== undefined && commandFits(specifier.pattern, command.join(' '), { inWord: true })
  // #endregion
}

/**
 * The rule that "always" would add for a part: one that covers this part and nothing else. Undefined where there is none:
 * only the shell can tell what one of its words or variables is (`isKnown` says no), or it can't be written as a rule.
 *
 * The rule's text is `Bash(…)` with the part's `text` as a pattern that fits nothing else (`literalPattern`). A part that
 * ends in `:*` or has a control character in it can't be written so: read the rule again, and see whether it covers
 * the part.
 */
export function suggestRule(part: Part): string | undefined {
  // #region task 2: Write the rule, and read it again to be sure.
  const pattern = literalPattern(part.text)
  if (pattern === undefined || !isKnown(part)) return undefined
  try {
    const text = `Bash(${pattern})`
    return isCovered(parseRule(text), part) ? text : undefined
  } catch {
    return undefined
  }
  // #endregion
}
