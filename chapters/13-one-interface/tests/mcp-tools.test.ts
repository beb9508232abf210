import type { Client } from '@modelcontextprotocol/client'
import { toApiTool } from '#05-build-tool/tool.ts'
import { assembleTools } from '#09-registry/assemble.ts'
import { hashOf } from '#13-one-interface/mcp-names.ts'
import { mcpTools } from '#13-one-interface/mcp-tools.ts'
import { checkRequest } from '#support/api-rules.ts'
import { describe, errorOf, expect } from '#support/test.ts'
import { clientOf, entry, everythingServer, it, tool } from './setup.ts'

const everything = everythingServer()

/** The tools of a client, and the warnings about them. */
async function toolsOf(client: Client, serverName = 's') {
  const warnings: string[] = []
  const tools = await mcpTools(client, { serverName, onWarning: (warning) => void warnings.push(warning) })
  const find = (end: string) => tools.find(({ name }) => name.endsWith(end)) ?? expect.fail(`there is no ${end}`)
  return { tools, warnings, find, names: tools.map(({ name }) => name) }
}

async function listed(...entries: unknown[]) {
  const { client } = await clientOf({ list: () => ({ tools: entries }) })
  return toolsOf(client)
}

describe("task 4: a server's tools", () => {
  it("are tools like any other: the API takes those of the protocol's own server", async () => {
    const { tools, names, warnings } = await toolsOf(everything(), 'everything')
    expect(names).toContain('mcp__everything__echo')
    expect(warnings).toEqual([])
    const shown = await Promise.all(tools.map((each) => toApiTool(each, { tools })))
    checkRequest({ messages: [{ role: 'user', content: 'hi' }], tools: shown })
    const sum = shown.find(({ name }) => name === 'mcp__everything__get-sum')!
    expect(sum.input_schema).toMatchObject({ required: ['a', 'b'], properties: { a: { type: 'number' } } })
  })

  it('leave out what the API would refuse, each with a warning, and keep all others', async ({ startClient }) => {
    const { tools, names, warnings } = await toolsOf(await startClient(), 'faulty')
    checkRequest({
      messages: [{ role: 'user', content: 'hi' }],
      tools: await Promise.all(tools.map((each) => toApiTool(each, { tools }))),
    })
    for (const bad of ['no-root', 'either', 'odd-key', 'no-schema']) {
      expect(names.join(), 'left out').not.toContain(bad)
      expect(warnings.filter((warning) => warning.includes(bad) && warning.includes('faulty'))).toHaveLength(1)
    }
    for (const good of ['echo', 'a_b_c', 'twice', 'grow', 'Dockerfile']) expect(names.join()).toContain(good)
  })

  it('have the schema as it came', async () => {
    const inputSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      'x-odd': [1, { a: null }],
    }
    const { tools } = await listed({ name: 'a', inputSchema })
    expect(tools[0].inputJSONSchema).toEqual(inputSchema)
    expect((await toApiTool(tools[0], { tools })).input_schema).toEqual(inputSchema)
  })

  it('that are no tools at all are left out, with a warning', async () => {
    const { names, warnings } = await listed('text', null, 42, { inputSchema: { type: 'object' } }, entry('good'))
    expect(names).toEqual(['mcp__s__good'])
    expect(warnings).toHaveLength(4)
  })

  it('of the same name are one: the first, with a warning', async () => {
    const { tools, warnings } = await listed(
      entry('a', { description: 'first' }),
      entry('a', { description: 'second' }),
    )
    expect(tools).toHaveLength(1)
    expect(await tools[0].prompt({ tools })).toBe('first')
    expect(warnings).toEqual([expect.stringMatching(/\ba\b|__a\b/)])
  })

  it('of different names that become the same for the model are one: the first, with a warning', async () => {
    const [odd, legal] = ['a b', `a_b_${hashOf('a b')}`]
    for (const [first, second] of [
      [odd, legal],
      [legal, odd],
    ]) {
      const { tools, names, warnings } = await listed(
        entry(first, { description: 'first' }),
        entry(second, { description: 'second' }),
      )
      expect(names).toEqual([`mcp__s__${legal}`])
      expect(await tools[0].prompt({ tools })).toBe('first')
      expect(warnings).toHaveLength(1)
    }
  })

  it('come in the order of the list', async () => {
    const { names } = await listed(entry('b'), entry('c'), entry('a'))
    expect(names).toEqual(['mcp__s__b', 'mcp__s__c', 'mcp__s__a'])
  })

  it.for([
    ['nothing', undefined, [false, false, true]],
    ['an empty object', {}, [false, false, true]],
    ['that it only reads', { readOnlyHint: true }, [true, true, false]],
    ['that it writes, but destroys nothing', { readOnlyHint: false, destructiveHint: false }, [false, false, false]],
    ['that it destroys', { destructiveHint: true }, [false, false, true]],
    ['that it reads and destroys', { readOnlyHint: true, destructiveHint: true }, [true, true, false]],
    ['the text "true"', { readOnlyHint: 'true', destructiveHint: 'false' }, [false, false, true]],
    ['something that is no object', 'read-only', [false, false, true]],
  ] as const)(
    'take the cautious answer for all but a clear hint: the annotations say %s',
    async ([, annotations, flags]) => {
      const { tools } = await listed(entry('a', { annotations }))
      const [{ isReadOnly, isConcurrencySafe, isDestructive }] = tools
      expect([isReadOnly({}), isConcurrencySafe({}), isDestructive({})]).toEqual(flags)
    },
  )

  it('are not asked for where the server says that it has none', async () => {
    const { client, requests } = await clientOf({ capabilities: {}, list: () => ({ tools: [entry('a')] }) })
    expect((await toolsOf(client)).tools).toEqual([])
    expect(requests.map(({ method }) => method)).not.toContain('tools/list')
  })

  it('are an error that names the server when the list cannot be had', async () => {
    const { client } = await clientOf({ list: () => ({ error: { code: -32603, message: 'no disk' } }) })
    expect(await errorOf(() => mcpTools(client, { serverName: 'notes' }))).toMatch(/notes.*no disk/)
  })

  it('never shadow a built-in, nor the tools of another server', async () => {
    const mine = await listed(entry('Bash'), entry('Read'))
    const { tools, warnings } = assembleTools({ base: [tool('Bash')], mcp: mine.tools })
    expect(tools.map(({ name }) => name)).toEqual(['Bash', 'mcp__s__Bash', 'mcp__s__Read'])
    expect(warnings).toEqual([])
    const twin = await clientOf({ list: () => ({ tools: [entry('x'), entry('only-here')] }) })
    const other = await clientOf({ list: () => ({ tools: [entry('x')] }) })
    const mcp = [...(await toolsOf(twin.client, 'a b')).tools, ...(await toolsOf(other.client, 'a.b')).tools]
    const both = assembleTools({ base: [], mcp })
    expect(both.tools.map(({ name }) => name)).toEqual(['mcp__a_b__only-here'])
    expect(both.warnings).toHaveLength(2)
  })

  it('say no more of themselves than fits, and their name where they say nothing', async () => {
    const { tools } = await listed(entry('a', { description: 'x'.repeat(100_000) }), entry('b', { description: '' }))
    const [long, none] = await Promise.all(tools.map((each) => each.prompt({ tools })))
    expect(long.length).toBeLessThanOrEqual(2_000)
    expect(none).toBe('b')
  })

  it('have nothing in their name for people that a terminal would obey', async () => {
    const { tools } = await listed(entry('a', { title: 'Nice\u001b[2J\nname' }))
    expect(tools[0].userFacingName()).toMatch(/^s: Nice.*name$/)
    expect(tools[0].userFacingName()).not.toMatch(/\p{Cc}/u)
  })
})
