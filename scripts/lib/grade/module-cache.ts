import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where a run keeps them, below its stage. */
const MODULES = '.workshop/modules'

const kept = new Set<ModuleCache>()
process.on('exit', () => {
  for (const cache of kept) cache.remove()
})

/**
 * The modules of the reference's run as Vitest has made them: every submission's run begins with a copy, and makes anew
 * only what the learner wrote. Vitest knows a module by its path, so all stages must have the same one.
 */
export class ModuleCache {
  readonly #folder = mkdtempSync(join(tmpdir(), 'workshop-modules-'))

  constructor() {
    kept.add(this)
  }

  /** There are none where the run came to nothing. */
  takeFrom(stage: string): void {
    const made = join(stage, MODULES)
    if (existsSync(made)) cpSync(made, this.#folder, { recursive: true })
  }

  copyTo(stage: string): void {
    cpSync(this.#folder, join(stage, MODULES), { recursive: true })
  }

  remove(): void {
    kept.delete(this)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
