import { spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../lib/chapters.ts'
import { binOf } from '../lib/processes.ts'

/**
 * How long a learner waits: `node --import tsx scripts/bench/feedback.ts`.
 * Prints medians in milliseconds: `npm test 1` against `vitest run` on an empty test file, `npm test` (with all chapters and
 * with four), and in the guide
 * the time from a save to the verdict on the screen (Linux and macOS: it needs `script` for a terminal).
 */
const RUNS = 7
const SAVES = 20

const copy = copyWorkshop()
try {
  const empty = join(copy, '.empty')
  mkdirSync(empty)
  writeFileSync(join(empty, 'empty.test.ts'), "import { it } from 'vitest'\nit('is empty', () => {})\n")
  writeFileSync(join(empty, 'package.json'), '{ "type": "module", "scripts": { "test": "vitest run" } }\n')
  const vitest = await times(() => run(process.execPath, [binOf('vitest', 'vitest'), 'run'], empty))
  const npmVitest = await times(() => run('npm', ['test'], empty))
  const one = await times(() => run('npm', ['test', '1'], copy))
  const saves = await saveToVerdict(copy)
  const all = await times(() => run('npm', ['test'], copy), 1)
  const later = readdirSync(join(copy, 'chapters')).filter((name) => Number(name.slice(0, 2)) > 4)
  for (const name of later) rmSync(join(copy, 'chapters', name), { recursive: true })
  const four = await times(() => run('npm', ['test'], copy), 3)

  print('vitest run, one empty file', vitest)
  print('npm test = vitest run, one empty file', npmVitest)
  print(
    'npm test 1',
    one,
    `${(one / vitest).toFixed(2)} × vitest run, ${(one / npmVitest).toFixed(2)} × the same through npm`,
  )
  print('npm test, all chapters', all)
  print('npm test, the first four chapters', four)
  print(`save to verdict, median of ${SAVES}`, saves)
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function copyWorkshop(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-bench-')))
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !/[\\/](node_modules|\.git|\.workshop)$/.test(path) })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

async function times(action: () => Promise<void>, runs = RUNS): Promise<number> {
  const measured: number[] = []
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    await action()
    measured.push(performance.now() - start)
  }
  return median(measured)
}

function run(program: string, words: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, INIT_CWD: undefined }
    const child = spawn(program, words, { cwd, env, stdio: 'ignore' })
    child.on('error', reject)
    child.on('close', () => resolve())
  })
}

async function saveToVerdict(root: string): Promise<number> {
  const guide = `${process.execPath} --import vitest/node --import tsx scripts/start.ts`
  const words = process.platform === 'darwin' ? ['-q', '/dev/null', ...guide.split(' ')] : ['-qec', guide, '/dev/null']
  const child = spawn('script', words, {
    cwd: root,
    env: { ...process.env, INIT_CWD: undefined },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let seen: () => void = () => {}
  const verdict = () =>
    new Promise<void>((resolve) => {
      seen = resolve
    })
  child.stdout.on('data', (chunk: Buffer) => {
    if (/tests? pass/.test(chunk.toString('utf8'))) seen()
  })
  try {
    await verdict()
    const measured: number[] = []
    for (let i = 0; i < SAVES; i++) {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      const start = performance.now()
      appendFileSync(join(root, 'chapters/01-dispatch/src/handlers.ts'), `// save ${i}\n`)
      await verdict()
      measured.push(performance.now() - start)
    }
    return median(measured)
  } finally {
    child.stdin.write('q')
    child.kill()
  }
}

function median(numbers: number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function print(what: string, ms: number, more = ''): void {
  console.log(`${what.padEnd(40)} ${ms.toFixed(0).padStart(6)} ms  ${more}`.trimEnd())
}
