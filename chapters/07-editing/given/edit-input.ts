import { z } from 'zod'
import { lazySchema, semanticBoolean } from '#03-contract/contract.ts'

/** What the model sends to Edit. */
export const editInput = lazySchema(() =>
  z.strictObject({
    file_path: z.string().describe('The file to change: an absolute path, or one from the working directory.'),
    old_string: z
      .string()
      .describe(
        'The text to replace, exactly as it stands in the file. Empty: put new_string into a new or empty file.',
      ),
    new_string: z.string().describe('The text to put there. Empty: delete old_string.'),
    replace_all: semanticBoolean(z.boolean().optional()).describe(
      'Replace every place where old_string stands. Otherwise there must be one. False if left out.',
    ),
  }),
)

export const EDIT_PROMPT = `Replaces exact text in a file.

- The file must have been read with Read before, and not have changed since.
- old_string must stand in the file exactly once, white space and all: without the line numbers that Read shows. Add lines around it until it is unique, or set replace_all.
- new_string lands as it is. Line ends, byte order mark, encoding and mode of the file stay as they are.
- To make a new file, give an empty old_string.`

export interface EditInput {
  file_path: string
  old_string: string
  new_string: string
  replace_all?: boolean
}

/** Throws an Error when `text` cannot be written into a text file, and names it as `field`. */
export function assertWritableText(text: string, field: string): void {
  if (text.includes('\0')) throw new Error(`${field} has a NUL character in it: the file would not be a text any more.`)
  if (/\p{Surrogate}/u.test(text))
    throw new Error(`${field} has half of a character in it (a lone surrogate). Send it whole.`)
}
