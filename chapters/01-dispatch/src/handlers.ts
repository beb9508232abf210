import { execFile } from 'node:child_process'
import { lstatSync, realpathSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { assertRegularFile, positionsOf } from '../given/files.ts'
import { optionalCount, type RawInput, requireString } from '../given/input.ts'

const execFileAsync = promisify(execFile)

/** How long a command may run, in milliseconds. Claude Code's own default for Bash is the same two minutes. */
const BASH_TIMEOUT_MS = 120_000

/**
 * Turns a path that the model wrote into the real, absolute path to use, and refuses to leave `root`.
 *
 * - A relative path counts from `root`. The file need not exist yet.
 * - Links are followed before the answer is given, those of `root` too: what counts is where the path really leads.
 * - A link that leads nowhere or in a circle is refused: nobody can say where it would end up.
 * - The empty path, one with a NUL byte, and one that starts with `~` or `$` are refused. So is one that lies below /proc
 *   or /dev as it was written (with `..` worked out): the links there are the kernel's, wherever they lead.
 *
 * Every refusal is an Error that names `path` as it was written, or says that it is empty or has a NUL byte. It never
 * shows another path: the model has no business with the folders of this machine.
 */
export function safePath(root: string, path: string): string {
  // TODO(task 1): Say where the path really leads, and refuse it unless that is inside root.
  throw new Error('TODO(task 1): safePath')
}

/**
 * The real path of `path`, an absolute one: with links followed as far as it exists, and the missing rest behind that.
 * Undefined when a link on the way leads nowhere or in a circle, and when a file stands where a folder should.
 */
function realPathOf(path: string): string | undefined {
  // TODO(task 1): Follow the links of the part that exists, and add the part that does not.
  throw new Error('TODO(task 1): realPathOf')
}

/**
 * `bash {command}`: runs the command with bash in `root`.
 *
 * Returns what it printed, stdout and then stderr. A command that fails is not an exception: its output is returned
 * too, followed by a line that says `exit code N`, or `killed by SIGNAL`.
 * A command that waits for input meets the end of the input at once.
 */
export async function runBash(root: string, input: RawInput): Promise<string> {
  const command = requireString('bash', input, 'command')
  // TODO(task 2): Run the command, with nothing to read on its stdin, and tell the model how it ended.
  throw new Error('TODO(task 2): runBash')
}

/** What a failed `execFileAsync` rejects with: the exit code, or the signal that ended the command, and its output. */
type ExecFileError = Error & {
  code?: number | string | null
  signal?: NodeJS.Signals | null
  stdout?: string
  stderr?: string
}

/**
 * `read_file {path, limit?}`: returns the text of a file, or its first `limit` lines and a note of how many were left out.
 *
 * The byte order mark of UTF-8 is not shown. A file with a NUL byte in it is binary: the Error says so and gives its
 * size in bytes.
 */
export async function runRead(root: string, input: RawInput): Promise<string> {
  const written = requireString('read_file', input, 'path')
  const limit = optionalCount('read_file', input, 'limit')
  // TODO(task 3): Read a text file inside root, at most limit lines of it.
  throw new Error('TODO(task 3): runRead')
}

/** `write_file {path, content}`: creates or replaces a file, with the folders it needs. Returns the number of bytes written. */
export async function runWrite(root: string, input: RawInput): Promise<string> {
  const written = requireString('write_file', input, 'path')
  const content = requireString('write_file', input, 'content')
  const path = safePath(root, written)
  if (lstatSync(path, { throwIfNoEntry: false })) await assertRegularFile(path, written)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return `Wrote ${Buffer.byteLength(content)} bytes to ${written}.`
}

/**
 * `edit_file {path, old_text, new_text}`: replaces the one place where `old_text` stands.
 *
 * - `new_text` lands as it is, whatever characters it has. Every byte outside the place stays as it was.
 * - Not found, found more than once, and an empty `old_text` are three different Errors. The file is not touched then.
 * - The model writes line ends as `\n`. Where the file has `\r\n`, `old_text` is found all the same. And where the line
 *   that the place begins in ends in `\r\n`, every line end of `new_text` becomes `\r\n`. (In the file's last line, which
 *   may have no end, the end of the line before counts.)
 */
export async function runEdit(root: string, input: RawInput): Promise<string> {
  const written = requireString('edit_file', input, 'path')
  const oldText = requireString('edit_file', input, 'old_text')
  const newText = requireString('edit_file', input, 'new_text')
  const path = safePath(root, written)
  await assertRegularFile(path, written)
  // TODO(task 4): Find the one place, splice the new text in, and touch nothing else.
  throw new Error('TODO(task 4): runEdit')
}

/** The text with every line end as `\r\n`. */
function withWindowsEnds(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}
