import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './chapters.ts'
import { writeWhole } from './write-whole.ts'

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

/** Writes a file of the state folder as JSON. Two terminals may be at work. */
export function writeState(name: string, value: unknown): void {
  writeWhole(join(stateFolder(), name), `${JSON.stringify(value, null, 2)}\n`)
}

/** An empty state folder elsewhere, for a run that should neither see nor leave anything. */
export function freshState(): { env: NodeJS.ProcessEnv; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'workshop-state-'))
  return { env: { [STATE_VARIABLE]: folder }, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
