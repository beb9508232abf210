import { posix } from 'node:path'
import type { Arguments } from './policy.ts'
import type { Word } from './words.ts'

// Rules that a table of flags can't express. Each takes a command's sorted arguments and returns what is wrong.

/**
 * What is wrong with a word in any command whatever: the kernel's files show secrets and reach devices and the network,
 * a network path sends one's name and password, and a pattern that starts at the root may match either.
 */
export function checkWord({ value = '', glob }: Word): string | undefined {
  // No expression here may stop at a line end: a word may hold one, and so may a file's name.
  if (/(?:^|=)(?:\\\\|\/\/)[^\\/]+[\\/]/.test(value)) return `${value} may be a path to another machine`
  // A path starts the word, or stands behind a flag: --file=/x, -f/x, -nf../x.
  const absolute = /(?:^|=|^-[^-/][^/]*)\//.test(value)
  const up = /\.\.(?:\/|$)/.test(value) || (glob && /(?:^|[=/]|^-[^/]*)\.[*?[]/.test(value))
  if (!absolute && !up) return undefined
  const kernel = /\/(?:proc|sys|inet[46]?)(?:\/|$)/i.test(value)
  const device = /(?:^|=|^-[^-/][^/]*|\.\.)[/.]*\/dev(?:\/(?!null$)|$)/i.test(value)
  if (kernel || device) return `${value} is the kernel's`
  return glob ? `the pattern ${value} leads out of the folder` : undefined
}

/** A program that prints lines, by number: `5p`, `10,20p`, `$p`, `1p;3p`. All others may hold `w`, `e`, `r` or `s///w`. */
export function checkSed({ flags, operands }: Arguments): string | undefined {
  const quiet = flags.some((flag) => ['-n', '--quiet', '--silent'].includes(flag))
  const prints = /^(?:\d+|\$)(?:,(?:\d+|\$))?p(?:;(?:\d+|\$)(?:,(?:\d+|\$))?p)*$/.test(operands[0] ?? '')
  return quiet && prints
    ? undefined
    : 'sed may write and run programs; only sed -n with line numbers and p is known not to'
}

/** A program that prints fields: `{print $1}`, `{print $1, $NF}`, after a line number or a word in slashes if need be; or `NR==5`. */
export function checkAwk({ operands }: Arguments): string | undefined {
  const field = '\\$(?:\\d+|NF)'
  const where = '(?:NR\\s*[=<>]=\\s*\\d+|NR\\s*[<>]\\s*\\d+|/[\\w .-]+/)'
  const what = `\\{\\s*print(?:\\s+${field}(?:\\s*,\\s*${field})*)?\\s*\\}`
  const prints = new RegExp(`^\\s*(?:${where}|${where}?\\s*${what})\\s*$`)
  return prints.test(operands[0] ?? '')
    ? undefined
    : 'awk may write and run programs; only printing fields is known not to'
}

/**
 * jq runs nothing, but it can show the environment, and load modules. Between `$` and `ENV` some versions take a comment:
 * the name alone is too much. `.env` is a field, and asks, too: it is not told apart.
 */
export function checkJq({ operands }: Arguments): string | undefined {
  const reaches = operands.find((operand) =>
    /\benv\b|ENV|\$__prog|\b(?:import|include|input_filename|modulemeta)\b/.test(operand),
  )
  return reaches && 'the filter may show the environment or load a module'
}

/** Bash's printf writes to a variable with `-v`, and with `%n`, and evaluates that variable's subscript. */
export function checkPrintf({ operands: [format = ''] }: Arguments): string | undefined {
  const known = /^(?:[^%]|%%|%[-+ #0]*\d*(?:\.\d+)?[sdiuxXobqcfeEgG])*$/.test(format)
  return known && !format.startsWith('-') ? undefined : 'printf may set a variable'
}

/** One test: `-f x`, `a = b`, `3 -lt 4`. In `[[ ]]` bash evaluates what `-eq` and its like compare: only numbers pass. */
export function checkTest({ operands }: Arguments): string | undefined {
  const [first, second, third, ...more] = operands[0] === '!' ? operands.slice(1) : operands
  const unary = third === undefined && /^-[bcdefghknprstuwxzGLNOS]$/.test(first ?? '')
  const text = /^(?:==?|!=|-nt|-ot|-ef)$/.test(second ?? '') && third !== undefined
  const number = /^-(?:eq|ne|lt|le|gt|ge)$/.test(second ?? '') && /^\d+ \d+$/.test(`${first} ${third}`)
  return more.length === 0 && (unary || text || number) ? undefined : 'test may evaluate its arguments'
}

/** Without `+` an operand of date sets the clock. */
export function checkDate({ operands }: Arguments): string | undefined {
  return operands.every((operand) => operand.startsWith('+')) ? undefined : 'it would set the clock'
}

/** In `ps` an `e` without a dash shows the environment of every process. */
export function checkPs({ operands }: Arguments): string | undefined {
  return operands.every((operand) => ['aux', 'ax'].includes(operand)) ? undefined : 'it may show environments'
}

/** A search from the root reads what the kernel shows in /proc, and enough `..` lead to the root from anywhere. */
export function checkSearch({ operands }: Arguments): string | undefined {
  const root = operands.some((operand) => /^(?:\/|(?:\.\.\/?)+)$/.test(posix.normalize(operand)))
  return root ? 'it may search the whole machine' : undefined
}
