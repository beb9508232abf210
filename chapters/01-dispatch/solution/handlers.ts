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
  // #region task 1: Say where the path really leads, and refuse it unless that is inside root.
  if (path === '') throw new Error('The path is empty.')
  if (path.includes('\0')) throw new Error(`Refused ${JSON.stringify(path)}: a path has no NUL bytes.`)
  if (/^[~$]/.test(path)) throw new Error(`Refused "${path}": ~ and $ are the shell's. Write the path out.`)

  const realRoot = realpathSync(root)
  const typed = resolve(realRoot, path)
  if (/^\/(proc|dev)\//.test(typed)) throw new Error(`Refused "${path}": it is the kernel's, not a project file.`)

  const real = realPathOf(typed)
  if (real === undefined) throw new Error(`Refused "${path}": it goes through a file, or a link that leads nowhere.`)
  const fromRoot = relative(realRoot, real)
  if (fromRoot === '..' || fromRoot.startsWith(`..${sep}`) || isAbsolute(fromRoot)) {
    throw new Error(`Refused "${path}": it leads outside the project.`)
  }
  return real
  // #endregion
}

/**
 * The real path of `path`, an absolute one: with links followed as far as it exists, and the missing rest behind that.
 * Undefined when a link on the way leads nowhere or in a circle, and when a file stands where a folder should.
 */
function realPathOf(path: string): string | undefined {
  // #region task 1: Follow the links of the part that exists, and add the part that does not.
  try {
    if (lstatSync(path, { throwIfNoEntry: false })) return realpathSync(path)
  } catch {
    return undefined
  }
  const folder = realPathOf(dirname(path))
  return folder && join(folder, basename(path))
  // #endregion
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
  // #region task 2: Run the command, with nothing to read on its stdin, and tell the model how it ended.
  const running = execFileAsync('bash', ['-c', command], { cwd: root, timeout: BASH_TIMEOUT_MS })
  running.child.stdin?.end()
  try {
    const { stdout, stderr } = await running
    return stdout + stderr
  } catch (error) {
    const { code, signal, message, stdout = '', stderr = '' } = error as ExecFileError
    const ending = typeof code === 'number' ? `exit code ${code}` : signal ? `killed by ${signal}` : message
    return `${stdout}${stderr}\n[${ending}]`
  }
  // #endregion
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
  // #region task 3: Read a text file inside root, at most limit lines of it.
  const path = safePath(root, written)
  await assertRegularFile(path, written)
  const bytes = await readFile(path)
  if (bytes.includes(0)) throw new Error(`${written} is a binary file of ${bytes.length} bytes.`)

  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (limit === undefined) return text
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  if (lines.length <= limit) return text
  return `${lines.slice(0, limit).join('\n')}\n[${lines.length - limit} more lines]`
  // #endregion
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
  // #region task 4: Find the one place, splice the new text in, and touch nothing else.
  if (oldText === '') throw new Error('old_text is empty: copy the text to replace from the file.')

  const bytes = await readFile(path)
  const spellings = new Set([oldText, withWindowsEnds(oldText)])
  const places = [...spellings].flatMap((text) =>
    positionsOf(bytes, Buffer.from(text)).map((start) => ({ start, end: start + Buffer.byteLength(text) })),
  )

  const [place] = places
  if (!place) throw new Error(`old_text was not found in ${written}. Read the file again and copy the text from it.`)
  if (places.length > 1) {
    throw new Error(`old_text stands ${places.length} times in ${written}. Add lines around it until it is unique.`)
  }
  const lineEnd = bytes.indexOf('\n', place.start)
  const isWindows = bytes[(lineEnd === -1 ? bytes.lastIndexOf('\n') : lineEnd) - 1] === 0x0d
  const text = Buffer.from(isWindows ? withWindowsEnds(newText) : newText)
  await writeFile(path, Buffer.concat([bytes.subarray(0, place.start), text, bytes.subarray(place.end)]))
  return `Edited ${written}.`
  // #endregion
}

/** The text with every line end as `\r\n`. */
function withWindowsEnds(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}
