import { counted } from '../given/text.ts'
import { type LinesRead, MAX_LINE_CHARS } from './lines.ts'

/**
 * Lines as the model reads them: each with its number as `cat -n` writes it, `     1→text` with a tab for the arrow,
 * and below them, in brackets, everything that the lines themselves don't say.
 *
 * - The number is right-aligned in six columns. What follows the tab is the line as it is, so that it can be copied;
 *   only a NUL byte becomes `␀`.
 * - There is more: the first and the last line that are shown, and the `offset` to go on with.
 * - A line was cut: its number and its length in bytes, and how to see the rest of it (RECIPE).
 * - Lines ended in `\r\n`: said once.
 * - No line at all: `file` is empty, or `offset` lies beyond its end, and how many lines it has.
 */
export function showLines({ lines, total }: LinesRead, { offset, file }: { offset: number; file: string }): string {
  // #region task 3: Number the lines, and say whatever they leave unsaid.
  if (total === 0) return `[${file} is empty: it has 0 lines.]`
  if (lines.length === 0) return `[offset ${offset} is beyond the end: ${file} has ${counted(total ?? 0, 'line')}.]`

  const numbered = lines.map(({ text }, index) => `${String(offset + index).padStart(6)}\t${text}`)
  const notes: string[] = []
  const next = offset + lines.length
  if (total === undefined)
    notes.push(`[Lines ${offset} to ${next - 1}, and there are more: go on with offset=${next}.]`)

  const cut = lines.flatMap(({ isCut, bytes }, index) =>
    isCut ? [`${offset + index} (${counted(bytes, 'byte')})`] : [],
  )
  if (cut.length > 0) {
    notes.push(`[Cut after ${MAX_LINE_CHARS} characters: line ${listed(cut)}. Print the rest with Bash: ${RECIPE}.]`)
  }
  const crlf = lines.filter(({ isCrlf }) => isCrlf).length
  if (crlf > 0)
    notes.push(`[${crlf === lines.length ? 'The' : 'Some'} lines end in \\r\\n (CRLF), shown without the \\r.]`)
  return [...numbered, ...notes].join('\n').replaceAll('\0', '␀')
  // #endregion
}

/**
 * How to see more of line 3 of a file. GNU `cut -c` counts bytes, and what is shown counts UTF-16 code units, of which none
 * takes less than a byte: beyond ASCII, the two parts overlap and leave nothing out.
 */
const RECIPE = `sed -n 3p FILE | cut -c ${MAX_LINE_CHARS + 1}-${2 * MAX_LINE_CHARS} (GNU cut counts bytes)`

/** A list of any length, shown in a bounded one. */
function listed(items: string[]): string {
  const more = items.length - 20
  return more > 0 ? `${items.slice(0, 20).join(', ')} and ${more} more` : items.join(', ')
}
