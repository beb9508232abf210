import { z } from 'zod'
import { lazySchema, semanticBoolean, semanticNumber } from '#03-contract/contract.ts'
import { buildTool } from '#05-build-tool/tool.ts'
import { namesGit } from '../given/glob-pattern.ts'
import { contentLines, countLines, countSummary, problemNote, recordKeeper } from '../given/search-output.ts'
import { type SearchTarget, searchTarget } from '../given/search-target.ts'
import { counted, grouped } from '../given/text.ts'
import { type RipgrepEnd, ripgrep } from './ripgrep.ts'

const DEFAULT_HEAD_LIMIT = 250
/** Characters of one matching line that are shown. */
const MAX_COLUMNS = 500

const count = (text: string) => semanticNumber(z.number().int().min(0).optional()).describe(text)
const flag = (text: string) => semanticBoolean(z.boolean().optional()).describe(text)

const grepInput = lazySchema(() =>
  z.strictObject({
    pattern: z.string().min(1).max(30_000).describe('What to search for: a regular expression, as ripgrep reads it.'),
    path: z.string().min(1).optional().describe('The folder or file to search. The working directory if left out.'),
    glob: z.string().min(1).optional().describe('Search only files like this: "*.ts", "src/**/*.{js,jsx}".'),
    output_mode: z
      .enum(['content', 'files_with_matches', 'count'])
      .optional()
      .describe('Show matching lines, files (if left out), or the number of matching lines in each file.'),
    '-A': count('Lines to show after each match, with output_mode "content".'),
    '-B': count('Lines to show before each match, with output_mode "content".'),
    '-C': count('Lines to show before and after each match, with output_mode "content".'),
    '-n': flag('Show line numbers, with output_mode "content". True if left out.'),
    '-i': flag('Ignore upper and lower case.'),
    type: z.string().min(1).optional().describe('Search only files of this type, as ripgrep names it: js, py, rust.'),
    head_limit: count(`How many lines or files to show. ${DEFAULT_HEAD_LIMIT} if left out, all for 0.`),
    offset: count('How many lines or files to leave out first. None if left out.'),
    multiline: flag('Let the pattern match across lines, and . match line ends.'),
  }),
)

export type GrepInput = z.infer<ReturnType<typeof grepInput>>

/**
 * The arguments of rg for a search, `entry` being what it is told to search.
 *
 * - Hidden files are searched; no colours.
 * - Nothing in `.git` is searched, whatever else the glob fits (`*`, `config`), unless the glob asks for it: it names
 *   `.git` (`namesGit`) and does not begin with `!`.
 * - Whatever the pattern, the glob, the type and the entry begin with, each arrives as what it is, never as an option.
 * - Mode `files_with_matches` prints paths that end in NUL. `count` and `content` print the path of every record, also
 *   when a single file is searched, and NUL behind it.
 * - `content` prints line numbers always, and lines of at most MAX_COLUMNS with the start of a longer one. The lines of
 *   context are asked for in this mode only; -A and -B count more than -C.
 * - `multiline` lets `.` match line ends, too.
 */
export function grepArgs(input: GrepInput, entry: string): string[] {
  // TODO(task 5): Say it to rg, word by word.
  throw new Error('TODO(task 5): grepArgs')
}

/**
 * The part of a list that is shown: `limit` entries (all for 0) after the first `offset`, and what to say about the rest.
 *
 * The note is undefined when the part is the whole list. Otherwise it says how many entries there are, and how to see
 * the next ones if any are left: `offset=N`. An offset past the end is said to be that.
 */
export function pageOf(
  entries: string[],
  { offset, limit }: { offset: number; limit: number },
): { shown: string[]; note?: string } {
  // TODO(task 5): Take the part, and say what it leaves out.
  throw new Error('TODO(task 5): pageOf')
}

/** Searches the text of files with ripgrep. */
export const GrepTool = buildTool({
  name: 'Grep',
  searchHint: 'search file contents by regular expression',
  get inputSchema() {
    return grepInput()
  },
  maxResultSizeChars: 20_000,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  interruptBehavior: () => 'cancel',
  toAutoClassifierInput: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
  description: async ({ pattern }) => `Search for ${pattern ?? 'a pattern'}`,
  prompt: async () =>
    [
      'Searches the text of files for a regular expression, with ripgrep. Use it in place of grep or rg in Bash.',
      'Braces must be escaped to be found literally (interface\\{\\}). Patterns match within one line unless multiline is true.',
      'Files that .gitignore names are left out, unless path is such a file. Hidden files are searched, .git only when path or glob names it.',
    ].join('\n'),
  validateInput: async ({ pattern }) =>
    pattern.includes('\0')
      ? { result: false, message: 'pattern has a NUL byte, which ripgrep cannot be given. Write it as \\x00.' }
      : { result: true },

  async call(input, { cwd, abortController: { signal } }): Promise<{ data: string }> {
    const target = await searchTarget(cwd, input.path)
    const { records, keep } = recordKeeper()
    const separator = (input.output_mode ?? 'files_with_matches') === 'files_with_matches' ? '\0' : '\n'
    const args = grepArgs(input, target.entry)
    const end = await ripgrep(args, { cwd: target.folder, signal, separator, onRecord: keep })
    return { data: report(input, { records, end, target }) }
  },
  renderToolUseMessage: ({ pattern = '', path }) => (path === undefined ? pattern : `${pattern}, in ${path}`),
  renderToolResultMessage: (text) => text.split('\n', 1)[0],
})

/** What was found, as text for the model. */
function report(
  input: GrepInput,
  { records, end, target }: { records: string[]; end: RipgrepEnd; target: SearchTarget },
): string {
  if (records.length === 0) {
    return [
      'No matches found. Binary files and files that .gitignore names were not searched: give such a file as path.',
      ...problemNote(end.problems),
    ].join('\n')
  }
  const { heading, entries } = entriesOf(input, records, target)
  const { shown, note } = pageOf(entries, { offset: input.offset ?? 0, limit: input.head_limit ?? DEFAULT_HEAD_LIMIT })
  const stopped = `[There is more: the search was stopped after ${counted(records.length, 'result')}. Narrow it with path, glob or pattern.]`
  return [
    ...heading,
    ...shown,
    ...(note ? [note] : []),
    ...(end.isStopped ? [stopped] : []),
    ...problemNote(end.problems),
  ].join('\n')
}

function entriesOf(
  input: GrepInput,
  records: string[],
  target: SearchTarget,
): { heading: string[]; entries: string[] } {
  switch (input.output_mode) {
    case 'content':
      return { heading: [], entries: contentLines(records, target, { numbers: input['-n'] ?? true }) }
    case 'count': {
      const entries = countLines(records, target)
      return { heading: [`Found ${countSummary(entries)}`], entries }
    }
    default: {
      const entries = records.map(target.shown).sort()
      return { heading: [`Found ${counted(entries.length, 'file')}`], entries }
    }
  }
}
