import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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

/**
 * Makes an empty project in a temporary folder. Remove it when you are done. It is written and deleted synchronously: each
 * asynchronous step takes longer than the work in it, and every test has several.
 */
export async function createWorkspace(files: Record<string, string> = {}): Promise<Workspace> {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-')))
  const root = join(parent, 'proj')
  const path = (name: string) => join(root, name)
  const workspace: Workspace = {
    root,
    path,
    async write(name, content) {
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), content)
      return path(name)
    },
    text: (name) => readFile(path(name), 'utf8'),
    bytes: (name) => readFile(path(name)),
    async remove() {
      rmSync(parent, { recursive: true, force: true, maxRetries: 3 })
    },
  }
  mkdirSync(root)
  for (const [name, content] of Object.entries(files)) await workspace.write(name, content)
  return workspace
}
