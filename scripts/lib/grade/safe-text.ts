import { plain } from '../text.ts'

/** What a terminal would obey, and what turns the reading direction. */
const CONTROLS = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/**
 * A text of unknown origin for a report: no colours, no control characters but `\n` and `\t`, at most `max` characters
 * and a `…` where it was cut.
 */
export function safeText(text: string, max = 2000): string {
  const short = plain(text.slice(0, 2 * max)).replaceAll('\r\n', '\n')
  const clean = short.slice(0, max).replace(CONTROLS, (control) => (/[\n\t]/.test(control) ? control : '\uFFFD'))
  return short.length > max || text.length > 2 * max ? `${clean}…` : clean
}
