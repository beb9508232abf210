import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from '#support/test.ts'

/** How long to wait for something that must come, in milliseconds. Waiting ends as soon as it is there. */
const PATIENCE_MS = 4_000

/** Waits until `isSo` is true. Fails with what was waited for when it never is. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const start = Date.now()
  while (!(await isSo())) {
    if (Date.now() - start > PATIENCE_MS) expect.fail(`waited in vain: ${what}`)
    await delay(10)
  }
}

/** The process ids in a file, one a line, when there are `count` of them. */
export async function pidsIn(path: string, count: number): Promise<number[]> {
  const pids = async () => (await readFile(path, 'utf8').catch(() => '')).split('\n').slice(0, -1).map(Number)
  await until(`${count} processes have written their ids`, async () => (await pids()).length >= count)
  return pids()
}

/** Waits until none of these processes runs. One that has ended and was not collected by its parent does not run. */
export async function untilDead(pids: number[]): Promise<void> {
  for (const pid of pids) await until(`process ${pid} of the command is dead`, () => !isRunning(pid))
}

/** Whether a process runs: it is there, and it is no zombie. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^Z/.test(execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim())
  } catch {
    return false
  }
}

/** What `work` resolves to. Rejects as soon as `running` does, so that a test need not wait for what cannot come. */
export function during<T>(running: Promise<unknown>, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    running.catch(reject)
    work.then(resolve, reject)
  })
}
