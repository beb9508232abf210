import type { Chapter } from '../chapters.ts'

/** What one part of the gate found. */
export interface PartReport {
  /** What was counted, in words: `86 tests on the reference`. */
  counted: string
  passed: number
  /** One text for each thing that is wrong: where it is, what was expected, what to do. */
  failures: string[]
}

export interface GatePart {
  /** One word, as in `npm run check red`. */
  name: string
  /** What this part makes sure of. */
  title: string
  run(chapters: Chapter[]): Promise<PartReport>
}

/** Collects what a part checks one by one. */
export class Tally {
  passed = 0
  readonly failures: string[] = []

  /** Counts one thing: passed when `failure` is undefined. */
  count(failure: string | undefined): void {
    if (failure === undefined) this.passed++
    else this.failures.push(failure)
  }

  report(counted: string): PartReport {
    return { counted, passed: this.passed, failures: this.failures }
  }
}
