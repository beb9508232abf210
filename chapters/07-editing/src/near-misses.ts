import { NEAR_MISSES } from '../given/near-misses.ts'
import { listLines } from '../given/say.ts'
import { type TextFile, textAsRead } from '../given/text-file.ts'

/**
 * Says why `oldText` was not found, and what to do: the message of the Error, which names the file as `shown`.
 *
 * Where a difference of NEAR_MISSES is all that keeps it from being found, the message names the difference, and the
 * number of each line at which the text would begin (`listLines` gives three of them at most), and quotes the first such
 * line of the file (`quote` of the entry). The first difference that explains it is the one that is named. Line numbers count from 1.
 *
 * Otherwise, if `oldText` has several lines, look for the first one that is not blank. Where it stands in the file, as a
 * line or as part of one, the message says that the first line was found and names the number of each line that has it
 * (`listLines` again): what follows must be different. If not even that stands there, it says no more than that
 * nothing was found. Nothing is ever replaced because of a near miss.
 */
export function explainMiss(file: TextFile, oldText: string, shown: string): string {
  const text = textAsRead(file)
  const old = oldText.replaceAll('\r\n', '\n')
  const start = `old_string was not found in ${shown}`
  // TODO(task 2): Name the first difference that explains it, with the lines; else how far the old text does match.
  throw new Error('TODO(task 2): explainMiss')
}

/** The numbers of the lines at which `wanted` begins in `text`: none if it is empty, and each line once. */
export function linesWith(text: string, wanted: string): number[] {
  // TODO(task 2): Find the occurrences, and count the line ends before each.
  throw new Error('TODO(task 2): linesWith')
}
