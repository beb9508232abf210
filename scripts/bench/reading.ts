import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { GrepTool } from '#06-reading/grep.ts'
import { createContext } from '#support/context.ts'
import { toolDispatch } from '#support/run-tool.ts'
import { ROOT } from '../lib/chapters.ts'

/**
 * How quickly chapter 06 reads and searches: `node --import tsx scripts/bench/reading.ts` (Linux and macOS).
 * Read of a 2 GiB file, a process of its own, against head or sed plus the start of an idle Node that has loaded the same
 * modules, and its peak memory against that one's; Grep over 10,000 files against the same rg command line. Medians, and their ratios.
 */
const RUNS = 9
const GIB = 1024 ** 3

/** Run as its own process: one Read or none, then the process's peak memory in KiB. */
const READER = `
import { ReadTool } from '#06-reading/read.ts'
import { createContext } from '#support/context.ts'
import { toolDispatch } from '#support/run-tool.ts'
const [file, offset] = process.argv.slice(1)
const dispatch = toolDispatch([ReadTool], createContext('/'))
const { content } = file ? await dispatch('Read', { file_path: file, offset: Number(offset) }, { id: 't' }) : {}
if (file && !String(content).includes('line ' + offset + ' ')) throw new Error(String(content).slice(0, 200))
console.log(JSON.stringify({ peak: process.resourceUsage().maxRSS }))
`

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-bench-')))
try {
  const file = join(folder, 'large.txt')
  await writeLargeFile(file, 2 * GIB)
  compareRead('first 2,000 lines of 2 GiB', { file, offset: 1, command: ['head', '-n', '2000', file] })
  const sed = ['sed', '-n', '1000000,1001999p;1001999q', file]
  compareRead('2,000 lines from line 1,000,000', { file, offset: 1_000_000, command: sed })
  rmSync(file)

  const tree = join(folder, 'tree')
  writeTree(tree, 10_000)
  await compareGrep('few matches', 'needle', tree)
  await compareGrep('many matches', 'common', tree)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

interface Reading {
  /** The whole process, start included. */
  ms: number
  /** Peak memory of the process in KiB. */
  peak: number
}

function compareRead(what: string, run: { file: string; offset: number; command: string[] }): void {
  const { file, offset, command } = run
  const [program, ...words] = command
  const readings: Reading[] = []
  const idle: Reading[] = []
  const others: number[] = []
  for (let i = 0; i < RUNS; i++) {
    others.push(timed(() => spawnSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })))
    idle.push(read())
    readings.push(read(file, offset))
  }
  const [own, start, other] = [readings.map(({ ms }) => ms), idle.map(({ ms }) => ms), others].map(median)
  const memory = (Math.max(...readings.map(({ peak }) => peak)) - median(idle.map(({ peak }) => peak))) / 1024
  console.log(`Read, ${what}: ${own.toFixed(1)} ms, ${memory.toFixed(1)} MiB above idle`)
  console.log(
    `  ${program} ${other.toFixed(1)} ms + idle Node ${start.toFixed(1)} ms; ${(own / (other + start)).toFixed(2)} ×`,
  )
}

/** A Read in a process of its own; without a file, none. */
function read(file = '', offset = 1): Reading {
  const words = ['--import', 'tsx', '--input-type=module', '--eval', READER]
  const start = performance.now()
  const { stdout, stderr } = spawnSync(process.execPath, [...words, ...(file ? [file, String(offset)] : [])], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  try {
    return { ms: performance.now() - start, ...JSON.parse(stdout) }
  } catch {
    throw new Error(`The reader failed:\n${stdout}${stderr}`)
  }
}

async function compareGrep(what: string, pattern: string, tree: string): Promise<void> {
  const dispatch = toolDispatch([GrepTool], createContext(tree))
  for (const mode of ['files_with_matches', 'content', 'count'] as const) {
    const own: number[] = []
    const other: number[] = []
    for (let i = 0; i < RUNS; i++) {
      other.push(await timedAsync(() => runRg(commandLine(pattern, mode), tree)))
      own.push(await timedAsync(() => dispatch('Grep', { pattern, output_mode: mode }, { id: 't' })))
    }
    const [a, b] = [median(own), median(other)]
    console.log(`Grep, ${what}, ${mode}: ${a.toFixed(1)} ms, rg ${b.toFixed(1)} ms; ${(a / b).toFixed(2)} ×`)
  }
}

/** The same search as a person would type it. */
function commandLine(pattern: string, mode: 'files_with_matches' | 'content' | 'count'): string[] {
  const flags = { files_with_matches: '-l', content: '-n', count: '-c' }
  return ['--hidden', '--glob=!.git', flags[mode], '-e', pattern, '.']
}

function runRg(words: string[], cwd: string): Promise<void> {
  return new Promise((resolve) => {
    const rg = spawn(rgPath, words, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
    rg.stdout.resume()
    rg.on('close', () => resolve())
  })
}

async function writeLargeFile(path: string, size: number): Promise<void> {
  const stream = createWriteStream(path)
  let number = 1
  for (let written = 0; written < size; ) {
    let text = ''
    for (let i = 0; i < 20_000; i++) text += `line ${number++} of a large file, as long as a line of a log is\n`
    written += text.length
    if (!stream.write(text)) await once(stream, 'drain')
  }
  stream.end()
  await once(stream, 'close')
}

function writeTree(root: string, files: number): void {
  for (let i = 0; i < files; i++) {
    const folder = join(root, `folder${i % 100}`)
    if (i < 100) mkdirSync(folder, { recursive: true })
    const lines = Array.from(
      { length: 60 },
      (_, line) => `const value${line} = common(${i}, ${line}) // a line of code`,
    )
    if (i % 1000 === 0) lines.push('// needle')
    writeFileSync(join(folder, `file${i}.ts`), `${lines.join('\n')}\n`)
  }
}

function timed(action: () => void): number {
  const start = performance.now()
  action()
  return performance.now() - start
}

async function timedAsync(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
