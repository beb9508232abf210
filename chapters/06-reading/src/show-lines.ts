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
  // TODO(task 3): Number the lines, and say whatever they leave unsaid.
  throw new Error('TODO(task 3): showLines')
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
