import fc from 'fast-check'
import { hashOf, mcpToolName, serverPart } from '#13-one-interface/mcp-names.ts'
import { describe, expect, it } from '#support/test.ts'

const LEGAL = /^[a-zA-Z0-9_-]{1,128}$/

describe("task 3: the names of a server's tools", () => {
  it('leaves a legal name as it is, behind mcp__ and the server', () => {
    expect(mcpToolName('github', 'create_issue')).toBe('mcp__github__create_issue')
    expect(mcpToolName('my-server', 'get__it-now')).toBe('mcp__my-server__get__it-now')
  })

  it.for([
    ['a space', 'Dockerfile problems scanner'],
    ['a dot and a slash', 'a.b/c'],
    ['letters of another alphabet', 'вход'],
    ['an emoji', '🔧'],
    ['a line end', 'a\nb'],
    ['nothing at all', ''],
    ['120 characters', 'x'.repeat(120)],
    ['a thousand characters', 'y z'.repeat(333)],
  ])('makes a name legal that has %s', ([, name]) => {
    const made = mcpToolName('a-server-with-a-long-name-of-40-characters', name)
    expect(made).toMatch(LEGAL)
    expect(made.startsWith(`mcp__${serverPart('a-server-with-a-long-name-of-40-characters')}__`)).toBe(true)
  })

  it('can still be recognised by a reader', () => {
    expect(mcpToolName('docker', 'Dockerfile problems scanner')).toContain('Dockerfile_problems_scanner')
    expect(mcpToolName('docker', 'long'.repeat(40))).toContain('longlonglong')
  })

  it('keeps two tools apart whose names would become the same', () => {
    const names = ['a.b', 'a/b', 'a b', 'a_b'].map((name) => mcpToolName('s', name))
    expect(new Set(names).size, names.join(', ')).toBe(4)
    expect(names[3], 'the one that was legal').toBe('mcp__s__a_b')
  })

  it("ends with the hash of the tool's own name alone, whatever the server is called", () => {
    for (const server of ['s', 'another']) {
      expect(mcpToolName(server, 'a b')).toBe(`mcp__${server}__a_b_${hashOf('a b')}`)
    }
  })

  it('keeps two tools apart whose long names differ only at the end', () => {
    const long = 'z'.repeat(200)
    expect(mcpToolName('s', `${long}1`)).not.toBe(mcpToolName('s', `${long}2`))
  })

  it('uses all the room that there is before it cuts a name', () => {
    const prefix = 'mcp__s__'.length
    const fits = 'x'.repeat(128 - prefix)
    expect(mcpToolName('s', fits)).toBe(`mcp__s__${fits}`)
    expect(mcpToolName('s', `${fits}x`)).toHaveLength(128)
  })
})

describe("task 3: the server's part of the name", () => {
  it.for([
    ['github', 'github'],
    ['my server', 'my_server'],
    ['a__b', 'a_b'],
    ['_private_', 'private'],
    ['a._.b', 'a_b'],
    ['Ünïcode', 'n_code'],
  ])('of %s is %s', ([server, part]) => {
    expect(serverPart(server)).toBe(part)
  })

  it('is cut where it is too long, and still tells two servers apart', () => {
    const [one, two] = ['1', '2'].map((end) => serverPart(`${'long-'.repeat(20)}${end}`))
    expect(one.length).toBeLessThanOrEqual(40)
    expect(one).not.toBe(two)
  })

  it('never has two underscores in a row, wherever it is cut', () => {
    for (let length = 20; length < 50; length++) {
      const part = serverPart(`${'x'.repeat(length)}_${'y'.repeat(40)}`)
      expect(part, `cut near ${length}`).not.toMatch(/__|^_|_$/)
    }
  })

  it('tells servers apart of whose names nothing is left', () => {
    const parts = ['サーバー', '服务器', ''].map(serverPart)
    expect(new Set(parts).size).toBe(3)
    for (const part of parts) expect(part).toMatch(/^[a-zA-Z0-9_-]+$/)
  })
})

describe('task 3: any two names', () => {
  it('become a legal name from which the server can be read', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 150 })
    for (const [server, tool] of fc.sample(fc.tuple(anything, anything), { seed: 13, numRuns: 300 })) {
      const name = mcpToolName(server, tool)
      expect(name, `of ${JSON.stringify([server, tool])}`).toMatch(LEGAL)
      expect(name.slice('mcp__'.length).split('__')[0]).toBe(serverPart(server))
    }
  })
})
