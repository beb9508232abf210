import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Chapter, ROOT } from './chapters.ts'
import { binOf, runProcess } from './processes.ts'
import { stateFolder } from './state.ts'

export interface TypeProblem {
  /** Path from the root, with `/`. */
  file: string
  line: number
  column: number
  /** TypeScript's number of the error: 2322. */
  code: number
  message: string
}

const DIAGNOSTIC = /^(.+?)\((\d+),(\d+)\): error TS(\d+): (.*)$/

export interface TypeCheck {
  /** Check this chapter only, and what it stands on: much faster than the whole project. */
  chapter?: Chapter
  /** Read every chapter from `solution/` in place of `src/`. */
  reference?: boolean
}

/** Checks types with the project's own options. Throws an Error when tsc itself could not run. */
export async function typeProblems({ chapter, reference = false }: TypeCheck = {}): Promise<TypeProblem[]> {
  const project = chapter ? chapterProject(chapter) : join(ROOT, 'tsconfig.json')
  const conditions = reference ? ['--customConditions', 'null'] : []
  return checkProject(project, conditions)
}

/** Checks the types of one project file. Throws an Error when tsc itself could not run. */
export async function checkProject(project: string, words: string[] = []): Promise<TypeProblem[]> {
  const tsc = await runProcess(process.execPath, [
    binOf('typescript', 'tsc'),
    // One checker is the quickest: each of several would work out the types of the packages by itself.
    ...['--project', project, '--pretty', 'false', '--checkers', '1', ...words],
  ])
  const problems = parseDiagnostics(tsc.output)
  if (tsc.code !== 0 && problems.length === 0) throw new Error(`tsc could not check the types:\n${tsc.output}`)
  return problems
}

/** A project file with one chapter in it. */
function chapterProject({ path, name }: Chapter): string {
  const file = join(stateFolder(), `tsconfig.${name}.json`)
  mkdirSync(stateFolder(), { recursive: true })
  writeFileSync(file, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: [path] }))
  return file
}

/** What tsc prints without colours, taken apart: a problem's further lines are indented. */
export function parseDiagnostics(output: string): TypeProblem[] {
  const problems: TypeProblem[] = []
  for (const line of output.split(/\r?\n/)) {
    const match = DIAGNOSTIC.exec(line)
    if (match) {
      const [, file, row, column, code, message] = match
      problems.push({
        file: file.replaceAll('\\', '/'),
        line: Number(row),
        column: Number(column),
        code: Number(code),
        message,
      })
    } else if (line.startsWith('  ')) {
      const last = problems.at(-1)
      if (last) last.message += `\n${line}`
    }
  }
  return problems
}
