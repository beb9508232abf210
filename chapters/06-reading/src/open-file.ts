import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ReadFileRecord, ToolUseContext } from '#05-build-tool/tool.ts'
import type { Encoding } from '../given/chunks.ts'
import { fileError, nameOfKind, nearNames } from '../given/files.ts'
import { type ImageType, signatureOf } from '../given/signatures.ts'

/** How many bytes from the start of a file tell what it is. */
export const SNIFFED_BYTES = 8192

/** What a file holds. */
export type FileKind =
  | { type: 'text'; encoding: Encoding }
  | { type: 'image'; mediaType: ImageType }
  | { type: 'pdf' }
  | { type: 'binary' }

/** A file that is open to be read. Whoever gets it closes `handle`. */
export interface OpenedFile {
  handle: FileHandle
  /** Absolute, with links followed: the key in `readFileState`. */
  realPath: string
  /** What the file was before its first byte was read. */
  record: ReadFileRecord
  kind: FileKind
}

/**
 * Opens a regular file for reading. A relative path counts from `context.cwd`; links are followed.
 *
 * - A path is looked at before it is opened, and again once it is open: it may have changed meanwhile. Whatever is no
 *   regular file (a directory, a pipe, a socket, a device) is an Error at once that names the path and says what it is.
 * - A file that does not exist is an Error that names the path, and names in its folder that look like it, if any.
 * - Every other failure of the file system is an Error that names the path (`fileError`).
 * - `record` has the `mtimeMs` and `size` that the file had before anything was read of it.
 * - No descriptor is left open when it throws.
 */
export async function openFile(written: string, context: ToolUseContext): Promise<OpenedFile> {
  // TODO(task 1): Look before you open, look again once it is open, and say what is wrong by name.
  throw new Error('TODO(task 1): openFile')
}

/** Throws an Error that names the path as it was written and says what it is, unless it is a regular file. */
function assertRegular(stats: Stats, written: string): void {
  if (stats.isFile()) return
  const instead = stats.isDirectory() ? 'Use Glob to list the files in it' : 'Only regular files can be read'
  throw new Error(`Cannot read ${JSON.stringify(written)}: it is ${nameOfKind(stats)}. ${instead}.`)
}

/**
 * What a file holds, judged by its first bytes and never by its name.
 *
 * - An image or a PDF is known by its signature (`signatureOf`).
 * - A byte order mark says that it is text in UTF-16: FF FE little-endian, FE FF big-endian. FF FE 00 00 begins UTF-32,
 *   which nobody can read here: binary.
 * - Everything else is text in UTF-8, unless there is a NUL byte: then it is binary.
 */
export function kindOf(head: Buffer): FileKind {
  // TODO(task 1): Tell images, PDFs, both kinds of UTF-16, text and binary apart.
  throw new Error('TODO(task 1): kindOf')
}
