import pc from 'picocolors'
import type { AnyTool } from '#05-build-tool/tool.ts'
import { findToolByName } from '#09-registry/find-tool.ts'
import type { ResultUpdate } from '#11-pipeline/run-tool-use.ts'
import { clean, cutTo, wrap } from './columns.ts'
import type { ShownSession } from './run-view.ts'

/** How much of a result a person is shown, in lines. */
const MAX_LINES = 8
const MAX_DIFF_LINES = 40

/** What a call is: the tool's name as the model wrote it, and its input. */
export interface ShownCall {
  name: string
  input: unknown
}

/** A call in one line: `Update src/money.js`. */
export function callLine(call: ShownCall, session: ShownSession, width: number): string {
  const { title, words } = wordsOf(call, session)
  const line = cutTo(`${title} ${words}`.replaceAll('\n', ' ⏎ ').trim(), width)
  return `${pc.bold(line.slice(0, title.length))}${line.slice(title.length)}`
}

/**
 * What a tool calls itself and its call, such that a terminal can take it. Paths in the folder that the session works
 * in are shown from there on. A tool that cannot say what it does is shown with its input.
 */
export function wordsOf({ name, input }: ShownCall, session: ShownSession): { title: string; words: string } {
  const tool = findToolByName(session.tools, name)
  const show = (text: string) => clean(text.replaceAll(`${session.permissions.cwd}/`, ''))
  try {
    if (tool) {
      return {
        title: show(tool.userFacingName(input as object)),
        words: show(tool.renderToolUseMessage(input as object)),
      }
    }
  } catch {
    // The input did not parse: the tool has never seen it.
  }
  return { title: clean(name), words: show(JSON.stringify(input) ?? '') }
}

/**
 * A result in some lines, each behind an indent: a diff in colours, an error in red, and the count of what is left out.
 */
export function resultLines(
  { name }: ShownCall,
  { block, end }: ResultUpdate,
  { session, width }: { session: ShownSession; width: number },
): string[] {
  const tool = findToolByName(session.tools, name)
  const shown = end.type === 'returned' && !block.is_error ? rendered(tool, end.data) : textOf(block.content)
  const diff = end.type === 'returned' && hasDiff(end.data)
  const isError = block.is_error === true
  const text = clean(shown.replaceAll(`${session.permissions.cwd}/`, '').trimEnd() || '(no output)')
  // An error is for reading; of everything else, its look is enough.
  const lines = isError ? wrap(text, width - 4) : text.split('\n')
  return shorten(lines, diff ? MAX_DIFF_LINES : MAX_LINES).map((line, i) => {
    const lead = i === 0 ? '  └ ' : '    '
    return lead + paint(cutTo(line, width - lead.length), { isError, isDiff: diff && i > 0 })
  })
}

/** The lines of a unified diff, in colours. */
export function diffLines(diff: string, width: number): string[] {
  const lines = shorten(clean(diff.trimEnd()).split('\n'), MAX_DIFF_LINES)
  return lines.map((line) => `    ${paint(cutTo(line, width - 4), { isError: false, isDiff: true })}`)
}

/** The first lines and the last ones, and how many there are between them. */
function shorten(lines: string[], max: number): string[] {
  if (lines.length <= max) return lines
  const first = Math.ceil((max - 1) / 2)
  const left = lines.length - max + 1
  return [...lines.slice(0, first), `… ${left} more lines …`, ...lines.slice(first + left)]
}

function paint(line: string, { isError, isDiff }: { isError: boolean; isDiff: boolean }): string {
  if (isError) return pc.red(line)
  if (!isDiff || /^(---|\+\+\+) /.test(line)) return pc.dim(line)
  if (line.startsWith('+')) return pc.green(line)
  if (line.startsWith('-')) return pc.red(line)
  return line.startsWith('@@') ? pc.cyan(line) : pc.dim(line)
}

function rendered(tool: AnyTool | undefined, data: unknown): string {
  try {
    return tool?.renderToolResultMessage(data) ?? ''
  } catch {
    return ''
  }
}

function hasDiff(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'diff' in data && typeof data.diff === 'string'
}

function textOf(content: ResultUpdate['block']['content']): string {
  if (typeof content !== 'object') return content ?? ''
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
}
