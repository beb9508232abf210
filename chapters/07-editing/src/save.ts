import { randomBytes } from 'node:crypto'
import { constants, renameSync, type Stats } from 'node:fs'
import { access, type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { saveProblem } from '../given/save-problem.ts'
import type { Snapshot, Target } from '../given/targets.ts'
import { assertUnchanged } from './freshness.ts'

/**
 * Writes `bytes` to the file, whole or not at all. `snapshot` is what the bytes were made from: undefined for a new file.
 *
 * - The folders that a new file needs are made.
 * - The bytes go to a new file in the same folder, and on to the disk (`sync`). Then that file takes the target's name.
 *   Where it replaces an old one, it has the mode 0600 until it gets that one's: nobody else can read it.
 *   `target.path` has no links in it, so a link that led here goes on leading here.
 * - Just before it takes the name, with nothing awaited in between, `assertUnchanged` has the last word.
 * - The file keeps its mode, whatever the umask. So it does its owner and group where the system allows that
 *   (`keepOwner`); otherwise it belongs to whoever runs this. A new file gets 0666 less the umask.
 * - A read-only file is refused (`assertWritable`), though a rename could replace it.
 * - If anything fails, the file is as it was, the new file is gone and no file is left open, and the Error that
 *   came first says why (`saveProblem`). Folders that were made stay.
 *
 * Other hard links to the file keep the old content: the name gets a new file. Extended attributes are not kept.
 */
export async function save(target: Target, bytes: Uint8Array, snapshot: Snapshot | undefined): Promise<void> {
  const folder = dirname(target.path)
  // The name does not grow with the file's own, which may be as long as names can be.
  const temporary = join(folder, `.edit-${randomBytes(6).toString('hex')}.tmp`)
  try {
    // TODO(task 4): Write beside the file, check once more, and rename. Leave nothing behind when that fails.
    throw new Error('TODO(task 4): save')
  } catch (error) {
    throw saveProblem(error, target.shown)
  }
}

/** Throws an Error when nobody may write the file, or this process may not. */
async function assertWritable({ path, shown }: Target, { mode }: Stats): Promise<void> {
  if ((mode & 0o222) === 0) {
    const shownMode = (mode & 0o777).toString(8).padStart(4, '0')
    throw new Error(
      `${shown} is read-only (mode ${shownMode}), so it was not written. Use chmod if it is meant to change.`,
    )
  }
  await access(path, constants.W_OK)
}

/** Gives the new file the owner and the group of the old one, as far as the system allows it. Before the mode is set. */
async function keepOwner(handle: FileHandle, { uid, gid }: Stats): Promise<void> {
  const own = await handle.stat()
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid).catch(() => {})
}
