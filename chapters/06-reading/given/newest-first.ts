import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How many files are asked at the same time when they were changed. */
const BATCH = 64

/**
 * The paths, which count from `folder`, in the order in which the files were changed last, newest first, and by name
 * where that is the same. A file that has vanished meanwhile comes last.
 */
export async function newestFirst(paths: string[], folder: string, signal: AbortSignal): Promise<string[]> {
  const dated: Array<{ path: string; mtimeMs: number }> = []
  for (let start = 0; start < paths.length; start += BATCH) {
    signal.throwIfAborted()
    const batch = paths.slice(start, start + BATCH).map(async (path) => {
      const stats = await stat(join(folder, path)).catch(() => undefined)
      return { path, mtimeMs: stats?.mtimeMs ?? 0 }
    })
    dated.push(...(await Promise.all(batch)))
  }
  return dated.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1)).map(({ path }) => path)
}
