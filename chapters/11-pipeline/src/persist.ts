import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type Anthropic from '@anthropic-ai/sdk'
import { describeError, startOf } from '../given/say.ts'

/** How much of a long result the model sees, in UTF-16 code units. */
export const START_CHARS = 2_000

/** How long a result's text is in UTF-16 code units: all its text blocks, joined by line ends. Others count nothing. */
export function textLength({ content = '' }: Anthropic.ToolResultBlockParam): number {
  if (typeof content === 'string') return content.length
  const texts = textsOf(content)
  return texts.reduce((sum, text) => sum + text.length, 0) + Math.max(0, texts.length - 1)
}

/**
 * A result that the model can bear: `block` itself where its text has at most `max` UTF-16 code units
 * (`textLength`), and a short form of it elsewhere.
 *
 * - In the short form the start of the text stands where the first text block was: at most START_CHARS, and at most
 *   `max`, with no character cut in two. Behind it: how many characters there were, and the file with all of them.
 * - All other blocks stay whole and in order. Content that was a text stays a text.
 * - Where the file can't be written, the note says so in place of the path, and why. Never rejects.
 * - A `max` that is no number, or below 0, counts as 0.
 */
export async function shorten(
  block: Anthropic.ToolResultBlockParam,
  { max, dir }: { max: number; dir: string },
): Promise<Anthropic.ToolResultBlockParam> {
  // TODO(task 5): Save a text that is too long, and put its start and the path in its place.
  throw new Error('TODO(task 5): shorten')
}

/**
 * Writes a text to a new file in `dir`, which is made where it is missing, and gives the file's absolute path, also
 * where `dir` is a relative one.
 *
 * - The file's name is made of the call's id, such that no id leads out of the folder: letters, digits, `_` and `-`, at
 *   most 100 of them, and `.txt`. An id that was seen before gets a name of its own, of at most as many: no file is
 *   ever written over.
 * - Only the user may read the file (0600), and enter the folder, if it is made here (0700).
 * - Rejects when it can't be written. No half of a file is left then.
 */
async function save(text: string, dir: string, id: string): Promise<string> {
  // TODO(task 5): Make a name of the id, and a file that nobody had before.
  throw new Error('TODO(task 5): save')
}

function textsOf(content: Exclude<Anthropic.ToolResultBlockParam['content'], string | undefined>): string[] {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}
