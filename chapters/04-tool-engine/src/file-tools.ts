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
  // TODO(task 4): Cut the range out and number its lines, or say why it cannot be shown.
  throw new Error('TODO(task 4): showLines')
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
    // TODO(task 4): Read a file inside cwd and show its lines. A failure is returned, not thrown.
    throw new Error('TODO(task 4): call')
  },
}

const writeInput = z.strictObject({
  // TODO(task 5): Say which fields write_file takes, in words for the model.
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
    // TODO(task 5): Write a file inside cwd. A failure is returned, not thrown.
    throw new Error('TODO(task 5): call')
  },
}
