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
  // #region task 3: Read "5", "2-4" and "7-", and say what the document has when that makes no sense.
  const has = `${file} has ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`
  if (pages === undefined) {
    if (pageCount <= MAX_WHOLE_PAGES) return { first: 1, last: pageCount }
    throw new Error(`${has}, too many to show at once: say which, for example pages="1-${MAX_WHOLE_PAGES}".`)
  }
  const refuse = (why: string) => new Error(`pages=${JSON.stringify(pages)} ${why}: ${has}.`)
  const match = /^\s*(\d+)\s*(?:(-)\s*(\d*)\s*)?$/.exec(pages)
  if (!match) throw refuse('is not understood, expected "5", "2-4" or "7-"')

  const first = Number(match[1])
  const last = match[3] ? Number(match[3]) : match[2] ? Math.max(first, pageCount) : first
  if (first === 0) throw refuse('starts at 0, and pages count from 1')
  if (last < first) throw refuse('goes backwards')
  if (last > pageCount) throw refuse('goes past the end')
  if (last - first + 1 > MAX_PAGES) throw refuse(`asks for ${last - first + 1} pages, and a call shows ${MAX_PAGES}`)
  return { first, last }
  // #endregion
}
