import { vi } from 'vitest'
import { connectMcpServer, type McpConnection } from '#13-one-interface/mcp-connection.ts'
import { describe, errorOf, expect } from '#support/test.ts'
import { begun, faulty, isRunning, it, settle } from './setup.ts'

const namesOf = async (connection: McpConnection) => (await connection.tools()).map(({ name }) => name)

describe('task 4: a connection', () => {
  it('has the tools of the server, whatever else that prints', async ({ connect }) => {
    const connection = await connect()
    expect(await namesOf(connection)).toContain('mcp__faulty__echo')
    expect(connection.isConnected).toBe(true)
  })

  it('asks for the list once, as long as the server says nothing', async ({ connect }) => {
    const warnings: string[] = []
    const connection = await connect(undefined, { onWarning: (warning) => void warnings.push(warning) })
    const first = await namesOf(connection)
    const count = warnings.length
    expect(count, 'the faulty tools').toBeGreaterThan(0)
    expect(await namesOf(connection)).toEqual(first)
    expect(warnings, 'said once').toHaveLength(count)
  })

  it('asks again in the next turn when the server has said that its list has changed', async ({ connect }) => {
    const connection = await connect('restless') // says so while it is asked
    expect(await namesOf(connection)).toEqual(['mcp__faulty__tool-1'])
    expect(await namesOf(connection)).toEqual(['mcp__faulty__tool-1', 'mcp__faulty__tool-2'])
    expect(await namesOf(connection)).toHaveLength(3)
  })

  it('asks once for two who want the list at the same time', async ({ connect }) => {
    const connection = await connect('restless') // would have one tool more for the second
    const both = await Promise.all([namesOf(connection), namesOf(connection)])
    expect(both).toEqual([['mcp__faulty__tool-1'], ['mcp__faulty__tool-1']])
  })

  it('keeps the old tools, with a warning, when the new list cannot be had, and asks again the next time', async ({
    connect,
  }) => {
    const warnings: string[] = []
    const connection = await connect('moody', { onWarning: (warning) => void warnings.push(warning) })
    expect(await namesOf(connection)).toEqual(['mcp__faulty__tool-1'])
    expect(await namesOf(connection), 'after the failure').toEqual(['mcp__faulty__tool-1'])
    expect(warnings).toEqual([expect.stringContaining('faulty')])
    expect(await namesOf(connection), 'after the next question').toHaveLength(3)
  })

  it('does not ask once more when an old question fails after a newer one was asked', async ({ connect }) => {
    const connection = await connect('too-late')
    const first = connection.tools()
    connection.forgetTools()
    const second = namesOf(connection)
    await first
    expect(await second).toEqual(['mcp__faulty__tool-1', 'mcp__faulty__tool-2'])
    expect(await namesOf(connection), 'of the same list').toHaveLength(2)
  })

  it('keeps the newer list when the answer to an old question comes after it', async ({ connect }) => {
    const connection = await connect('overtaken')
    const first = connection.tools()
    connection.forgetTools()
    const second = connection.tools()
    await Promise.all([first, second])
    expect(await namesOf(connection)).toEqual(['mcp__faulty__tool-1', 'mcp__faulty__tool-2'])
  })

  it('warns once of a list that does not come, however many wait for it', async ({ connect }) => {
    const warnings: string[] = []
    const connection = await connect('deaf', { silenceMs: 50, onWarning: (warning) => void warnings.push(warning) })
    expect(await Promise.all([connection.tools(), connection.tools()])).toEqual([[], []])
    expect(warnings).toHaveLength(1)
  })

  it('warns of a list that does not come, and asks again the next time', async ({ connect }) => {
    const warnings: string[] = []
    const connection = await connect('deaf', { silenceMs: 50, onWarning: (warning) => void warnings.push(warning) })
    expect(await connection.tools()).toEqual([])
    expect(await connection.tools()).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('faulty'), expect.stringContaining('faulty')])
  })

  it('has no tools any more when the server has ended', async ({ connect }) => {
    const connection = await connect()
    expect(await namesOf(connection)).not.toEqual([])
    process.kill(connection.processId!, 'SIGKILL')
    await vi.waitFor(() => expect(connection.isConnected).toBe(false))
    expect(await namesOf(connection)).toEqual([])
  })

  it.for<[string, (connection: McpConnection) => unknown]>([
    ['dies', (connection) => void process.kill(connection.processId!, 'SIGKILL')],
    ['is closed', (connection) => connection.close()],
  ])('has no tools any more when the server %s while it is asked for them', async ([, end], { connect }) => {
    const connection = await connect('restless', { graceMs: 50 }) // its list has changed, it says, so it is asked again
    expect(await namesOf(connection)).toHaveLength(1)
    process.kill(connection.processId!, 'SIGSTOP') // it cannot answer any more
    const names = namesOf(connection)
    await settle()
    await end(connection)
    expect(await names).toEqual([])
  })
})

describe('task 4: the end of a connection', () => {
  it('is the end of the server', async ({ connect }) => {
    const connection = await connect()
    expect(isRunning(connection.processId!)).toBe(true)
    await connection.close()
    expect(isRunning(connection.processId!), `process ${connection.processId}`).toBe(false)
    expect(connection.isConnected).toBe(false)
    expect(await namesOf(connection)).toEqual([])
  })

  it('gives a server that does not want to end the time that graceMs says, and no more', async ({ connect }) => {
    const connection = await connect('stubborn', { graceMs: 50 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let closed: Promise<void> | undefined
    try {
      closed = begun(connection.close())
      await settle()
      await vi.advanceTimersByTimeAsync(99)
      await untilEnded(connection.processId!, 200)
      expect(isRunning(connection.processId!), 'it runs, after 99 ms').toBe(true)
      await vi.advanceTimersByTimeAsync(1)
      await untilEnded(connection.processId!, 3_000)
      expect(isRunning(connection.processId!), 'it runs, after 100 ms').toBe(false)
    } finally {
      await vi.advanceTimersByTimeAsync(60_000) // for whoever waits longer
      vi.useRealTimers()
      await closed
    }
  })

  it('is the end of a server that does not want to end', async ({ connect }) => {
    const connection = await connect('stubborn', { graceMs: 50 })
    await connection.close()
    expect(isRunning(connection.processId!), `process ${connection.processId}`).toBe(false)
  })

  it('can be asked for twice, and at the same time', async ({ connect }) => {
    const connection = await connect()
    await Promise.all([connection.close(), connection.close()])
    await connection.close()
    expect(isRunning(connection.processId!)).toBe(false)
  })
})

describe('task 4: a connection that cannot be had', () => {
  it('is an error that names the server, when its command is not there', async () => {
    const message = await errorOf(() => connectMcpServer({ name: 'ghost', command: 'no-such-command-13' }))
    expect(message).toMatch(/ghost/)
    expect(message).toMatch(/no-such-command-13|ENOENT/)
  })

  it('is an error with what the server wrote, when it ends at once', async () => {
    const message = await errorOf(() => connectMcpServer(faulty('exits')))
    expect(message).toMatch(/faulty/)
    expect(message).toMatch(/no licence found/)
  })

  it('is an error when the server says nothing, and leaves no process', async () => {
    await vi.waitFor(() => expect(processesOfOurs(), 'before').toBe(0), { timeout: 4_000 })
    const message = await errorOf(() => connectMcpServer(faulty('mute'), { startMs: 200, graceMs: 50 }))
    expect(message).toMatch(/faulty/)
    await settle()
    expect(processesOfOurs(), 'processes that are left').toBe(0)
  })
})

describe('task 4: nothing outlives a connection', () => {
  it('leaves no timer, no pipe and no process, so that the program can end by itself', async ({ connect }) => {
    await vi.waitFor(() => expect(processesOfOurs(), 'before').toBe(0), { timeout: 4_000 })
    const pipes = pipesOfOurs()
    const timers = watchTimers()
    try {
      const connection = await connect()
      await connection.tools()
      await connection.close()
      await settle()
      expect(timers.left(), 'timers').toBe(0)
      expect(processesOfOurs(), 'processes').toBe(0)
      expect(pipesOfOurs(), 'pipes').toBe(pipes)
    } finally {
      timers.stop()
    }
  })
})

/** Waits until the process has ended, for `ms` milliseconds at most, without a timer. */
async function untilEnded(pid: number, ms: number): Promise<void> {
  const end = performance.now() + ms
  while (isRunning(pid) && performance.now() < end) await new Promise(setImmediate)
}

/** How many processes this one has started that still run. */
function processesOfOurs(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length
}

function pipesOfOurs(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length
}

/** Counts the timers that would keep the program alive: set since, not over, not cleared. */
function watchTimers(): { left(): number; stop(): void } {
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const running = new Set<NodeJS.Timeout>()
  globalThis.setTimeout = ((run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const timer = set(() => {
      running.delete(timer)
      run(...args)
    }, ms)
    running.add(timer)
    return timer
  }) as typeof setTimeout
  globalThis.clearTimeout = (timer) => {
    running.delete(timer as NodeJS.Timeout)
    clear(timer)
  }
  return {
    left: () => [...running].filter((timer) => timer.hasRef()).length,
    stop: () => void Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }),
  }
}
