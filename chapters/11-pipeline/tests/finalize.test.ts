import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type Anthropic from '@anthropic-ai/sdk'
import { finalize, resultOf } from '#11-pipeline/finalize.ts'
import { START_CHARS, shorten } from '#11-pipeline/persist.ts'
import { describe, expect, it } from '#support/test.ts'
import {
  callWith,
  INTERRUPTED_BEFORE,
  letTodoThrough,
  never,
  rows,
  type Setup,
  toolUse,
  toolWith,
  unheardIn,
} from './calls.ts'

type Block = Anthropic.ToolResultBlockParam

async function mapped(
  parts: object,
  { data = 'aaa', notes = [], ...setup }: Setup & { data?: unknown; notes?: string[] } = {},
) {
  const tool = toolWith(parts)
  const end = { type: 'returned' as const, data }
  const update = await finalize(callWith({ ...setup, tool }), { type: 'authorized', tool, input: {} }, { end, notes })
  return letTodoThrough(update)
}

const making = (made: unknown) => ({ mapToolResultToToolResultBlockParam: () => made })
const block = (content: Block['content']): Block => ({ type: 'tool_result', tool_use_id: 'toolu_1', content })
const image = {
  type: 'image' as const,
  source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'A'.repeat(9000) },
}
const text = (value: string) => ({ type: 'text' as const, text: value })

/** The text that the model sees, and the file that it names. */
function seen(short: Block) {
  const content =
    typeof short.content === 'string'
      ? short.content
      : short.content!.map((part) => ('text' in part ? part.text : '')).join('')
  return { content, path: /\/\S+\.txt/.exec(content)?.[0] }
}

describe('task 3: the result of a call that stopped', () => {
  it('is an error with the message of the stage that failed', () => {
    const update = resultOf(callWith(), { type: 'failed', stage: 'validate', message: 'Too loud.' }, ['a note'])
    expect(update).toMatchObject({ type: 'result', toolUseID: 'toolu_1', end: { type: 'failed', stage: 'validate' } })
    expect(update.block).toMatchObject({ is_error: true, content: expect.stringMatching(/Too loud\.[\s\S]*a note/) })
  })

  it('says of an interrupted call whether it had begun', () => {
    const contentOf = (stage: 'permission' | 'call') =>
      resultOf(callWith(), { type: 'interrupted', stage }).block.content
    expect(contentOf('permission')).toMatch(INTERRUPTED_BEFORE)
    expect(contentOf('permission'), 'nothing was done').not.toMatch(/part/i)
    expect(contentOf('call')).toMatch(/interrupted[\s\S]*part/i)
  })

  it('keeps the notes of the hooks, however the call was stopped', () => {
    for (const end of [
      { type: 'failed' as const, stage: 'permission' as const, message: 'No.' },
      { type: 'interrupted' as const, stage: 'permission' as const },
      { type: 'interrupted' as const, stage: 'call' as const },
    ]) {
      const { content } = resultOf(callWith(), end, ['mind the step', 'and the gap']).block
      expect(content, `${end.type} in ${end.stage}`).toMatch(/mind the step[\s\S]*and the gap/)
    }
  })
})

describe('task 5: the result of a call', () => {
  it('is what the tool makes of its data', async () => {
    expect(await mapped({})).toEqual({
      type: 'result',
      toolUseID: 'toolu_1',
      block: { type: 'tool_result', tool_use_id: 'toolu_1', content: 'aaa' },
      end: { type: 'returned', data: 'aaa' },
    })
  })

  it('answers this call, whatever id the tool has put in it', async () => {
    const made = { type: 'tool_result', tool_use_id: 'toolu_99', content: 'a' }
    expect((await mapped(making(made))).block.tool_use_id).toBe('toolu_1')
  })

  it.for(rows([undefined, '', ' \n', [], [text(' ')]]))('says (no output) for $what', async ({ value }) => {
    expect((await mapped(making(block(value)))).block).toMatchObject({ content: '(no output)' })
  })

  it('keeps the other fields of the block', async () => {
    const made = { ...block('a'), is_error: true, cache_control: { type: 'ephemeral' } }
    expect((await mapped(making(made))).block).toEqual(made)
  })

  it.for(
    rows([
      undefined,
      null,
      'done',
      7,
      {},
      { type: 'text', text: 'a' },
      { type: 'tool_result', content: 7 },
      { type: 'tool_result', content: [null] },
      { type: 'tool_result', content: [{ type: 'text' }] },
    ]),
  )('is an error when the tool makes $what of its data', async ({ value }) => {
    const { block, end } = await mapped(making(value))
    expect(block).toMatchObject({
      tool_use_id: 'toolu_1',
      is_error: true,
      content: expect.stringMatching(/Say.* ran/i),
    })
    expect(end).toMatchObject({ type: 'failed', stage: 'map' })
  })

  it('is an error that says that the tool ran when mapping throws', async () => {
    const { block } = await mapped({
      mapToolResultToToolResultBlockParam() {
        throw new Error('no words')
      },
    })
    expect(block).toMatchObject({ is_error: true, content: expect.stringMatching(/ran[\s\S]*no words/) })
  })

  it.for<[string, () => Promise<unknown>]>([
    ['rejects', () => Promise.reject(new Error('no words'))],
    ['never settles', never],
    ['resolves to a block', () => Promise.resolve(block('a'))],
  ])('is an error, at once, when the tool gives a promise for a block that %s', async ([, map]) => {
    let update: unknown
    const unheard = await unheardIn(async () => {
      const finalized = mapped({ mapToolResultToToolResultBlockParam: map })
      update = await Promise.race([finalized, new Promise((resolve) => setImmediate(resolve, 'it waits'))])
    })
    expect(update, 'nobody waits for the promise').not.toBe('it waits')
    expect(update).toMatchObject({
      block: { is_error: true, content: expect.stringMatching(/Say.* ran/i) },
      end: { type: 'failed', stage: 'map' },
    })
    expect(unheard, 'a rejection that nobody hears ends the process').toEqual([])
  })

  it('is given although the call is aborted by now', async () => {
    const abortController = new AbortController()
    abortController.abort()
    expect((await mapped({}, { abortController })).block).toMatchObject({ content: 'aaa' })
  })

  it('ends with the notes of the hooks, apart from what the tool said', async () => {
    const { content } = (await mapped({}, { notes: ['lint is red', 'formatted'] })).block
    expect(content).toMatch(/^aaa\n[\s\S]*lint is red[\s\S]*formatted/)
    const blocks = (await mapped(making(block([image])), { notes: ['resized'] })).block.content
    expect(blocks).toMatchObject([image, { type: 'text', text: expect.stringContaining('resized') }])
  })

  it('ends with the notes also when the tool makes nothing that can be shown', async () => {
    const throwing = {
      mapToolResultToToolResultBlockParam() {
        throw new Error('no words')
      },
    }
    for (const parts of [throwing, making('nonsense')]) {
      const { block } = await mapped(parts, { notes: ['lint is red'] })
      expect(block).toMatchObject({ is_error: true, content: expect.stringMatching(/ran[\s\S]*lint is red/) })
    }
  })

  it('ends with whole notes, which count for no limit and go to no file', async ({ workspace }) => {
    const notes = ['n'.repeat(100)]
    const resultsDir = workspace.path('results')
    const short = await mapped({ maxResultSizeChars: 10 }, { data: 'x'.repeat(10), notes, resultsDir })
    expect(short.block.content).toMatch(/^x{10}\n[\s\S]*n{100}/)
    expect(existsSync(resultsDir), 'the text is as long as it may be').toBe(false)
    const long = await mapped({ maxResultSizeChars: 10 }, { data: 'x'.repeat(50), notes, resultsDir })
    const { content, path } = seen(long.block)
    expect(content).toMatch(/^x{10}\n[\s\S]*n{100}/)
    expect(readFileSync(path!, 'utf8')).toBe('x'.repeat(50))
  })

  it('saves a result that is longer than the tool’s limit', async ({ workspace }) => {
    const resultsDir = workspace.path('results')
    const { content, path } = seen(
      (await mapped({ maxResultSizeChars: 10 }, { data: 'x'.repeat(11), resultsDir })).block,
    )
    expect(readFileSync(path!, 'utf8')).toBe('x'.repeat(11))
    expect(content).toContain('11')
  })

  it('never saves the result of a tool without a limit', async ({ workspace }) => {
    const resultsDir = workspace.path('results')
    const { block } = await mapped(
      { maxResultSizeChars: Number.POSITIVE_INFINITY },
      { data: 'x'.repeat(1e6), resultsDir },
    )
    expect(block.content).toHaveLength(1e6)
    expect(existsSync(resultsDir)).toBe(false)
  })
})

describe('task 5: long results', () => {
  it('leaves a result alone that is as long as it may be', async ({ workspace }) => {
    const dir = workspace.path('results')
    expect(await shorten(block('x'.repeat(10)), { max: 10, dir })).toEqual(block('x'.repeat(10)))
    expect(await shorten(block([text('x'.repeat(5)), image, text('y'.repeat(4))]), { max: 10, dir })).toEqual(
      block([text('x'.repeat(5)), image, text('y'.repeat(4))]),
    )
    expect(existsSync(dir), 'nothing is written').toBe(false)
  })

  it('shows the start, the size and the path, and keeps all of it in the file', async ({ workspace }) => {
    const whole = Array.from({ length: 3000 }, (_, n) => `line ${n}\n`).join('')
    const { content, path } = seen(await shorten(block(whole), { max: 5000, dir: workspace.path('results') }))
    expect(content.startsWith(whole.slice(0, START_CHARS))).toBe(true)
    expect(content).not.toContain(whole.slice(0, START_CHARS + 1))
    expect(content).toContain(String(whole.length))
    expect(readFileSync(path!, 'utf8')).toBe(whole)
  })

  it('shows no more of the start than the limit allows', async ({ workspace }) => {
    const { content } = seen(await shorten(block('x'.repeat(500)), { max: 100, dir: workspace.path('r') }))
    expect(/^x*/.exec(content)![0]).toHaveLength(100)
  })

  it('cuts no character in two', async ({ workspace }) => {
    const whole = `${'x'.repeat(99)}${'🌍'.repeat(50)}`
    const { content, path } = seen(await shorten(block(whole), { max: 100, dir: workspace.path('r') }))
    expect(content, 'half of a character').not.toMatch(/\p{Surrogate}/u)
    expect(readFileSync(path!, 'utf8')).toBe(whole)
  })

  it('cuts no character in two where the start is at its longest', async ({ workspace }) => {
    const whole = `${'x'.repeat(START_CHARS - 1)}${'🌍'.repeat(2000)}`
    const { content } = seen(await shorten(block(whole), { max: START_CHARS + 1000, dir: workspace.path('r') }))
    expect(content, 'half of a character').not.toMatch(/\p{Surrogate}/u)
    expect(/^x*/.exec(content)![0]).toHaveLength(START_CHARS - 1)
  })

  it('names the file by its absolute path, also when the folder’s is relative', async ({ workspace }) => {
    const dir = relative(process.cwd(), workspace.path('r'))
    const { content } = seen(await shorten(block('xyz'), { max: 1, dir }))
    expect(content).not.toContain(dir)
    expect(content).toContain(join(workspace.path('r'), 'toolu_1.txt'))
  })

  it('gives each result a name that is not too long when a long id is seen again', async ({ workspace }) => {
    const dir = workspace.path('results')
    const long = 'x'.repeat(500)
    for (const whole of ['one', 'two', 'three']) {
      const { path } = seen(await shorten({ ...block(whole), tool_use_id: long }, { max: 1, dir }))
      expect(path!.slice(dir.length + 1)).toMatch(/^[a-zA-Z0-9_-]{1,100}\.txt$/)
      expect(readFileSync(path!, 'utf8')).toBe(whole)
    }
    expect(readdirSync(dir)).toHaveLength(3)
  })

  it('is for the user’s eyes only', async ({ workspace }) => {
    const dir = workspace.path('new/results')
    const { path } = seen(await shorten(block('xyz'), { max: 1, dir }))
    expect(statSync(path!).mode & 0o777).toBe(0o600)
    expect(statSync(dir).mode & 0o077, 'nobody else enters the folder').toBe(0)
  })

  it('keeps images whole and in their places', async ({ workspace }) => {
    const content = [image, text('x'.repeat(60)), image, text('y'.repeat(60))]
    const short = await shorten(block(content), { max: 100, dir: workspace.path('r') })
    expect(short.content).toMatchObject([
      image,
      { type: 'text', text: expect.stringMatching(/^x{60}\ny{39}\n/) },
      image,
    ])
    expect(readFileSync(seen(short).path!, 'utf8')).toBe(`${'x'.repeat(60)}\n${'y'.repeat(60)}`)
  })

  it('counts images as nothing, however large they are', async ({ workspace }) => {
    const content = [image, text('a')]
    expect(await shorten(block(content), { max: 1, dir: workspace.path('r') })).toEqual(block(content))
  })

  it('keeps the other fields of a result that it shortens', async ({ workspace }) => {
    const long = { ...block('xyz'), is_error: true }
    expect(await shorten(long, { max: 1, dir: workspace.path('r') })).toMatchObject({
      is_error: true,
      tool_use_id: 'toolu_1',
    })
  })

  it.for(rows(['../../escape', '/etc/passwd', '..', '.', '', 'a/b\\c:d', 'toolu_\u0000', 'ünïcode', 'x'.repeat(500)]))(
    'writes inside the folder for the id $what',
    async ({ value }) => {
      const { createWorkspace } = await import('#support/workspace.ts')
      const workspace = await createWorkspace()
      const dir = workspace.path('results')
      try {
        const { path } = seen(await shorten({ ...block('xyz'), tool_use_id: value }, { max: 1, dir }))
        expect(readdirSync(dir).map((name) => join(dir, name))).toEqual([path])
        expect(readdirSync(workspace.root)).toEqual(['results'])
        expect(path!.slice(dir.length + 1)).toMatch(/^[a-zA-Z0-9_-]{1,100}\.txt$/)
      } finally {
        await workspace.remove()
      }
    },
  )

  it('gives each result its own file when an id is seen twice', async ({ workspace }) => {
    const dir = workspace.path('results')
    const shorts = await Promise.all(['one', 'two', 'three'].map((whole) => shorten(block(whole), { max: 1, dir })))
    expect(shorts.map((short) => readFileSync(seen(short).path!, 'utf8'))).toEqual(['one', 'two', 'three'])
  })

  it('writes over no file, and follows no link that is there', async ({ workspace }) => {
    const { symlinkSync } = await import('node:fs')
    await workspace.write('precious', 'mine')
    await workspace.write('results/other', '')
    symlinkSync(workspace.path('precious'), workspace.path('results/toolu_1.txt'))
    const { path } = seen(await shorten(block('xyz'), { max: 1, dir: workspace.path('results') }))
    expect(await workspace.text('precious')).toBe('mine')
    expect(readFileSync(path!, 'utf8')).toBe('xyz')
  })

  it('shows the start all the same when it cannot be saved, and says so', async ({ workspace }) => {
    await workspace.write('results', 'a file is in the way')
    const { content } = seen(await shorten(block('xyz'.repeat(50)), { max: 30, dir: workspace.path('results') }))
    expect(content.startsWith('xyz'.repeat(10))).toBe(true)
    expect(content).toMatch(/not be saved|lost/i)
    expect(content).toContain('150')
  })

  it('takes a limit that is no number for the smallest', async ({ workspace }) => {
    const short = await shorten(block('xyz'), { max: Number.NaN, dir: workspace.path('r') })
    expect(readFileSync(seen(short).path!, 'utf8')).toBe('xyz')
  })

  it('shows nothing of the text where the limit is below 0', async ({ workspace }) => {
    const short = seen(await shorten(block('q'.repeat(500)), { max: -5, dir: workspace.path('r') }))
    expect(short.content).not.toContain('qq')
    expect(readFileSync(short.path!, 'utf8')).toBe('q'.repeat(500))
  })
})

describe('task 5: the whole pipeline and long results', () => {
  it.for(['toolu_1', '../x'])('saves the long result of the call %j under its id', async (id) => {
    const { createWorkspace } = await import('#support/workspace.ts')
    const workspace = await createWorkspace()
    try {
      const use = toolUse({ text: 'a' }, 'Say', id)
      const resultsDir = workspace.path('session/results')
      const { block } = await mapped({ maxResultSizeChars: 1 }, { use, resultsDir, data: 'abc' })
      expect(block.tool_use_id).toBe(id)
      expect(readFileSync(seen(block).path!, 'utf8')).toBe('abc')
      await chmod(resultsDir, 0o700)
    } finally {
      await workspace.remove()
    }
  })
})
