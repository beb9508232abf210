import { freeId, legalName, readInput } from '#02-agent-loop/calls.ts'
import { describe, expect, it } from '#support/test.ts'

const LEGAL = /^[a-zA-Z0-9_-]+$/

describe('task 2: readInput', () => {
  it('takes an object as it is', () => {
    const input = { path: 'a.txt', deep: { list: ['{}'] } }
    expect(readInput(input)).toEqual({ input })
    expect(readInput({})).toEqual({ input: {} })
  })

  it.for([
    ['undefined', undefined],
    ['null', null],
    ['an empty string', ''],
    ['a blank string', ' \n'],
    ['null as JSON', ' null'],
  ] as const)('takes %s for the input of a tool without parameters', ([, raw]) => {
    const { input, problem } = readInput(raw)
    expect(input).toEqual({})
    expect(problem, 'a call without parameters is no problem').toBeUndefined()
  })

  it('parses an object that came as JSON', () => {
    const { input, problem } = readInput(' {"path": "a.txt", "limit": 2}')
    expect(input).toEqual({ path: 'a.txt', limit: 2 })
    expect(problem).toBeUndefined()
  })

  it.for<[string, unknown, string]>([
    ['JSON that breaks off', '{"path": "a.t', 'a.t'],
    ['a text', 'a.txt', 'a.txt'],
    ['a text as JSON', '"a.txt"', 'a.txt'],
    ['a list', ['a.txt'], 'a.txt'],
    ['a list as JSON', '["a.txt"]', 'a.txt'],
    ['a number', 42, '42'],
    ['a boolean', false, 'false'],
  ])('has a problem with %s, and {} for the transcript', ([, raw, named]) => {
    const { input, problem } = readInput(raw)
    expect(input).toEqual({})
    expect(problem, 'the model must read what came').toEqual(expect.stringContaining(named))
  })
})

describe('task 2: freeId', () => {
  it('keeps an id that nobody has', () => {
    expect(freeId('toolu_1', new Set())).toBe('toolu_1')
    expect(freeId('call-A_9', new Set(['toolu_1']))).toBe('call-A_9')
  })

  it('finds another id for one that is taken', () => {
    const taken = new Set(['toolu_1'])
    const ids = [freeId('toolu_1', taken)]
    for (let n = 0; n < 3; n++) {
      taken.add(ids[n])
      ids.push(freeId('toolu_1', taken))
    }
    expect(new Set(['toolu_1', ...ids]).size, 'each of them is new').toBe(5)
    for (const id of ids) expect(id).toEqual(expect.stringMatching(LEGAL))
  })

  it.for(['functions.read:0', 'call 1', 'été', 'a|b', ''])('makes "%s" an id that the API takes', (wanted) => {
    expect(freeId(wanted, new Set())).toEqual(expect.stringMatching(LEGAL))
  })

  it('finds a free one also when the id that it would make is taken', () => {
    const first = freeId('call:0', new Set())
    const second = freeId('call:0', new Set([first]))
    expect(second).toEqual(expect.stringMatching(LEGAL))
    expect(second).not.toBe(first)
  })
})

describe('given: legalName', () => {
  it('makes a name that the API takes of any name', () => {
    for (const name of ['read', 'functions.read', 'a b', '', 'a'.repeat(200)]) {
      expect(legalName(name)).toMatch(/^[a-zA-Z0-9_-]{1,128}$/)
    }
    expect(legalName('mcp__server__tool-1')).toBe('mcp__server__tool-1')
  })
})
