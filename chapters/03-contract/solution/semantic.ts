import { z } from 'zod'

/**
 * The number that a text writes out, or undefined.
 *
 * Plain decimals only, as JSON writes them: `20`, `-3`, `0.5`. Not a number: a blank or empty text, `12abc`, `1e3`,
 * `0x10`, `007`, `+5`, `.5`, `1,000`, `NaN`, `Infinity`, and one with spaces around it. Nor is one so large that a
 * JavaScript number would round it, such as an id of twenty digits.
 */
export function numberFromText(text: string): number | undefined {
  // #region task 2: Read a plain decimal number, and nothing else.
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(Math.trunc(number)) ? number : undefined
  // #endregion
}

/** The boolean that a text writes out, `true` or `false` and no other spelling; undefined for anything else. */
export function booleanFromText(text: string): boolean | undefined {
  // #region task 2: Know the two words that are booleans.
  return text === 'true' ? true : text === 'false' ? false : undefined
  // #endregion
}

/**
 * A number that may come as text: `"20"` is 20. What `numberFromText` does not know goes on to `inner` as it came, and
 * `inner` has the last word. Its description, its limits, and whether it may be left out all stay.
 */
export function semanticNumber<T extends z.ZodType<number | null | undefined> = z.ZodNumber>(inner?: T) {
  const schema = inner ?? (z.number() as unknown as T)
  return z.preprocess((value) => {
    // #region task 2: Hand inner a number where the text is one, and the value itself everywhere else.
    return typeof value === 'string' ? (numberFromText(value) ?? value) : value
    // #endregion
  }, schema)
}

/**
 * A boolean that may come as text: `"false"` is false. Otherwise like `semanticNumber`; `"yes"`, `1` and `""` are
 * errors.
 */
export function semanticBoolean<T extends z.ZodType<boolean | null | undefined> = z.ZodBoolean>(inner?: T) {
  const schema = inner ?? (z.boolean() as unknown as T)
  return z.preprocess((value) => {
    // #region task 2: Hand inner a boolean where the text is one, and the value itself everywhere else.
    return typeof value === 'string' ? (booleanFromText(value) ?? value) : value
    // #endregion
  }, schema)
}
