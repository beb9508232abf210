import type { SearchTarget } from './search-target.ts'
import { counted } from './text.ts'

/** Records of one search that are kept, and UTF-16 code units of them: beyond that, the search is stopped. */
export const MAX_RECORDS = 20_000
export const MAX_RECORD_CHARS = 4_000_000

/** Keeps records until there are enough: for `onRecord` of `ripgrep`. */
export function recordKeeper(): { records: string[]; keep(record: string): boolean } {
  const records: string[] = []
  let chars = 0
  const keep = (record: string) => {
    records.push(record)
    chars += record.length
    return records.length < MAX_RECORDS && chars < MAX_RECORD_CHARS
  }
  return { records, keep }
}

/** A record of rg's output that belongs to a file. */
interface FileRecord {
  path: string
  /** What stands behind the path: a count, or a number of a line, `:` or `-`, and the line. */
  rest: string
}

/** Takes `path NUL rest` apart. Undefined for what is no such record: the `--` between two places. */
function fileRecord(record: string): FileRecord | undefined {
  const end = record.indexOf('\0')
  return end === -1 ? undefined : { path: record.slice(0, end), rest: record.slice(end + 1) }
}

/** Files in the order of their names; the records of one file stay in theirs. */
function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}

/** The lines of a search in mode `content`: `path:12:line`, and `path-13-line` for a line of context. */
export function contentLines(records: string[], target: SearchTarget, options: { numbers: boolean }): string[] {
  const found = records.flatMap((record) => fileRecord(record) ?? []).sort(byPath)
  return found.map(({ path, rest }) => {
    const [, number = '', mark = ':', line = rest] = /^(\d+)([:-])(.*)$/s.exec(rest) ?? []
    const text = line.replace(/\r$/, '').replaceAll('\0', '␀')
    return `${target.shown(path)}${mark}${options.numbers && number ? `${number}${mark}` : ''}${text}`
  })
}

/** The files of a search in mode `count`, as `path:3`. */
export function countLines(records: string[], target: SearchTarget): string[] {
  const found = records.flatMap((record) => fileRecord(record) ?? []).sort(byPath)
  return found.map(({ path, rest }) => `${target.shown(path)}:${rest}`)
}

/** How often a search in mode `count` found something, in how many files. */
export function countSummary(lines: string[]): string {
  const total = lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(':') + 1)), 0)
  return `${counted(total, 'match').replace(/matchs$/, 'matches')} in ${counted(lines.length, 'file')}`
}

/** What could not be searched, as a note of a few lines. */
export function problemNote(problems: string): string[] {
  if (problems === '') return []
  const lines = problems.split('\n')
  const shown = lines.slice(0, 5).map((line) => line.replace(/^rg: /, ''))
  const more = lines.length > shown.length ? `, and ${lines.length - shown.length} more` : ''
  return [`[Not searched: ${shown.join('; ')}${more}.]`]
}
