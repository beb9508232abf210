import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Mistake } from '../../chapters/support/mistake.ts'
import { type Chapter, shownPath, solutionFiles } from './chapters.ts'
import type { TestReport } from './run-tests.ts'

export type { Mistake }

/** The chapter's known mistakes; none when it has no list. */
export async function mistakesOf(chapter: Chapter): Promise<Mistake[]> {
  const path = join(chapter.path, 'mistakes.ts')
  if (!existsSync(path)) return []
  const module = (await import(pathToFileURL(path).href)) as { default: Mistake[] }
  return module.default
}

/** The solution with the mistake made: texts by absolute path. Throws an Error unless it applies exactly once. */
export function applyMistake(chapter: Chapter, mistake: Mistake): Map<string, string> {
  const text = solutionFiles(chapter).get(mistake.file)
  if (text === undefined) throw new Error(`there is no ${shownPath(chapter, 'solution', mistake.file)}`)
  const pieces = text.split(mistake.old)
  if (pieces.length !== 2)
    throw new Error(`its old text stands ${pieces.length - 1} times in ${mistake.file}, expected once`)
  return new Map([[join(chapter.path, 'solution', mistake.file), pieces.join(mistake.new)]])
}

/**
 * The mistakes that explain a run on a learner's code: those whose red tests are just the tests that are red in it.
 * Tests that fail because their task is not written yet count neither way.
 */
export function recogniseMistakes(mistakes: Mistake[], tests: TestReport[]): Mistake[] {
  const open = new Set(tests.filter(({ open }) => open).map((test) => test.sentence))
  const red = new Set(tests.filter((t) => t.outcome !== 'passed' && !open.has(t.sentence)).map((t) => t.sentence))
  if (red.size === 0) return []
  return mistakes.filter((mistake) => {
    const expected = mistake.red.filter((sentence) => !open.has(sentence))
    return expected.length === red.size && expected.every((sentence) => red.has(sentence))
  })
}
