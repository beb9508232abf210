import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { exec } from '#08-bash/exec.ts'
import { checkReadOnlyConstraints } from '#08-bash/read-only.ts'

/**
 * What Bash costs: `node --import tsx scripts/bench/bash.ts`.
 * Prints how much memory a command takes that prints 1 GiB, `true` against a bare spawn of bash (medians, taken in turn),
 * and the time that one call of checkReadOnlyConstraints takes.
 */
const RUNS = 101
const CALLS = 2_000
const cwd = tmpdir()
const MiB = 1024 * 1024

await exec('true', { cwd })
const idle = process.memoryUsage().rss
let peak = idle
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 5)
const started = performance.now()
await exec('head -c 1073741824 /dev/zero', { cwd, timeout: Infinity })
clearInterval(watch)
const seconds = (performance.now() - started) / 1000
print('1 GiB of output, memory above idle', `${((peak - idle) / MiB).toFixed(0)} MiB (${seconds.toFixed(1)} s)`)

const bare: number[] = []
const ours: number[] = []
for (let i = 0; i < RUNS; i++) {
  bare.push(await timeOf(() => bareSpawn()))
  ours.push(await timeOf(() => exec('true', { cwd })))
}
print('bare spawn of bash -c true', `${median(bare).toFixed(2)} ms`)
print('exec of true', `${median(ours).toFixed(2)} ms, ${(median(ours) / median(bare)).toFixed(2)} ×`)

for (const command of ['git status', "grep -rn 'TODO' src 2>/dev/null | head -20", 'cd packages/api && npm test']) {
  checkReadOnlyConstraints({ command })
  const start = performance.now()
  for (let i = 0; i < CALLS; i++) checkReadOnlyConstraints({ command })
  print(`check ${command}`, `${((performance.now() - start) / CALLS).toFixed(3)} ms`)
}

/** What anybody would write: bash, its output read, until it has closed. */
function bareSpawn(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', 'true'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.resume()
    child.stderr.resume()
    child.once('error', reject)
    child.once('close', () => resolve())
  })
}

async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function print(what: string, result: string): void {
  console.log(`${what.padEnd(52)} ${result}`)
}
