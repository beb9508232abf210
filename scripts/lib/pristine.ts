import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allChapters, type Chapter, ROOT } from './chapters.ts'

/** The checksums of what the workshop brings and no learner should change: `solution/`, `given/` and `tests/`. */
export const PRISTINE_FILE = '.pristine.json'

/** SHA-256 of every such file as it is now, by path from the root. Line ends do not count. */
export function pristineChecksums(): Record<string, string> {
  return Object.assign({}, ...allChapters().map((chapter) => checksumsOf(chapter, ['solution', 'given', 'tests'])))
}

/** The same for some folders of one chapter. */
export function checksumsOf(chapter: Chapter, folders: string[]): Record<string, string> {
  const sums: Record<string, string> = {}
  for (const folder of folders) {
    const path = join(chapter.path, folder)
    if (!existsSync(path)) continue
    for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
      if (!entry.isFile()) continue
      const file = join(entry.parentPath, entry.name)
      const shown = file.slice(ROOT.length + 1).replaceAll('\\', '/')
      const text = readFileSync(file, 'latin1').replaceAll('\r\n', '\n')
      sums[shown] = createHash('sha256').update(text, 'latin1').digest('hex').slice(0, 16)
    }
  }
  return Object.fromEntries(Object.entries(sums).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Paths whose content is not what was cloned: edited, added or deleted. Empty when there is no list to compare with. */
export function editedPristineFiles(): string[] {
  const path = join(ROOT, PRISTINE_FILE)
  if (!existsSync(path)) return []
  const cloned = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  const now = pristineChecksums()
  return [...new Set([...Object.keys(cloned), ...Object.keys(now)])].filter((file) => cloned[file] !== now[file])
}
