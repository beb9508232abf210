import { lstatSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { safePath } from '#01-dispatch/handlers.ts'
import { assertRegularFile, readText } from '../given/files.ts'
import { failure } from './outcome.ts'
import type { Tool } from './tools.ts'

const lineNumber = z.number().int().min(1).optional()

const readInput = z.strictObject({
  path: z.string().describe('The file: a path from the project folder on, or an absolute one.'),
  start_line: lineNumber.describe('The first line to show, counted from 1. Left out: from the start.'),
  end_line: lineNumber.describe('The last line to show, itself included. Left out: to the end.'),
})

/**
 * The lines `first` to `last` of `text`, both included and counted from 1, each as ` N │ line`, joined by `\n`.
 *
 * - At least one space stands before the number, and more before a shorter number, so that the bars are in one column.
 * - A line ends with `\n` or `\r\n`, which is not shown. Text behind the last line end is a line, too.
 * - Without `last`, or with one behind the end, the last line shown is the text's last.
 * - A text without any line gives a note that `path` is empty, whatever `first` is.
 *
 * Throws an Error when `first` is behind the end of a text with lines (it says how many there are), and when the range
 * of any text starts below 1 or ends before it starts (it names the bounds).
 */
function showLines(path: string, text: string, { first, last }: { first: number; last: number | undefined }): string {
  // #region task 4: Cut the range out and number its lines, or say why it cannot be shown.
  if (first < 1 || (last !== undefined && last < first)) {
    throw new Error(`No lines from start_line ${first} to end_line ${last ?? '(none)'}: count from 1, and upwards.`)
  }
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  if (lines.length === 0) return `[${path} is empty.]`
  if (first > lines.length) {
    throw new Error(`start_line ${first} is past the end: ${path} has ${lines.length} lines.`)
  }
  const end = Math.min(last ?? lines.length, lines.length)
  const width = String(end).length + 1
  return lines
    .slice(first - 1, end)
    .map((line, index) => `${String(first + index).padStart(width)} │ ${line}`)
    .join('\n')
  // #endregion
}

export const ReadFileTool: Tool<typeof readInput> = {
  name: 'read_file',
  description:
    'Reads a text file, whole or from start_line to end_line. Each line comes as " N │ text": its number, a bar, and ' +
    'the line as it is in the file.',
  inputSchema: readInput,

  /**
   * Shows the file at `path`, or its lines from `start_line` to `end_line`, in the way of `showLines`.
   * A path that `safePath` refuses, a file that `readText` cannot read, and lines that are not there are failures.
   * What `readText` and `showLines` say of the file names `path` as the model wrote it.
   */
  async call({ path, start_line: first = 1, end_line: last }, { cwd }) {
    // #region task 4: Read a file inside cwd and show its lines. A failure is returned, not thrown.
    try {
      const text = await readText(safePath(cwd, path), path)
      return { success: true, output: showLines(path, text, { first, last }) }
    } catch (error) {
      return failure(error)
    }
    // #endregion
  },
}

const writeInput = z.strictObject({
  // #region task 5, entries: Say which fields write_file takes, in words for the model.
  path: z.string().describe('The file: a path from the project folder on, or an absolute one.'),
  content: z.string().describe('All that will be in the file. What was there before is gone.'),
  // #endregion
})

export const WriteFileTool: Tool<typeof writeInput> = {
  name: 'write_file',
  description: 'Creates or replaces a file, with the folders it needs. To change a part of it, read it first.',
  inputSchema: writeInput,

  /**
   * Writes `content`, every byte of it, to the file at `path`, and makes the folders that it needs. The output says how
   * many bytes that were, and the path as the model wrote it.
   *
   * A path that `safePath` refuses, and something there that is no regular file, are failures. Nothing is made then.
   */
  async call(input, { cwd }) {
    // #region task 5: Write a file inside cwd. A failure is returned, not thrown.
    try {
      const path = safePath(cwd, input.path)
      if (lstatSync(path, { throwIfNoEntry: false })) await assertRegularFile(path, input.path)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, input.content)
      return { success: true, output: `Wrote ${Buffer.byteLength(input.content)} bytes to ${input.path}.` }
    } catch (error) {
      return failure(error)
    }
    // #endregion
  },
}
