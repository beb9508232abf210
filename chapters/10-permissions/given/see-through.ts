import type { Word } from '#08-bash/parse.ts'
import { SAFE_VARIABLES } from '../../08-bash/given/policy.ts'
import { baseOf, type Part, SEE_THROUGH } from './bash-parts.ts'

/** Variables that only change how a program speaks, or which of its own settings it takes. */
const HARMLESS = new Set(
  `NODE_ENV CI TERM FORCE_COLOR COLORTERM CLICOLOR PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE RUST_BACKTRACE RUST_LOG
  GOOS GOARCH CGO_ENABLED GO111MODULE TZ LANG LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES NO_COLOR DEBUG LOG_LEVEL`.split(
    /\s+/,
  ),
)

/** From this many ways to read a part on, not every number of options is tried. No command behind a wrapper is left out. */
const MANY_SPELLINGS = 200
const MANY_OPTIONS = 50

/**
 * All that a part may be meant as, for rules that deny or ask: without its variables and its quotes; by its name without
 * the folder; as the command behind `sudo`, `env`, `timeout`, `xargs` and their like; and without the options that stand
 * before its subcommand, so that `git -C d push` is `git push`. Too many rather than too few.
 */
export function spellings(part: Part): readonly string[] {
  const found = known.get(part) ?? spell(part)
  known.set(part, found)
  return found
}

/** Every rule asks anew. */
const known = new WeakMap<Part, readonly string[]>()

function spell(part: Part): string[] {
  const all = part.words.map(({ value, source }) => value ?? source)
  const found: string[] = [part.text]
  let isSeenThrough = false
  for (let at = 0; at < all.length; at++) {
    const [name, ...rest] = all.slice(at)
    isSeenThrough ||= SEE_THROUGH.has(baseOf(name))
    const runs = optionRuns(rest)
    for (const spelled of new Set([name, baseOf(name)])) {
      for (const skipped of found.length < MANY_SPELLINGS ? runs : [0, ...runs.slice(-2)])
        found.push([spelled, ...rest.slice(skipped)].join(' '))
    }
    if (!isSeenThrough) break
  }
  return [...new Set(found)]
}

/** How many of the first words may be options and their values: 0, and each count up to the end of the run (of a long run the first and the last). */
function optionRuns(words: readonly string[]): number[] {
  const counts = [0]
  for (let count = 1; count <= words.length; count++) {
    const isOption = words[count - 1].startsWith('-')
    if (!isOption && !words[count - 2]?.startsWith('-')) break
    counts.push(count)
  }
  return counts.length > MANY_OPTIONS ? [...counts.slice(0, MANY_OPTIONS), ...counts.slice(-2)] : counts
}

/**
 * The command that a part really runs, as it is written, for rules that allow: without harmless variables, and without
 * the wrappers that only change when and how it runs (`timeout 5`, `time`, `nice -n 10`, `nohup`, `stdbuf -oL`,
 * `command`, and `xargs` without options). Undefined where no pattern may allow it: another variable is set, its name
 * isn't plain, or it is a program that runs or destroys what it is given (`watch`, `xargs -n1`, `find -delete`).
 */
export function wrapped(part: Part): Word[] | undefined {
  if (!part.assignments.every(isHarmless)) return undefined
  let words = part.words
  for (let next = behindWrapper(words); next !== undefined; next = behindWrapper(words)) words = next
  const [name, ...rest] = words
  if (!name || name.value !== name.source) return undefined
  const base = baseOf(name.value)
  if (['watch', 'setsid', 'ionice', 'flock', 'xargs'].includes(base)) return undefined
  const acts = ({ source, value }: Word) => /^-(?:exec|execdir|ok|okdir|delete|fprint.*|fls)$/.test(value ?? source)
  return base === 'find' && rest.some((word) => word.value === undefined || acts(word)) ? undefined : words
}

function isHarmless(assignment: string): boolean {
  const [, name, value] = /^(\w+)=([\w.,:/@%+-]*)$/.exec(assignment) ?? []
  if (name === undefined || !HARMLESS.has(name)) return false
  return !Object.hasOwn(SAFE_VARIABLES, name) || SAFE_VARIABLES[name].test(value)
}

/** What is left without the wrapper in front; undefined where there is none, or one with arguments unknown here. */
function behindWrapper(words: readonly Word[]): Word[] | undefined {
  const plain = words.map(({ value, source }) => (value === source ? source : '\0'))
  const line = plain.join(' ')
  const wrapper =
    /^(?:time(?: -p)?|nohup|command|builtin|nice(?: -n -?\d+| -\d+| --adjustment=-?\d+)?|stdbuf(?: -[ioe](?:\d+|L))+|timeout(?: --preserve-status| --foreground| -[ks] \w+| --signal=\w+| --kill-after=\w+)* \d+(?:\.\d+)?[smhd]?|xargs) (?!-)/.exec(
      line,
    )
  return wrapper ? words.slice(wrapper[0].trimEnd().split(' ').length) : undefined
}
