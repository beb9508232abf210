import type { IdenticalWork } from './report.ts'
import type { TaskCode } from './task-code.ts'

/** Less code than this is the same by chance. */
const MIN_SIZE = 40

/** One learner's code of a chapter. */
export interface Work {
  name: string
  code: TaskCode[]
}

/** The tasks of a chapter for which learners have the same code, or one has the reference's: something to look at. */
export function identicalWork(chapter: number, works: Work[], reference: TaskCode[]): IdenticalWork[] {
  const groups = new Map<string, IdenticalWork>()
  for (const { name, code } of works) {
    for (const { task, digest, size } of code) {
      if (size < MIN_SIZE) continue
      const key = `${task} ${digest}`
      const equal = reference.some((ours) => ours.task === task && ours.digest === digest)
      const group = groups.get(key) ?? { chapter, task, submissions: [], reference: equal, size }
      group.submissions.push(name)
      groups.set(key, group)
    }
  }
  return [...groups.values()]
    .filter(({ submissions, reference }) => submissions.length > 1 || reference)
    .sort((a, b) => a.task - b.task)
}
