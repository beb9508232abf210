import { join } from 'node:path'
import { changedFiles, fingerprint, keepFiles, type Workshop } from './workshop.ts'

/** Where files are kept, as they were, that somebody changed during the marking: below the workshop's root. */
const ASIDE = '.workshop/before-marking'

/**
 * Notices when somebody changes the workshop itself while submissions run. Its files were read before anything ran, so that
 * no mark comes of that; its packages were not. In a sandbox no submission can do either: what changes there, a person changes.
 */
export class Guard {
  readonly #workshop: Workshop
  #before: ReturnType<typeof fingerprint>
  /** For the report. */
  readonly warnings: string[] = []
  /** Whether the installed packages were changed: what is run after that is worth nothing. */
  packagesChanged = false

  constructor(workshop: Workshop) {
    this.#workshop = workshop
    this.#before = fingerprint(workshop.root)
  }

  /** Looks whether anything has changed since the last time. `who`: the submissions that ran meanwhile. */
  look(who: string[]): void {
    const { root } = this.#workshop
    const before = this.#before
    this.#before = fingerprint(root)
    const suspects = who.join(' or ')
    if (before.files !== this.#before.files) {
      const changed = changedFiles(this.#workshop, root)
      keepFiles(this.#workshop, changed, join(root, ASIDE))
      const shown = changed.slice(0, 5).join(', ')
      const what = `The workshop's files were changed while ${suspects} ran, or you changed them: ${shown}.`
      this.warnings.push(`${what} No mark comes of it. As they were: ${ASIDE}.`)
    }
    if (before.packages !== this.#before.packages) {
      this.packagesChanged = true
      const what = `The installed packages were changed while ${suspects} ran, so marking stopped.`
      this.warnings.push(`${what} Run npm ci, then mark in a sandbox or a container.`)
    }
  }
}
