import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { SAMPLES, type Scenario } from './scenario.ts'
import { createWorkspace } from './workspace.ts'

/** A copy of a scenario's sample project in a temporary folder. */
export interface SampleCopy {
  /** Its root: an absolute path without links. */
  cwd: string
  /** Deletes the copy and all in it. */
  remove(): Promise<void>
}

/** Copies the sample project of a scenario. Remove the copy when you are done. */
export async function copySample({ sample }: Pick<Scenario, 'sample'>): Promise<SampleCopy> {
  const { root, remove } = await createWorkspace()
  await cp(join(SAMPLES, sample), root, { recursive: true })
  return { cwd: root, remove }
}
