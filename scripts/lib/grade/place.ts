import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Sources } from './submissions.ts'
import { changedFiles, holds, stageOf, type Workshop, writeWorkshop } from './workshop.ts'

const inUse = new Set<Place>()
process.on('exit', () => {
  for (const place of inUse) place.remove()
})

/**
 * A temporary folder for one submission: `stage/` with the workshop's own files and the learner's `src/` (the skeleton's
 * where nothing is written), and an empty `home/` and `tmp/`.
 */
export class Place {
  /** Absolute, without links. */
  readonly path: string
  readonly stage: string
  readonly #workshop: Workshop
  /** What lies in the folders `src/`, by path from the stage. */
  readonly #written = new Map<string, string>()

  /** `without`: test files that are left out, by path from the root. */
  constructor(workshop: Workshop, sources: Sources, without: Set<string>) {
    this.#workshop = stageOf(workshop, without)
    this.path = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-grade-')))
    this.stage = join(this.path, 'stage')
    inUse.add(this)
    for (const name of ['home', 'tmp', 'stage/.workshop']) mkdirSync(join(this.path, name), { recursive: true })
    writeWorkshop(this.#workshop, this.stage)
    for (const { chapter, skeleton } of workshop.chapters) {
      for (const [name, text] of sources.get(chapter.name) ?? skeleton) {
        const path = `chapters/${chapter.name}/src/${name}`
        this.#written.set(path, text)
        mkdirSync(dirname(join(this.stage, path)), { recursive: true })
        writeFileSync(join(this.stage, path), text)
      }
    }
    symlinkSync(realpathSync(join(workshop.root, 'node_modules')), join(this.stage, 'node_modules'), 'junction')
  }

  /** Paths on the stage that are not what was put there: tests that somebody wrote into while they ran, say. */
  changed(): string[] {
    const sources = [...this.#written].filter(([path, text]) => !holds(join(this.stage, path), Buffer.from(text)))
    return [...changedFiles(this.#workshop, this.stage), ...sources.map(([path]) => path)]
  }

  /** Deletes the folder, whatever somebody left in it. What cannot be deleted stays in the temporary folder. */
  remove(): void {
    inUse.delete(this)
    try {
      rmSync(this.path, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      for (const [program, ...words] of [
        ['chmod', '-R', 'u+rwx', this.path],
        ['rm', '-rf', this.path],
      ])
        spawnSync(program, words, { stdio: 'ignore' })
    }
  }
}
