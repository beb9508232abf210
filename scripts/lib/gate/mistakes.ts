import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Chapter, ROOT } from '../chapters.ts'
import { filesBeneath } from '../imports.ts'
import { applyMistake, type Mistake, mistakesOf } from '../mistakes.ts'
import type { Variant } from '../run-tests.ts'
import { runAll } from './green-red.ts'
import { type GatePart, Tally } from './part.ts'

const MIN_MISTAKES = 8
/** Whoever asks TypeScript asks about all of the chapter's code. */
const TYPE_TESTS = join(ROOT, 'chapters/support/type-tests.ts')

/** Every known mistake turns red just the tests that it names. */
export const mistakes: GatePart = {
  name: 'mistakes',
  title: 'every known mistake turns red just the tests that it names',
  async run(chapters) {
    const tally = new Tally()
    const variants: Variant[] = []
    const mistakeOf = new Map<string, Mistake>()
    for (const chapter of chapters) {
      const list = await mistakesOf(chapter)
      const seen = filesSeenByTests(chapter)
      const enough = list.length >= MIN_MISTAKES && new Set(list.map((m) => m.name)).size === list.length
      tally.count(
        enough
          ? undefined
          : `${chapter.name}: ${list.length} mistakes, expected ${MIN_MISTAKES} or more, each with a name of its own`,
      )
      for (const mistake of list) {
        const id = `${chapter.name}/${mistake.name}`
        try {
          const overlay = applyMistake(chapter, mistake)
          const [edited] = overlay.keys()
          variants.push({ id, chapter, conditions: [], overlay, testFiles: testsThatSee(edited, seen) })
          mistakeOf.set(id, mistake)
        } catch (error) {
          tally.count(`${id}: ${(error as Error).message}`)
        }
      }
    }
    if (variants.length > 0) {
      for (const { variant, tests, broken } of await runAll(variants, { locations: false })) {
        const red = tests.filter((test) => test.outcome !== 'passed').map((test) => test.sentence)
        const problem = broken[0]
          ? `the tests cannot be loaded: ${broken[0].problem.message}`
          : difference(mistakeOf.get(variant.id)!.red, red)
        tally.count(problem && `${variant.id}: ${problem}`)
      }
    }
    return tally.report(`${mistakeOf.size} mistakes`)
  },
}

/** The files that each of the chapter's test files may stand on, by the test file's path. */
function filesSeenByTests(chapter: Chapter): Map<string, Set<string>> {
  const folder = join(chapter.path, 'tests')
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
  return new Map(tests.map((name) => join(folder, name)).map((test) => [test, filesBeneath(test, ROOT)]))
}

/** The test files that may notice an edit of `path`: the others are what they are on the solution, green. */
function testsThatSee(path: string, seen: Map<string, Set<string>>): string[] {
  return [...seen].filter(([, files]) => files.has(path) || files.has(TYPE_TESTS)).map(([test]) => test)
}

function difference(expected: string[], actual: string[]): string | undefined {
  const missing = expected.filter((sentence) => !actual.includes(sentence))
  const surplus = actual.filter((sentence) => !expected.includes(sentence))
  if (missing.length + surplus.length === 0 && actual.length > 0) return undefined
  if (actual.length === 0) return 'no test turns red'
  const lines = [...missing.map((s) => `  stays green: ${s}`), ...surplus.map((s) => `  red, but not named: ${s}`)]
  return `turns other tests red than it names\n${lines.join('\n')}\n  red: ${JSON.stringify(actual)}`
}
