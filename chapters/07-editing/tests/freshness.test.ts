import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, rm, utimes } from 'node:fs/promises'
import { promisify } from 'node:util'
import { assertSeen, assertUnchanged, recordWritten, takeSnapshot } from '#07-editing/freshness.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import type { Workspace } from '#support/workspace.ts'
import { startSession } from './session.ts'

const targetIn = (workspace: Workspace) => ({ shown: 'a.txt', path: workspace.path('a.txt') })

/** A file that was read, then touched by `meanwhile`, and what `assertSeen` gets. */
async function seenThen(workspace: Workspace, meanwhile: () => unknown, { part = false } = {}) {
  const { context, read } = startSession(workspace)
  const path = await workspace.write('a.txt', 'one\n')
  await utimes(path, 1000, 1000)
  await read('a.txt', { part })
  await meanwhile()
  const target = targetIn(workspace)
  const snapshot = (await takeSnapshot(target))!
  return { context, target, snapshot }
}

describe('task 3: has the model seen what is there?', () => {
  it('takes the bytes, and what a record needs', async ({ workspace }) => {
    const { context, snapshot } = await seenThen(workspace, () => {})
    expect(snapshot.bytes.toString()).toBe('one\n')
    expect(snapshot.record).toEqual(context.readFileState.get(workspace.path('a.txt')))
    expect(snapshot.otherNames).toBe(0)
  })

  it('accepts a file that is as it was read', async ({ workspace }) => {
    const { context, target, snapshot } = await seenThen(workspace, () => {})
    expect(assertSeen(context, target, snapshot)).toBeUndefined()
    expect(assertSeen(context, target, snapshot, { whole: true })).toBeUndefined()
  })

  it('refuses a file that has not been read, and says to read it', async ({ workspace }) => {
    await workspace.write('a.txt', 'one\n')
    const snapshot = (await takeSnapshot(targetIn(workspace)))!
    const message = await errorOf(() => assertSeen({ readFileState: new Map() }, targetIn(workspace), snapshot))
    expect(message).toContain('a.txt')
    expect(message).toMatch(/not (yet )?been read|read it first/i)
  })

  it('refuses a file that has changed since, and says to read it again', async ({ workspace }) => {
    const { context, target, snapshot } = await seenThen(workspace, () => appendFile(workspace.path('a.txt'), 'two\n'))
    const message = await errorOf(() => assertSeen(context, target, snapshot))
    expect(message).toContain('a.txt')
    expect(message).toMatch(/changed/i)
    expect(message).toMatch(/read it again/i)
  })

  it('accepts the same bytes under another time: a touch is no change', async ({ workspace }) => {
    const { context, target, snapshot } = await seenThen(workspace, () => utimes(workspace.path('a.txt'), 2000, 2000))
    expect(assertSeen(context, target, snapshot)).toBeUndefined()
    expect(assertSeen(context, target, snapshot, { whole: true })).toBeUndefined()
  })

  it('refuses other bytes under the same time and size: a clock can be set back', async ({ workspace }) => {
    const { context, target, snapshot } = await seenThen(workspace, async () => {
      const path = await workspace.write('a.txt', 'two\n')
      await utimes(path, 1000, 1000)
    })
    expect(await errorOf(() => assertSeen(context, target, snapshot))).toMatch(/changed/i)
  })

  it('accepts a file that was read in part, as long as time and size are the same', async ({ workspace }) => {
    const { context, target, snapshot } = await seenThen(workspace, () => {}, { part: true })
    expect(assertSeen(context, target, snapshot)).toBeUndefined()
  })

  it.for<[string, (workspace: Workspace) => unknown]>([
    ['another time', (workspace) => utimes(workspace.path('a.txt'), 2000, 2000)],
    [
      'another size',
      async (workspace) => {
        await appendFile(workspace.path('a.txt'), 'two\n')
        await utimes(workspace.path('a.txt'), 1000, 1000)
      },
    ],
  ])('refuses a file that was read in part and has %s', async ([, meanwhile], { workspace }) => {
    const { context, target, snapshot } = await seenThen(workspace, () => meanwhile(workspace), { part: true })
    expect(await errorOf(() => assertSeen(context, target, snapshot))).toMatch(/changed/i)
  })

  it('refuses to have all of a file replaced that was read in part', async ({ workspace }) => {
    const { context, target, snapshot } = await seenThen(workspace, () => {}, { part: true })
    expect(await errorOf(() => assertSeen(context, target, snapshot, { whole: true }))).toMatch(/part/i)
  })

  it('looks once more: nothing has happened', async ({ workspace }) => {
    const { target, snapshot } = await seenThen(workspace, () => {})
    expect(assertUnchanged(target, snapshot)).toBeUndefined()
    await utimes(target.path, 2000, 2000)
    expect(assertUnchanged(target, snapshot), 'the bytes count').toBeUndefined()
  })

  it.for<[string, (workspace: Workspace) => unknown]>([
    ['changed', (workspace) => workspace.write('a.txt', 'two\n')],
    ['got longer', (workspace) => appendFile(workspace.path('a.txt'), 'two\n')],
    ['vanished', (workspace) => rm(workspace.path('a.txt'))],
    [
      'became a folder',
      async (workspace) => {
        await rm(workspace.path('a.txt'))
        await workspace.write('a.txt/b.txt', '')
      },
    ],
  ])('looks once more: the file has %s', async ([, meanwhile], { workspace }) => {
    const { target, snapshot } = await seenThen(workspace, () => {})
    await meanwhile(workspace)
    expect(await errorOf(() => assertUnchanged(target, snapshot))).toMatch(/changed.*read it again/i)
  })

  it.skipIf(process.platform === 'win32')(
    'looks once more: the file has become a pipe, and is not read',
    async ({ workspace }) => {
      const { target, snapshot } = await seenThen(workspace, () => {})
      await rm(target.path)
      await promisify(execFile)('mkfifo', [target.path])
      // Whoever reads the pipe gets what was in the file. Without this writer, the reader would wait for ever.
      const writer = spawn('sh', ['-c', 'echo one > "$0"', target.path])
      const ended = once(writer, 'close')
      try {
        expect(await errorOf(() => assertUnchanged(target, snapshot))).toMatch(/changed.*read it again/i)
      } finally {
        writer.kill('SIGKILL')
        await ended
      }
    },
  )

  it('looks once more where there was no file', async ({ workspace }) => {
    const target = targetIn(workspace)
    expect(await takeSnapshot(target)).toBeUndefined()
    expect(assertUnchanged(target, undefined)).toBeUndefined()
    await workspace.write('a.txt', '')
    expect(await errorOf(() => assertUnchanged(target, undefined)), 'somebody else made it').toMatch(/changed/i)
  })

  it('records what a tool has written, so that the next edit needs no Read', async ({ workspace }) => {
    const { context, target } = await seenThen(workspace, () => workspace.write('a.txt', 'two\n'))
    await recordWritten(context, target, Buffer.from('two\n'))
    const snapshot = (await takeSnapshot(target))!
    expect(context.readFileState.get(target.path)).toEqual(snapshot.record)
    expect(assertSeen(context, target, snapshot, { whole: true })).toBeUndefined()
  })

  it('records a file that nobody had read: the tool made it', async ({ workspace }) => {
    const { context } = startSession(workspace)
    await workspace.write('a.txt', 'new\n')
    await recordWritten(context, targetIn(workspace), Buffer.from('new\n'))
    const snapshot = (await takeSnapshot(targetIn(workspace)))!
    expect(assertSeen(context, targetIn(workspace), snapshot, { whole: true })).toBeUndefined()
  })

  it('records no hash where only a part had been read before', async ({ workspace }) => {
    const { context, target } = await seenThen(workspace, () => workspace.write('a.txt', 'two\n'), { part: true })
    await recordWritten(context, target, Buffer.from('two\n'))
    const snapshot = (await takeSnapshot(target))!
    expect(assertSeen(context, target, snapshot)).toBeUndefined()
    expect(await errorOf(() => assertSeen(context, target, snapshot, { whole: true }))).toMatch(/part/i)
  })
})
