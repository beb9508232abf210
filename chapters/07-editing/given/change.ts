import type Anthropic from '@anthropic-ai/sdk'
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import { textAsRead, toTextFile } from './text-file.ts'

/** What an editing tool returns. */
export interface FileChange {
  /** The path as the model wrote it. */
  filePath: string
  /** One or two sentences: all that the model gets. */
  summary: string
  /** A unified diff of the file before and after, as Read shows it. Not longer than MAX_DIFF_CHARS. */
  diff: string
}

/** The result as a whole may have 100,000 characters. */
export const MAX_RESULT_CHARS = 100_000
const MAX_DIFF_CHARS = 50_000
const CONTEXT_LINES = 3
const MAX_SHOWN_LINES = 40
/** A diff of two texts with nothing in common takes time that grows with the square of their length. */
const DIFF_TIMEOUT_MS = 250

/** The unified diff from one content to the other; `undefined` is no file. Line ends and byte order mark are not shown. */
export function diffOf(shown: string, before: Buffer | undefined, after: Buffer): string {
  const [from, to] = [before, after].map((bytes) => (bytes ? readable(bytes) : ''))
  const { start, fromEnd, toEnd } = changedPart(from, to)
  const oldName = before ? shown : '/dev/null'
  const patch = structuredPatch(
    oldName,
    shown,
    from.slice(start, fromEnd),
    to.slice(start, toEnd),
    undefined,
    undefined,
    { context: CONTEXT_LINES, timeout: DIFF_TIMEOUT_MS },
  )
  if (!patch) return `--- ${oldName}\n+++ ${shown}\n[The two differ too much to be compared.]\n`
  const linesBefore = from.slice(0, start).split('\n').length - 1
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + linesBefore,
    newStart: hunk.newStart + linesBefore,
  }))
  const text = formatPatch({ ...patch, hunks }, FILE_HEADERS_ONLY)
  return text.length <= MAX_DIFF_CHARS ? text : `${text.slice(0, MAX_DIFF_CHARS)}\n[The diff is cut here.]\n`
}

/** What two texts do not have in common at their start and end, with some lines around it: little, in a large file. */
function changedPart(from: string, to: string): { start: number; fromEnd: number; toEnd: number } {
  const shorter = Math.min(from.length, to.length)
  let same = 0
  while (same < shorter && from[same] === to[same]) same++
  let sameAtEnd = 0
  while (sameAtEnd < shorter - same && from.at(-1 - sameAtEnd) === to.at(-1 - sameAtEnd)) sameAtEnd++

  let start = same
  for (let line = 0; line <= CONTEXT_LINES && start > 0; line++) start = from.lastIndexOf('\n', start - 1)
  start = start > 0 ? start + 1 : 0
  let fromEnd = from.length - sameAtEnd
  for (let line = 0; line <= CONTEXT_LINES && fromEnd < from.length; line++) {
    const newline = from.indexOf('\n', fromEnd)
    fromEnd = newline === -1 ? from.length : newline + 1
  }
  return { start, fromEnd, toEnd: to.length - (from.length - fromEnd) }
}

/** The result of an editing tool as the answer to a call. */
export function toResultBlock({ summary }: FileChange, toolUseID: string): Anthropic.ToolResultBlockParam {
  return { type: 'tool_result', tool_use_id: toolUseID, content: summary }
}

/** What people see: the sentence, and the first lines of the diff. */
export function renderChange({ summary, diff }: FileChange): string {
  const lines = diff.trimEnd().split('\n').map(visible)
  const shown = lines.slice(0, MAX_SHOWN_LINES)
  if (lines.length > shown.length) shown.push(`… ${lines.length - shown.length} more lines`)
  return [summary, ...shown].join('\n')
}

function readable(bytes: Buffer): string {
  return textAsRead(toTextFile(bytes)).replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** A line that cannot move the cursor or change colours, and is not endless. */
function visible(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach the terminal
  const plain = line.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, '\uFFFD')
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain
}

/** A sentence about the other names (hard links) of a file that was replaced, or nothing. */
export function otherNamesNote({ otherNames }: { otherNames: number }): string {
  if (otherNames === 0) return ''
  return ` The file had ${otherNames} more hard link${otherNames === 1 ? '' : 's'}: they keep the old content.`
}
