import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './chapters.ts'

export interface Finished {
  /** The exit code; null when a signal ended the process. */
  code: number | null
  /** stdout and stderr as they came. */
  output: string
}

/** Runs a program to its end and gathers what it prints. Never throws: a program that can't be started has code null. */
export function runProcess(program: string, words: string[], env: NodeJS.ProcessEnv = process.env): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ code: null, output: error.message }))
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }))
  })
}

/** The script behind a command of an installed package, to be run by `process.execPath`: `binOf('typescript', 'tsc')`. */
export function binOf(packageName: string, command: string): string {
  const require = createRequire(join(ROOT, 'package.json'))
  const manifest = require.resolve(`${packageName}/package.json`)
  const { bin } = require(manifest) as { bin: string | Record<string, string> }
  return join(manifest, '..', typeof bin === 'string' ? bin : bin[command])
}
