import { lstat, stat } from 'node:fs/promises'
import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { lazySchema } from '#03-contract/contract.ts'
import { buildTool } from '#05-build-tool/tool.ts'
import { fixedFolder, globRegExp, namesGit } from '../given/glob-pattern.ts'
import { newestFirst } from '../given/newest-first.ts'
import { MAX_RECORDS, problemNote, recordKeeper } from '../given/search-output.ts'
import { type SearchTarget, searchTarget } from '../given/search-target.ts'
import { counted } from '../given/text.ts'
import { ripgrep } from './ripgrep.ts'

/** How many files are shown. */
const MAX_FILES = 100

const globInput = lazySchema(() =>
  z.strictObject({
    pattern: z.string().min(1).max(4096).describe('The files to list, as a glob: "**/*.ts", "src/*.{js,jsx}".'),
    path: z
      .string()
      .min(1)
      .optional()
      .describe('The folder that the pattern counts from. The working directory if left out.'),
  }),
)

/**
 * The pattern as one that counts from `folder`, an absolute path, or an Error that says why there is none.
 *
 * - `./` and empty parts do not matter, and `..` may follow a part without wildcards: `src/../lib/*.ts` is `lib/*.ts`.
 * - A pattern that climbs out of the folder is refused. So is one that might: with `..` behind a part with wildcards
 *   (any of `* ? [ {`), or inside braces.
 * - An absolute pattern is taken from `folder` on if its part before the first wildcard lies in `folder`, else refused.
 *   So is one that begins with `~`.
 * - The folder itself, however it is written (`./`, `src/..`, its absolute path), is `.`.
 *
 * The Error names the pattern, and says to give the folder to start from as `path`.
 */
export function relativePattern(pattern: string, folder: string): string {
  // #region task 5: Bring the pattern below the folder, or refuse it.
  const refused = new Error(
    `The pattern ${JSON.stringify(pattern)} leads outside of ${folder}. Give the folder to start from as path, and a pattern below it.`,
  )
  const parts = pattern.split('/')
  const wild = parts.findIndex((part) => /[*?[{]/.test(part))
  const fixed = parts.slice(0, wild === -1 ? parts.length : wild).join('/')
  const rest = wild === -1 ? [] : parts.slice(wild).filter((part) => part !== '' && part !== '.')
  if (pattern.startsWith('~') || rest.some((part) => /(^|[{,])\.\.([},]|$)/.test(part))) throw refused

  const start = isAbsolute(pattern)
    ? relative(folder, fixed || '/').replaceAll(sep, '/')
    : posix.normalize(fixed || '.').replace(/\/$/, '')
  const below = [start, ...rest].filter((part) => part !== '' && part !== '.').join('/')
  if (/^\.\.(\/|$)/.test(below) || isAbsolute(below)) throw refused
  return below || '.'
  // #endregion
}

/** Lists files whose paths are like a pattern, the ones that were changed last first. */
export const GlobTool = buildTool({
  name: 'Glob',
  searchHint: 'find files by name pattern',
  get inputSchema() {
    return globInput()
  },
  maxResultSizeChars: 20_000,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  interruptBehavior: () => 'cancel',
  toAutoClassifierInput: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
  description: async ({ pattern }) => `List files like ${pattern ?? 'a pattern'}`,
  prompt: async () =>
    [
      `Lists files by a glob pattern, the ones that were changed last first, at most ${MAX_FILES}.`,
      '`*` stays within one folder, `**` goes through any number of them. Hidden files are listed.',
      'Files that .gitignore names are listed only where nothing else matches; how many there are is said.',
    ].join('\n'),
  async validateInput({ pattern, path }, { cwd }) {
    try {
      globRegExp(relativePattern(pattern, resolve(cwd, path ?? '.')))
      return { result: true }
    } catch (error) {
      return { result: false, message: (error as Error).message }
    }
  },

  async call({ pattern, path }, { cwd, abortController: { signal } }): Promise<{ data: string }> {
    const target = await searchTarget(cwd, path)
    if (target.entry !== '.') throw new Error(`path must be a folder, and ${path} is a file. Read shows what is in it.`)
    const below = relativePattern(pattern, target.folder)
    const folder = await stat(join(target.folder, fixedFolder(below))).catch(() => undefined)
    if (!folder?.isDirectory())
      return { data: `No files match: there is no folder ${target.shown(fixedFolder(below))}.` }
    const kept = await list(below, { target, signal, ignored: false })
    const all = await list(below, { target, signal, ignored: true })
    return { data: await report({ pattern, below, kept, all, target, signal }) }
  },
  renderToolUseMessage: ({ pattern = '', path }) => (path === undefined ? pattern : `${pattern}, in ${path}`),
  renderToolResultMessage: (text) => text.split('\n', 1)[0],
})

interface Listing {
  paths: string[]
  isStopped: boolean
  problems: string
}

/** The files below the target's folder that are like the pattern, also those that .gitignore names if `ignored`. */
async function list(
  pattern: string,
  { target, signal, ignored }: { target: SearchTarget; signal: AbortSignal; ignored: boolean },
): Promise<Listing> {
  const like = globRegExp(pattern)
  const { records: paths, keep } = recordKeeper()
  const onRecord = (record: string) => {
    const path = record.replace(/^\.\//, '')
    return like.test(path) ? keep(path) : true
  }
  const end = await ripgrep(globArgs(pattern, ignored), { cwd: target.folder, signal, separator: '\0', onRecord })
  return { paths, ...end }
}

/**
 * The arguments of rg that list, each ended by NUL, the files among which those are that are like the pattern.
 *
 * - Only the folder that the pattern fixes is walked: `./src/lib` for `src/lib/*.ts`, `./` for `*.ts`. A folder that is
 *   named in this way is listed by rg even if .gitignore names it.
 * - A folder that begins with `-` is a folder all the same.
 * - Hidden files are listed, and what is in `.git` only when the pattern names `.git` (`namesGit`).
 * - `ignored` says whether files are listed that .gitignore and the like name.
 * - The pattern itself is not given to rg: to rg, `--glob=*.ts` matches at any depth, and overrules .gitignore.
 */
export function globArgs(pattern: string, ignored: boolean): string[] {
  // #region task 5: Say to rg which folder to list, and which files in it count.
  const args = ['--files', '--null', '--hidden']
  if (!namesGit(pattern)) args.push('--glob=!.git')
  return [...args, ...(ignored ? ['--no-ignore'] : []), '--', `./${fixedFolder(pattern)}`]
  // #endregion
}

interface Found {
  pattern: string
  below: string
  kept: Listing
  all: Listing
  target: SearchTarget
  signal: AbortSignal
}

/** What was found, as text for the model. That nothing is there is never said of what was not looked at. */
async function report({ pattern, below, kept, all, target, signal }: Found): Promise<string> {
  const known = new Set(kept.paths)
  const ignored = all.paths.filter((path) => !known.has(path))
  const paths = kept.paths.length > 0 ? kept.paths : ignored
  const notes = problemNote(kept.problems)
  if (paths.length === 0)
    return [await nothingFound(pattern, join(target.folder, below), target.shown(below)), ...notes].join('\n')

  const sorted = await newestFirst(paths, target.folder, signal)
  const shown = sorted.slice(0, MAX_FILES).map(target.shown)
  if (kept.isStopped)
    notes.unshift(`[There are more than ${counted(MAX_RECORDS, 'file')}: use a narrower pattern or path.]`)
  else if (sorted.length > shown.length) {
    notes.unshift(
      `[${counted(shown.length, 'file')} of ${sorted.length}, the newest: use a narrower pattern or path to see the rest.]`,
    )
  }
  const many = all.isStopped ? `${ignored.length} or more` : String(ignored.length)
  if (kept.paths.length === 0) notes.push('[All of these are ignored by .gitignore.]')
  else if (ignored.length > 0)
    notes.push(`[${many} ignored by .gitignore are not listed: name their folder to see them.]`)
  return [...shown, ...notes].join('\n')
}

/** Something may be there that is no file to rg: a folder, a link. */
async function nothingFound(pattern: string, path: string, shown: string): Promise<string> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isDirectory())
    return `No files match: ${shown} is a folder. List what is in it with ${JSON.stringify(`${pattern.replace(/\/$/, '')}/**`)}.`
  if (stats) return shown
  return 'No files match. Hidden files and files that .gitignore names were looked at, too; links were not followed.'
}
