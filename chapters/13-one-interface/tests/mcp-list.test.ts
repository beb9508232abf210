import { listEntries, MAX_PAGES, MAX_TOOLS } from '#13-one-interface/mcp-list.ts'
import { describe, errorOf, expect } from '#support/test.ts'
import { clientOf, entry, it } from './setup.ts'

const namesOf = (entries: unknown[]) => entries.map((each) => (each as { name: string }).name)
/** A page from `start` with `count` tools. */
const page = (start: number, count: number, nextCursor?: string | null) => ({
  tools: Array.from({ length: count }, (_, i) => entry(`tool-${start + i}`)),
  nextCursor,
})

describe('task 3: the list of a server', () => {
  it('is read from a real server, which has two pages of it', async ({ startClient }) => {
    const entries = await listEntries(await startClient(), { serverName: 'faulty' })
    expect(namesOf(entries)).toEqual(expect.arrayContaining(['echo', 'twice', 'grow']))
  })

  it('is read page after page, in order', async () => {
    const pages: Record<string, object> = { first: page(0, 2, 'b'), b: page(2, 2, 'c'), c: page(4, 1) }
    const { client } = await clientOf({ list: (cursor = 'first') => pages[cursor] })
    const warnings: string[] = []
    const options = { serverName: 's', onWarning: (warning: string) => void warnings.push(warning) }
    expect(namesOf(await listEntries(client, options))).toEqual(['tool-0', 'tool-1', 'tool-2', 'tool-3', 'tool-4'])
    expect(warnings).toEqual([])
  })

  it.for([
    ['an empty text', ''],
    ['null', null],
  ])('ends with a page whose cursor is %s', async ([, cursor]) => {
    const { client, requests } = await clientOf({ list: () => page(0, 1, cursor) })
    expect(await listEntries(client, { serverName: 's' })).toHaveLength(1)
    expect(requests.filter(({ method }) => method === 'tools/list')).toHaveLength(1)
  })

  it('keeps entries that are malformed, as they came', async () => {
    const odd = ['text', { name: 'x', inputSchema: { type: 'string' } }, null]
    const { client } = await clientOf({ list: () => ({ tools: odd }) })
    expect(await listEntries(client, { serverName: 's' })).toEqual(odd)
  })

  it('is cut off, with a warning, where its pages have no end', async ({ startClient }) => {
    const warnings: string[] = []
    const onWarning = (warning: string) => void warnings.push(warning)
    const entries = await listEntries(await startClient('endless'), { serverName: 'faulty', onWarning })
    expect(entries).toHaveLength(MAX_PAGES)
    expect(warnings).toEqual([expect.stringContaining('faulty')])
  })

  it('is cut off, with a warning, where it has too many tools, on one page or on several', async () => {
    const warnings: string[] = []
    const options = { serverName: 's', onWarning: (warning: string) => void warnings.push(warning) }
    const one = await clientOf({ list: () => page(0, MAX_TOOLS + 5) })
    expect(await listEntries(one.client, options)).toHaveLength(MAX_TOOLS)
    const many = await clientOf({ list: (cursor = '0') => page(+cursor, 300, String(+cursor + 300)) })
    const entries = await listEntries(many.client, options)
    expect(entries).toHaveLength(MAX_TOOLS)
    expect(namesOf(entries).at(-1)).toBe(`tool-${MAX_TOOLS - 1}`)
    expect(many.requests.length, 'no more pages than are needed').toBeLessThan(10)
    expect(warnings).toHaveLength(2)
  })

  it('is no cause for a warning where it has as many tools as it may', async () => {
    const warnings: string[] = []
    const options = { serverName: 's', onWarning: (warning: string) => void warnings.push(warning) }
    const { client } = await clientOf({ list: () => page(0, MAX_TOOLS) })
    expect(await listEntries(client, options)).toHaveLength(MAX_TOOLS)
    expect(warnings).toEqual([])
  })

  it('asks for no further page when it has as many tools as it may, and warns that there is one', async () => {
    const warnings: string[] = []
    const options = { serverName: 's', onWarning: (warning: string) => void warnings.push(warning) }
    const { client, requests } = await clientOf({
      list: (cursor = '0') => page(+cursor, MAX_TOOLS / 2, `${+cursor + MAX_TOOLS / 2}`),
    })
    expect(await listEntries(client, options)).toHaveLength(MAX_TOOLS)
    expect(
      requests.filter(({ method }) => method === 'tools/list'),
      'pages',
    ).toHaveLength(2)
    expect(warnings).toHaveLength(1)
  })

  it('is an error that names the server when it refuses, on a later page too', async () => {
    const refused = { error: { code: -32603, message: 'database locked' } }
    const { client } = await clientOf({ list: (cursor) => (cursor ? refused : page(0, 1, 'next')) })
    const message = await errorOf(() => listEntries(client, { serverName: 'notes' }))
    expect(message).toMatch(/notes/)
    expect(message).toMatch(/database locked/)
  })

  it('is an error that names the server when it is silent', async () => {
    const { client } = await clientOf({ list: () => undefined })
    expect(await errorOf(() => listEntries(client, { serverName: 'notes', silenceMs: 20 }))).toMatch(/notes/)
  })
})
