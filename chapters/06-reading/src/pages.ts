import type { PageRange } from '../given/read-pdf.ts'

/** How many pages one call may show. */
export const MAX_PAGES = 20
/** A longer document is not shown whole: `pages` must say which. */
export const MAX_WHOLE_PAGES = 10

/**
 * The pages that `pages` asks for, of a document that has `pageCount`: `5`, `2-4`, or `7-` (to the end).
 *
 * Spaces around the numbers do not matter. Left out, it is the whole document, if that has no more than MAX_WHOLE_PAGES.
 * Throws an Error that quotes `pages` and says how many pages the document has: when it is written in another way,
 * counts from 0, goes backwards, goes past the end, or asks for more than MAX_PAGES.
 */
export function parsePageRange(pages: string | undefined, pageCount: number, file: string): PageRange {
  // TODO(task 3): Read "5", "2-4" and "7-", and say what the document has when that makes no sense.
  throw new Error('TODO(task 3): parsePageRange')
}
