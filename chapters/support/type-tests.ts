import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll } from 'vitest'
import { checkProject } from '../../scripts/lib/types.ts'
import { signOfLife } from './sign-of-life.ts'

/** Whose code a run is about. The test runner says so in WORKSHOP_CONDITIONS and WORKSHOP_OVERLAY. */
export interface CodeUnderTest {
  /** The workshop's root folder. */
  root: string
  /** Import conditions: with `mine-05` among them, chapter 05 is read from `src/`. */
  conditions: string[]
  /** Texts to read in place of files of `solution/`, by absolute path. */
  overlay: Record<string, string>
}

const TIME_LIMIT_MS = 60_000

/**
 * Tests of types. Vitest strips them, so TypeScript itself is asked: once for a test file, before its tests.
 *
 * `snippets` are modules by name; they import the chapter's code as `'../code/tool.ts'`. What comes back tells a test
 * what TypeScript has against its snippet: nothing, or messages with the line they are about.
 * Call it at the top of a test file, outside of any test.
 */
export function typeTests<Name extends string>(chapter: string, snippets: Record<Name, string>) {
  let asked: PromiseSettledResult<Record<Name, string[]>>
  // biome-ignore lint/correctness/noEmptyPattern: Vitest wants a pattern here, of the fixtures that are needed
  beforeAll(async ({}, { file }) => {
    const sign = setInterval(signOfLife, 1000, file.filepath)
    ;[asked] = await Promise.allSettled([complaintsAbout(chapter, snippets)])
    clearInterval(sign)
  }, TIME_LIMIT_MS)
  return (name: Name): string[] => {
    if (asked.status === 'rejected') throw asked.reason
    return asked.value[name]
  }
}

/**
 * What TypeScript has against each snippet. Faults of the chapter's own code are not reported.
 * The code is copied for the time of the run to a folder that git ignores, inside the workshop: there `#…` imports mean
 * what they mean in the chapter. Throws when TypeScript could not run.
 */
export async function complaintsAbout<Name extends string>(
  chapter: string,
  snippets: Record<Name, string>,
  code: CodeUnderTest = codeUnderTest(),
): Promise<Record<Name, string[]>> {
  const names = Object.keys(snippets) as Name[]
  mkdirSync(join(code.root, '.workshop/types'), { recursive: true })
  const folder = mkdtempSync(join(code.root, '.workshop/types/run-'))
  try {
    const home = join(folder, 'chapters', chapter)
    for (const part of ['code', 'snippets']) mkdirSync(join(home, part), { recursive: true })
    for (const [name, text] of sourcesOf(chapter, code)) writeFileSync(join(home, 'code', name), text)
    const given = join(code.root, 'chapters', chapter, 'given')
    if (existsSync(given)) cpSync(given, join(home, 'given'), { recursive: true })
    for (const [i, name] of names.entries()) writeFileSync(join(home, 'snippets', `${i}.ts`), snippets[name])
    const config = join(home, 'tsconfig.json')
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(code.root, 'tsconfig.json'),
        compilerOptions: { customConditions: code.conditions },
        include: ['snippets'],
      }),
    )

    const problems = await checkProject(config)
    const about = (i: number) => problems.filter(({ file }) => file.endsWith(`/${chapter}/snippets/${i}.ts`))
    const entries = names.map((name, i) => [name, about(i).map(({ line, message }) => `line ${line}: ${message}`)])
    return Object.fromEntries(entries)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

function codeUnderTest(): CodeUnderTest {
  const { WORKSHOP_CONDITIONS = '', WORKSHOP_OVERLAY } = process.env
  return {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    conditions: WORKSHOP_CONDITIONS.split(' ').filter(Boolean),
    overlay: WORKSHOP_OVERLAY ? JSON.parse(readFileSync(WORKSHOP_OVERLAY, 'utf8')) : {},
  }
}

/** The chapter's files that are under test, by name: the learner's, or the solution with the overlay's texts. */
function sourcesOf(chapter: string, { root, conditions, overlay }: CodeUnderTest): Map<string, string> {
  const mine = conditions.includes(`mine-${chapter.slice(0, 2)}`)
  const folder = join(root, 'chapters', chapter, mine ? 'src' : 'solution')
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  return new Map(names.map((name) => [name, overlay[join(folder, name)] ?? readFileSync(join(folder, name), 'utf8')]))
}
