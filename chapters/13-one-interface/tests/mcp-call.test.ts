import { tmpdir } from 'node:os'
import { vi } from 'vitest'
import type { McpConnection } from '#13-one-interface/mcp-connection.ts'
import { callServer, type McpToolsOptions, mcpTools } from '#13-one-interface/mcp-tools.ts'
import { describe, errorOf, expect } from '#support/test.ts'
import { countWaiting } from '../../11-pipeline/given/on-abort.ts'
import {
  begun,
  clientOf,
  everythingServer,
  type FakeRequest,
  type FakeServer,
  it,
  perform,
  pipelineContext,
  settle,
  texts,
  use,
} from './setup.ts'

const everything = everythingServer()

/** Calls a tool of the faulty server through the whole pipeline. */
async function callFaulty(connection: McpConnection, name: string, input: unknown = {}) {
  const tools = await connection.tools()
  const found = tools.find((tool) => tool.name.startsWith(`mcp__faulty__${name}`)) ?? expect.fail(`there is no ${name}`)
  return perform(pipelineContext(tmpdir(), tools), { call: use('t1', found.name, input) })
}

/** Calls a server in this process. */
async function callFake(server: FakeServer['call'], more: Partial<Parameters<typeof callServer>[1]> = {}) {
  const fake = await clientOf({ call: server })
  const progress: unknown[] = []
  const call = async () =>
    callServer(fake.client, {
      tool: 'a',
      input: {},
      signal: new AbortController().signal,
      onProgress: (update) => void progress.push(update),
      options: { serverName: 'fake' },
      ...more,
    })
  const done = begun(call())
  return { ...fake, progress, done }
}

/** Calls a server that says what the test lets it say, when it lets it. */
async function callBusy(options: McpToolsOptions) {
  let request: FakeRequest | undefined
  let finish = (_result: unknown) => {}
  const server: FakeServer['call'] = (_name, _args, asked) => {
    request = asked
    return new Promise((resolve) => {
      finish = resolve
    })
  }
  const call = await callFake(server, { options })
  await settle()
  return {
    ...call,
    finish: (result: unknown) => finish(result),
    async report(news: object) {
      request?.notify('notifications/progress', { progressToken: request.progressToken, ...news })
      await settle()
    },
  }
}

describe('task 5: a call of a server', () => {
  it("is answered by the protocol's own server, through the whole pipeline", async ({ workspace }) => {
    const tools = await mcpTools(everything(), { serverName: 'everything' })
    const context = pipelineContext(workspace.root, tools)
    const sum = await perform(context, { call: use('t1', 'mcp__everything__get-sum', { a: 2, b: 40 }) })
    expect(sum.text).toMatch(/42/)
    const wrong = await perform(context, { call: use('t2', 'mcp__everything__get-sum', { a: 'two' }) })
    expect(wrong.isError).toBe(true)
    const image = await perform(context, { call: use('t3', 'mcp__everything__get-tiny-image') })
    expect(image.result.block.content).toContainEqual({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: expect.any(String) },
    })
  })

  it('goes out under the name that the server knows, with the input as it is', async ({ connect }) => {
    const connection = await connect()
    const input = { list: ['1', 2, null], deep: { a: 'true' } }
    expect((await callFaulty(connection, 'echo', input)).text).toBe(`you said ${JSON.stringify(input)}`)
    expect((await callFaulty(connection, 'Dockerfile')).text).toBe('called as Dockerfile problems scanner')
    expect((await callFaulty(connection, 'longlong')).text).toBe('called as long, 30 times')
  })

  it('shows what the server calls a failure as an error', async ({ connect }) => {
    const { isError, text } = await callFaulty(await connect(), 'fail')
    expect({ isError, text }).toEqual({ isError: true, text: 'the disk is full' })
  })

  it('shows what the server refuses as an error that names it, and what the server says', async ({ connect }) => {
    const { isError, text } = await callFaulty(await connect(), 'refuse')
    expect(isError).toBe(true)
    expect(text).toMatch(/faulty.*there is no such thing/)
  })

  it('shows an answer that is none as an error that names the server', async ({ connect }) => {
    const { isError, text } = await callFaulty(await connect(), 'nonsense')
    expect(isError).toBe(true)
    expect(text).toMatch(/faulty/)
  })

  it('is an error that names the server when that dies: every call under way, and each after it', async ({
    connect,
  }) => {
    const tools = await (await connect()).tools()
    const context = pipelineContext(tmpdir(), tools)
    const call = (name: string) => perform(context, { call: use(name, `mcp__faulty__${name}`) })
    const both = await Promise.all([call('silent'), call('die')])
    for (const { isError, text } of [...both, await call('echo')]) {
      expect(isError).toBe(true)
      expect(text).toMatch(/faulty/)
    }
  })

  it('is an error that names the server when the connection is closed meanwhile', async ({ connect }) => {
    const connection = await connect()
    const context = pipelineContext(tmpdir(), await connection.tools())
    const call = begun(perform(context, { call: use('t1', 'mcp__faulty__silent') }))
    await settle()
    await connection.close()
    expect(await call).toMatchObject({ isError: true, text: expect.stringContaining('faulty') })
  })

  it('is an error that names the server when that never answers', async ({ startClient }) => {
    const client = await startClient()
    const { signal } = new AbortController()
    const options = { serverName: 'faulty', silenceMs: 50 }
    const call = () => callServer(client, { tool: 'silent', input: {}, signal, onProgress() {}, options })
    expect(await errorOf(call)).toMatch(/faulty/)
  })

  it('shows the start of five megabytes, and says where the rest is', async ({ connect, workspace }) => {
    const tools = await (await connect()).tools()
    const call = use('t1', 'mcp__faulty__five-megabytes')
    const { text } = await perform(pipelineContext(workspace.root, tools), { call })
    expect(text.length).toBeLessThan(5_000)
    expect(text).toMatch(/5000000/)
  })

  it('has two megabytes of data once, or not at all', async ({ connect }) => {
    const { text } = await callFaulty(await connect(), 'both')
    expect(text.length, 'characters for the model').toBeLessThan(2_000)
    expect(text).toBe('short')
  })

  it('has the new tool of a server in the next turn', async ({ connect }) => {
    const connection = await connect()
    const names = async () => (await connection.tools()).map(({ name }) => name)
    expect(await names()).not.toContain('mcp__faulty__grown')
    await callFaulty(connection, 'grow')
    expect(await names()).toContain('mcp__faulty__grown')
  })
})

describe('task 5: the time of a call', () => {
  const fake = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const never = () => undefined

  it('is over when the server is silent for too long', async () => {
    fake()
    try {
      const { done } = await callFake(never, { options: { serverName: 'fake', silenceMs: 1_000, maxCallMs: 60_000 } })
      await settle()
      await vi.advanceTimersByTimeAsync(1_000)
      expect(await errorOf(() => done)).toMatch(/fake/)
      expect(vi.getTimerCount(), "timers that are left, yours or the SDK's").toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('goes on as long as the server says that it is at work', async () => {
    fake()
    try {
      const options = { serverName: 'fake', silenceMs: 1_000, maxCallMs: 60_000 }
      const { done, progress, report, finish } = await callBusy(options)
      for (let step = 1; step <= 5; step++) {
        await vi.advanceTimersByTimeAsync(900)
        await report({ progress: step, total: 5, message: `step ${step}` })
      }
      finish(texts('done after 4.5 seconds'))
      expect((await done).content).toEqual([{ type: 'text', text: 'done after 4.5 seconds' }])
      expect(progress).toHaveLength(5)
      expect(progress[1]).toEqual({ type: 'mcp', progress: 2, total: 5, message: 'step 2' })
      expect(vi.getTimerCount(), "timers that are left, yours or the SDK's").toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is over in the end, whatever the server says', async () => {
    fake()
    try {
      const { done, report } = await callBusy({ serverName: 'fake', silenceMs: 1_000, maxCallMs: 3_000 })
      for (let step = 1; step <= 4; step++) {
        await vi.advanceTimersByTimeAsync(900)
        await report({ progress: step })
      }
      const end = await Promise.race([errorOf(() => done), settle().then(() => 'it goes on')])
      expect(end, 'after 3.6 of 3 seconds').toMatch(/fake/)
      expect(vi.getTimerCount(), "timers that are left, yours or the SDK's").toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is over in the end, also when the server has said something a moment ago', async () => {
    fake()
    try {
      const { done, report } = await callBusy({ serverName: 'fake', silenceMs: 10_000, maxCallMs: 3_000 })
      await vi.advanceTimersByTimeAsync(2_900)
      await report({ progress: 1 })
      const end = () => Promise.race([done.then(String, String), settle().then(() => 'it goes on')])
      expect(await end(), 'after 2.9 of 3 seconds').toBe('it goes on')
      await vi.advanceTimersByTimeAsync(100)
      expect(await end(), 'after 3 of 3 seconds').toMatch(/fake/)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is over when the call is aborted: the server is told, and nothing stays', async () => {
    fake()
    try {
      const controller = new AbortController()
      const { done, requests } = await callFake(never, { signal: controller.signal })
      await settle()
      controller.abort(new Error('Ctrl-C'))
      expect(await errorOf(() => done)).toBe('Ctrl-C')
      await settle()
      expect(requests.map(({ method }) => method)).toContain('notifications/cancelled')
      expect(vi.getTimerCount(), "timers that are left, yours or the SDK's").toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not begin when the call was aborted before', async () => {
    const { done, requests } = await callFake(never, { signal: AbortSignal.abort(new Error('too late')) })
    expect(await errorOf(() => done)).toBe('too late')
    expect(requests.map(({ method }) => method)).not.toContain('tools/call')
  })
})

describe('task 5: what a call leaves behind', () => {
  const { signal } = new AbortController()
  const listeners = () => countWaiting(signal)

  it.for<[string, FakeServer['call'], RegExp]>([
    ['has a result', () => texts('done'), /done/],
    ['is refused', () => ({ error: { code: -32602, message: 'no' } }), /fake.*no/],
    ['has no answer', () => undefined, /fake/],
    ['gets nonsense', () => ({ content: 'no list' }), /fake/],
  ])('is no listener on the signal when it %s', async ([, server, said]) => {
    const before = listeners()
    const { done } = await callFake(server, { signal, options: { serverName: 'fake', silenceMs: 20 } })
    expect(await done.then(({ content }) => JSON.stringify(content), String)).toMatch(said)
    expect(listeners(), 'listeners on the signal').toBe(before)
  })

  it('is progress with its three fields, and nothing else that the server says', async () => {
    const { done, progress, report, finish } = await callBusy({ serverName: 'fake' })
    await report({ progress: 1, total: 2, message: 'half', _meta: { secret: 1 }, more: 'noise' })
    finish(texts('done'))
    await done
    expect(progress).toEqual([{ type: 'mcp', progress: 1, total: 2, message: 'half' }])
  })
})
