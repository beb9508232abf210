import { mkdtemp, realpath, rmdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Problem } from './problem.ts'

/** The folder to work in, without links. Throws a Problem where there is none, or nothing can be written there. */
export async function workFolder(path: string): Promise<string> {
  const absolute = resolve(path)
  const found = await stat(absolute).catch(() => undefined)
  if (!found?.isDirectory()) {
    throw new Problem(1, `There is no folder ${absolute}. Go to the one that you want to work in, and start there.`)
  }
  const folder = await realpath(absolute)
  try {
    // Rights say less than a try: the disk may be full, or mounted for reading.
    await rmdir(await mkdtemp(join(folder, '.agent-')))
  } catch (error) {
    throw new Problem(
      1,
      `Nothing can be written in ${folder} (${(error as NodeJS.ErrnoException).code}). Start in a folder that is yours.`,
    )
  }
  return folder
}
