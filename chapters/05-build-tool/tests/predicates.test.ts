import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { type AnyTool, answerFor, buildTool, type Predicate } from '#05-build-tool/tool.ts'
import { describe, expect, it } from '#support/test.ts'
import { definitionWith, minimal, toolWith } from './definitions.ts'

/** What people have written for a predicate. Each ought to be a doubt. */
const faults: Array<[string, () => unknown]> = [
  [
    'throws',
    () => {
      throw new Error('no such file')
    },
  ],
  ['gives a promise of true', async () => true],
  ['gives a promise of false', async () => false],
  ['gives a text', () => 'false'],
  ['gives a number', () => 1],
  ['gives nothing', () => undefined],
  ['gives null', () => null],
]

const cautious = { isConcurrencySafe: false, isReadOnly: false, isDestructive: true }
const predicates = Object.keys(cautious) as Predicate[]

/** The rejections that nobody has caught when `action` is over. */
async function strayRejections(action: () => void): Promise<unknown[]> {
  const others = process.listeners('unhandledRejection')
  const stray: unknown[] = []
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (reason) => stray.push(reason))
  try {
    action()
    await setImmediate()
    await setImmediate()
    return stray
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of others) process.on('unhandledRejection', listener)
  }
}

describe('task 3: the tool of buildTool can be asked without fear', () => {
  it('hands the input to the author, and the answer back', () => {
    const seen: unknown[] = []
    const small = (input: { n: number }) => seen.push(input) > 0 && input.n < 10
    const tool = toolWith({ isConcurrencySafe: small, isReadOnly: small, isDestructive: () => true })
    const [little, much] = [{ n: 1 }, { n: 11 }]
    expect([tool.isConcurrencySafe(little), tool.isConcurrencySafe(much)]).toEqual([true, false])
    expect([tool.isReadOnly(little), tool.isReadOnly(much)]).toEqual([true, false])
    expect([tool.isDestructive(little), tool.isDestructive(much)]).toEqual([false, true])
    for (const input of seen) expect([little, much]).toContain(input)
  })

  it.for(faults)('is not concurrency-safe when the predicate %s', ([, fault]) => {
    expect(toolWith({ isConcurrencySafe: fault }).isConcurrencySafe({ n: 1 })).toBe(false)
  })

  it.for(faults)('is not read-only when the predicate %s', ([, fault]) => {
    expect(toolWith({ isReadOnly: fault }).isReadOnly({ n: 1 })).toBe(false)
  })

  it.for(faults)('is destructive when the predicate %s', ([, fault]) => {
    expect(toolWith({ isDestructive: fault }).isDestructive({ n: 1 })).toBe(true)
  })

  it.for(faults)('is not enabled when isEnabled %s', ([, fault]) => {
    expect(toolWith({ isEnabled: fault }).isEnabled()).toBe(false)
  })

  it('survives a predicate that is no function at all', () => {
    const tool = toolWith({ isReadOnly: true, isDestructive: null, isEnabled: 'yes' })
    expect([tool.isReadOnly({ n: 1 }), tool.isDestructive({ n: 1 }), tool.isEnabled()]).toEqual([false, true, false])
    expect(toolWith({ isEnabled: null }).isEnabled(), 'null is an answer, and a doubtful one').toBe(false)
  })

  it('answers with the default where a predicate is undefined', () => {
    const tool = toolWith({ isReadOnly: undefined, isDestructive: undefined, isEnabled: undefined })
    expect([tool.isReadOnly({}), tool.isDestructive({}), tool.isEnabled()]).toEqual([false, true, true])
  })

  it('asks what the definition said when the tool was made', () => {
    const definition = definitionWith({ isReadOnly: () => false, isEnabled: () => false })
    const tool = buildTool(definition)
    definition.isReadOnly = () => true
    definition.isEnabled = () => true
    expect([tool.isReadOnly({ n: 1 }), tool.isEnabled()]).toEqual([false, false])
  })

  it('leaves no rejection behind when an async predicate fails: that would end the program', async () => {
    const fault = async () => {
      throw new Error('no such file')
    }
    const tool = toolWith({ isConcurrencySafe: fault, isReadOnly: fault, isDestructive: fault, isEnabled: fault })
    const stray = await strayRejections(() => {
      for (const predicate of predicates) tool[predicate]({ n: 1 })
      tool.isEnabled()
    })
    expect(stray).toEqual([])
  })

  it('is not destructive where it is read-only, whatever the author says', () => {
    expect(toolWith({ isReadOnly: () => true }).isDestructive({ n: 1 }), 'by default, too').toBe(false)
    expect(toolWith({ isReadOnly: () => true, isDestructive: () => true }).isDestructive({ n: 1 })).toBe(false)
  })

  it('is destructive where it is not read-only, unless the author says otherwise', () => {
    expect(toolWith({ isReadOnly: () => false }).isDestructive({ n: 1 })).toBe(true)
    expect(toolWith({ isDestructive: () => false }).isDestructive({ n: 1 })).toBe(false)
    expect(toolWith({ isReadOnly: async () => true }).isDestructive({ n: 1 }), 'a doubt is not read-only').toBe(true)
  })

  it('lets one predicate ask another with this', () => {
    const tool = buildTool({
      ...minimal,
      isReadOnly: ({ n }) => n < 10,
      isConcurrencySafe(input) {
        return this.isReadOnly(input)
      },
    })
    expect([tool.isConcurrencySafe({ n: 1 }), tool.isConcurrencySafe({ n: 11 })]).toEqual([true, false])
    const { isConcurrencySafe } = tool
    expect(isConcurrencySafe({ n: 1 }), 'the tool itself needs no this').toBe(true)
  })

  it.for([...predicates, 'isEnabled'] as const)('gives %s the tool as its this', (question) => {
    const seen: unknown[] = []
    const tool = toolWith({
      [question](this: AnyTool) {
        seen.push(this.name)
        return question !== 'isDestructive'
      },
    })
    expect(tool[question]({ n: 1 }), 'an error of the author is not to be seen here').toBe(question !== 'isDestructive')
    expect(seen).toEqual(['Double'])
  })

  it('gives the author who asks with this the safe answer, not the promise', () => {
    const tool = toolWith({
      isReadOnly: async () => true,
      isConcurrencySafe(this: AnyTool, input: unknown) {
        return !!this.isReadOnly(input)
      },
    })
    expect(tool.isConcurrencySafe({ n: 1 }), 'a promise is truthy').toBe(false)
  })

  it('asks isEnabled each time, and not before', () => {
    let enabled = false
    const tool = toolWith({ isEnabled: () => enabled })
    expect(tool.isEnabled()).toBe(false)
    enabled = true
    expect(tool.isEnabled()).toBe(true)
  })
})

describe('task 4: answerFor', () => {
  /** A tool that answers against all caution, and remembers what it was asked about. */
  function boldTool(parts: object = {}): { tool: AnyTool; seen: unknown[] } {
    const seen: unknown[] = []
    const says = (answer: boolean) => (input: unknown) => seen.push(input) > 0 && answer
    return { seen, tool: toolWith({ isConcurrencySafe: says(true), isDestructive: says(false), ...parts }) }
  }

  it('asks the predicate about the input as the schema reads it', () => {
    const { tool, seen } = boldTool()
    expect(answerFor(tool, 'isConcurrencySafe', { n: '20' })).toBe(true)
    expect(answerFor(tool, 'isDestructive', '{"n":20}')).toBe(false)
    expect(seen, '"20" came as text').toEqual([{ n: 20 }, { n: 20 }])
  })

  it('gives each predicate its own answer', () => {
    const { tool } = boldTool({ isReadOnly: ({ n }: { n: number }) => n < 10 })
    expect(predicates.map((predicate) => answerFor(tool, predicate, { n: 1 }))).toEqual([true, true, false])
    expect(predicates.map((predicate) => answerFor(tool, predicate, { n: 11 }))).toEqual([true, false, false])
  })

  it('is cautious about a tool whose author says nothing', () => {
    for (const predicate of predicates) {
      expect(answerFor(toolWith({}), predicate, { n: 1 }), predicate).toBe(cautious[predicate])
    }
  })

  it.for<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'rm -rf /'],
    ['a list', [{ n: 1 }]],
    ['an object without the field', {}],
    ['a field of a wrong type', { n: 'many' }],
    ['a field that the schema does not know', { n: 1, force: true }],
  ])('is cautious when the model sent %s, and the predicate never sees it', ([, raw]) => {
    const { tool, seen } = boldTool({ isReadOnly: (input: unknown) => seen.push(input) > 0 })
    for (const predicate of predicates) expect(answerFor(tool, predicate, raw), predicate).toBe(cautious[predicate])
    expect(seen).toEqual([])
  })

  it.for<[string, object]>([
    [
      'cannot be had',
      {
        get inputSchema() {
          throw new Error('settings are not loaded')
        },
      },
    ],
    [
      'throws',
      {
        inputSchema: z.object({
          n: z.number().transform(() => {
            throw new Error('bug')
          }),
        }),
      },
    ],
    ['must be waited for', { inputSchema: z.object({ n: z.number().refine(async () => true) }) }],
    ['is no schema', { inputSchema: {} }],
  ])('is cautious, and does not throw, when the schema %s', ([, parts]) => {
    const { tool } = boldTool({ isReadOnly: () => true })
    const broken = Object.defineProperties({ ...tool }, Object.getOwnPropertyDescriptors(parts)) as AnyTool
    for (const predicate of predicates) {
      expect(answerFor(broken, predicate, { n: 1 }), predicate).toBe(cautious[predicate])
    }
  })

  it('is cautious, and does not throw, when the input cannot even be looked at', () => {
    const { tool } = boldTool()
    const { proxy, revoke } = Proxy.revocable({ n: 1 }, {})
    revoke()
    for (const predicate of predicates) expect(answerFor(tool, predicate, proxy)).toBe(cautious[predicate])
  })

  it('is cautious, and does not throw, when a tool made by hand does', () => {
    const fault = () => {
      throw new Error('no such file')
    }
    const tool = { ...toolWith({}), isConcurrencySafe: fault, isReadOnly: fault, isDestructive: fault }
    for (const predicate of predicates) {
      expect(answerFor(tool, predicate, { n: 1 }), predicate).toBe(cautious[predicate])
    }
  })
})
