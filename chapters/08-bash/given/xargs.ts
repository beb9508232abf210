import { redirect, simpleCommand } from './parse.ts'
import { COMMANDS } from './policy.ts'
import { descendantsOf, type SyntaxNode } from './syntax-tree.ts'

/** Commands that print paths of the folder and no text of their own, with these flags; `needs`: with one of these. */
const LISTS: Record<string, { flags: RegExp; needs?: RegExp }> = {
  ls: { flags: /^-[aA1dRrSt]+$/ },
  find: { flags: /^-(?!printf$|ls$|follow$|L$)[a-z0-9]+$/ },
  fd: { flags: /^-[HIetdgE0]$|^--(?:hidden|type|extension)$/ },
  rg: { flags: /^-[lignwFt]+$|^--(?:files|files-with-matches|hidden)$/, needs: /^-[a-zA-Z]*l|^--files/ },
  grep: { flags: /^-[rinwEFl]+$|^--files-with-matches$|^--include=/, needs: /^-[a-zA-Z]*l|^--files/ },
  git: {
    flags: /^-[comz]+$|^--(?:cached|others|modified|exclude-standard|name-only)$/,
    needs: /^(?:ls-files|--name-only)$/,
  },
}

/**
 * What is wrong with where `xargs` has its names from. No word shows them to `checkWord`:
 * `printf '%b' '\x2fproc/self/environ' | xargs cat`. So the same pipeline begins with a command that lists files of the
 * folder, what stands between the two only drops or orders lines, and nothing is read from elsewhere.
 */
export function xargsProblem(root: SyntaxNode): string | undefined {
  const all = descendantsOf(root, 'command').filter((node) => runsXargs(valuesOf(node)))
  if (all.length === 0) return undefined
  const fed = descendantsOf(root, 'pipeline').flatMap((pipeline) => {
    const commands = pipeline.children.filter(({ type }) => !/^\|&?$/.test(type)).map(valuesOf)
    return commands.flatMap((words, at) => (runsXargs(words) ? [commands.slice(0, at)] : []))
  })
  const listed = fed.every(([first, ...more]) => first !== undefined && listsFiles(first) && more.every(keepsLines))
  const replaced = descendantsOf(root, 'file_redirect').some((node) => redirect(node).operator === '<')
  return listed && !replaced && fed.length === all.length ? undefined : 'nobody can tell which names xargs gets'
}

/** The words of a simple command, or none where it is something else. */
function valuesOf(node: SyntaxNode): string[] {
  if (node.type === 'redirected_statement') return valuesOf(node.children[0])
  return node.type === 'command' ? simpleCommand(node).words.map(({ value = '' }) => value) : []
}

function runsXargs([name = '', ...args]: string[]): boolean {
  const wraps = Object.hasOwn(COMMANDS, name) && COMMANDS[name].runsAfter !== undefined
  return name === 'xargs' || (wraps && args.includes('xargs'))
}

function listsFiles([name = '', ...args]: string[]): boolean {
  if (!Object.hasOwn(LISTS, name)) return false
  const { flags, needs } = LISTS[name]
  const inside = args.every((arg) => (arg.startsWith('-') ? flags.test(arg) : !/^\/|\.\./.test(arg)))
  if (name === 'git' && !/^(?:ls-files|diff)$/.test(args[0] ?? '')) return false
  return inside && (!needs || args.some((arg) => needs.test(arg)))
}

/** Whether it prints lines that it gets, as they are, and reads nothing else. */
function keepsLines([name, ...args]: string[]): boolean {
  const text = args.join(' ')
  if (name === 'head' || name === 'tail') return /^(?:-n ?\d+|-\d+)?$/.test(text)
  if (name === 'sort') return /^(?:-[bdfghnruV]+)?$/.test(text)
  if (name === 'uniq') return args.length === 0
  return name === 'grep' && args.length === (/^-[vEFiw]+$/.test(args[0] ?? '') ? 2 : 1)
}
