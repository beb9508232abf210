import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { ToolUseContext } from '#05-build-tool/tool.ts'
import { assertEditable } from '../given/regular-file.ts'
import type { Snapshot, Target } from '../given/targets.ts'

/** What the model has seen. */
export type Seen = Pick<ToolUseContext, 'readFileState'>

/**
 * Reads the file. Time and size are taken before the bytes are: if somebody writes in between, the record is the older
 * one, and the change shows. Undefined where there is no file.
 * Throws an Error for what is no regular file or larger than can be edited (`assertEditable`, given the stats).
 */
export async function takeSnapshot(target: Target): Promise<Snapshot | undefined> {
  const stats = await stat(target.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!stats) return undefined
  assertEditable(stats, target.shown)
  // #region task 3: Read the bytes, after the stats, and hash them.
  const bytes = await readFile(target.path)
  return {
    bytes,
    record: { mtimeMs: stats.mtimeMs, size: stats.size, hash: hashOf(bytes) },
    otherNames: stats.nlink - 1,
  }
  // #endregion
}

/**
 * Makes sure that the model has seen the file as it is in the snapshot: `context.readFileState` has a record of it,
 * under the real path.
 *
 * - No record: an Error that says that the file has not been read, and to read it first.
 * - A record with a hash: the bytes decide, whatever the clock says. A time that differs over the same bytes is no
 *   change; the same time and size over other bytes is one.
 * - A record without a hash: only a part was read. Time and size must be the same; and where the `whole` file is about
 *   to be replaced, having seen a part is not enough: an Error says to read all of it.
 * - A changed file: an Error that says that it changed since it was read, and to read it again.
 */
export function assertSeen(context: Seen, { path, shown }: Target, snapshot: Snapshot, { whole = false } = {}): void {
  // #region task 3: Compare what was seen with what is there.
  const seen = context.readFileState.get(path)
  if (!seen) throw new Error(`${shown} has not been read yet. Read it first.`)
  const { mtimeMs, size, hash } = snapshot.record
  const same = seen.hash === undefined ? seen.mtimeMs === mtimeMs && seen.size === size : seen.hash === hash
  if (!same) throw new Error(`${shown} has changed since it was read. Read it again.`)
  if (whole && seen.hash === undefined) {
    throw new Error(`Only a part of ${shown} has been read. Read the whole of it before you replace it.`)
  }
  // #endregion
}

/**
 * Makes sure that the file still is what it was in the snapshot, or still missing where there was none. It looks at the
 * bytes on disk, and does not give up control while it looks: nothing in this process can come between this check and
 * what the caller does next. Throws an Error that says that the file changed, and to read it again.
 */
export function assertUnchanged({ path, shown }: Target, snapshot: Snapshot | undefined): void {
  // #region task 3: Look at the file once more, without waiting for anything.
  const stats = statSync(path, { throwIfNoEntry: false })
  const same = snapshot
    ? stats?.isFile() === true && stats.size === snapshot.bytes.length && readFileSync(path).equals(snapshot.bytes)
    : stats === undefined
  if (!same) throw new Error(`${shown} has changed in the meantime. Read it again.`)
  // #endregion
}

/**
 * Records that the file has `bytes` in it now, which a tool has written: the model knows them, so its next edit needs no
 * Read. But whoever had seen a part has still seen a part: then the record has no hash.
 */
export async function recordWritten(context: Seen, { path }: Target, bytes: Uint8Array): Promise<void> {
  const { mtimeMs, size } = await stat(path)
  // #region task 3: Put the new time, size and hash into the record.
  const seen = context.readFileState.get(path)
  const isPart = seen !== undefined && seen.hash === undefined
  context.readFileState.set(path, isPart ? { mtimeMs, size } : { mtimeMs, size, hash: hashOf(bytes) })
  // #endregion
}

/** SHA-256, in hex. */
function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
