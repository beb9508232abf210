import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from './chapters.ts'

const STATE_VARIABLE = 'WORKSHOP_STATE'

/** The folder for what the workshop remembers: git-ignored, and safe to delete. */
export function stateFolder(): string {
  return process.env[STATE_VARIABLE] ?? join(ROOT, '.workshop')
}

/** Reads a file of the state folder as JSON; `missing` when it is absent or damaged. */
export function readState<T>(name: string, missing: T): T {
  try {
    return JSON.parse(readFileSync(join(stateFolder(), name), 'utf8')) as T
  } catch {
    return missing
  }
}

/** Writes a file of the state folder as JSON. */
export function writeState(name: string, value: unknown): void {
  const path = join(stateFolder(), name)
  mkdirSync(dirname(path), { recursive: true })
  // Two terminals may be at work: whoever reads sees the old text or the new one, never a half.
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`)
  renameSync(draft, path)
}

/** An empty state folder elsewhere, for a run that should neither see nor leave anything. */
export function freshState(): { env: NodeJS.ProcessEnv; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'workshop-state-'))
  return { env: { [STATE_VARIABLE]: folder }, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
