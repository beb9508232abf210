import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A temporary folder with a project in it. Everything a test or a demo writes stays inside. */
export interface Workspace {
  /** The project's root: an absolute path without links. Its parent belongs to this workspace too. */
  root: string
  /** An absolute path below the root (or beside it, with `..`). */
  path(name: string): string
  /** Writes a file, making its folders, and returns its absolute path. */
  write(name: string, content: string | Uint8Array): Promise<string>
  /** The file as text. */
  text(name: string): Promise<string>
  /** The file's bytes. */
  bytes(name: string): Promise<Buffer>
  /** Deletes the folder and all in it. */
  remove(): Promise<void>
}

/** Makes an empty project in a temporary folder. Remove it when you are done. */
export async function createWorkspace(files: Record<string, string> = {}): Promise<Workspace> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'workshop-')))
  const root = join(parent, 'proj')
  const path = (name: string) => join(root, name)
  const workspace: Workspace = {
    root,
    path,
    async write(name, content) {
      await mkdir(dirname(path(name)), { recursive: true })
      await writeFile(path(name), content)
      return path(name)
    },
    text: (name) => readFile(path(name), 'utf8'),
    bytes: (name) => readFile(path(name)),
    remove: () => rm(parent, { recursive: true, force: true, maxRetries: 3 }),
  }
  await mkdir(root)
  for (const [name, content] of Object.entries(files)) await workspace.write(name, content)
  return workspace
}
