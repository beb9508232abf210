import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Chapter, ROOT, skeletonFiles } from './chapters.ts'
import { stateFolder } from './state.ts'

/**
 * Puts the pristine skeleton in place of the learner's `src/`, after all of it was copied to `.workshop/attempts/`.
 * Returns where the attempt was saved, as people type it from the root.
 */
export function resetChapter(chapter: Chapter): string {
  const src = join(chapter.path, 'src')
  const skeleton = skeletonFiles(chapter)
  const attempt = freeFolder(join(stateFolder(), 'attempts', chapter.name))
  mkdirSync(attempt, { recursive: true })
  if (existsSync(src)) cpSync(src, attempt, { recursive: true })

  mkdirSync(src, { recursive: true })
  for (const name of readdirSync(src)) if (!skeleton.has(name)) rmSync(join(src, name), { recursive: true })
  for (const [name, text] of skeleton) writeFileSync(join(src, name), text)
  return relative(ROOT, attempt).replaceAll('\\', '/')
}

/** A folder that does not exist yet: 001, 002 … */
function freeFolder(parent: string): string {
  for (let number = 1; ; number++) {
    const path = join(parent, String(number).padStart(3, '0'))
    if (!existsSync(path)) return path
  }
}
