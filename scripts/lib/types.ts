import { join } from 'node:path'
import { ROOT } from './chapters.ts'
import { binOf, runProcess } from './processes.ts'

export interface TypeProblem {
  /** Path from the root, with `/`. */
  file: string
  line: number
  column: number
  /** TypeScript's number of the error: 2322. */
  code: number
  message: string
}

/** tsc's words to read every chapter from `solution/` in place of `src/`. */
export const referenceTypes = ['--customConditions', 'null']

const DIAGNOSTIC = /^(.+?)\((\d+),(\d+)\): error TS(\d+): (.*)$/

/** Checks the types of the whole project. Throws an Error when tsc itself could not run. */
export async function typeProblems(words: string[] = []): Promise<TypeProblem[]> {
  const tsc = await runProcess(process.execPath, [
    binOf('typescript', 'tsc'),
    '--project',
    join(ROOT, 'tsconfig.json'),
    '--pretty',
    'false',
    ...words,
  ])
  const problems = parseDiagnostics(tsc.output)
  if (tsc.code !== 0 && problems.length === 0) throw new Error(`tsc could not check the types:\n${tsc.output}`)
  return problems
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
