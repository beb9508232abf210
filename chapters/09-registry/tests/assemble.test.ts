import { toApiTool } from '#05-build-tool/tool.ts'
import { assembleTools } from '#09-registry/assemble.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { namesOf, ordersOf, tool } from './tools.ts'

const bash = tool('Bash', { aliases: ['Shell'] })
const read = tool('Read')
const grep = tool('Grep', { isEnabled: () => false })
const createIssue = tool('mcp__github__create_issue')
const search = tool('mcp__docs__search')
const upper = tool('mcp__Zoo__feed')

const namesFor = (sources: Parameters<typeof assembleTools>[0]) => namesOf(assembleTools(sources).tools)

describe('task 3: order', () => {
  it('puts the base tools first and the MCP tools behind them, both by name', () => {
    const names = namesFor({ base: [read, bash], mcp: [createIssue, search] })
    expect(names).toEqual(['Bash', 'Read', 'mcp__docs__search', 'mcp__github__create_issue'])
  })

  it('keeps base tools first even where the name of an MCP tool comes before theirs', () => {
    expect(namesFor({ base: [read, bash], mcp: [tool('Aardvark')] })).toEqual(['Bash', 'Read', 'Aardvark'])
  })

  it('compares names by code units: Z comes before a, and _ before both', () => {
    const names = namesFor({ base: [], mcp: [tool('b'), tool('Z'), tool('a_c'), tool('ab'), tool('aB')] })
    expect(names).toEqual(['Z', 'aB', 'a_c', 'ab', 'b'])
  })

  it('builds the same bytes of a request, whatever the order of discovery', async () => {
    const requests = new Set<string>()
    for (const mcp of ordersOf([createIssue, search, upper])) {
      for (const base of ordersOf([bash, read])) {
        const { tools } = assembleTools({ base, mcp })
        requests.add(JSON.stringify(await Promise.all(tools.map((each) => toApiTool(each, { tools })))))
      }
    }
    expect([...requests]).toHaveLength(1)
  })

  it('gives the same warnings, whatever the order of discovery', () => {
    const clashing = [tool('Read'), tool('x', { aliases: ['y'] }), tool('y'), tool('Shell')]
    const all = ordersOf(clashing).map((mcp) => assembleTools({ base: [bash, read], mcp }).warnings.join('\n'))
    expect([...new Set(all)]).toHaveLength(1)
    const rivals = [tool('x', { aliases: ['p'] }), tool('x', { aliases: ['q'] }), tool('b', { aliases: ['p'] })]
    const warnings = ordersOf(rivals).map((mcp) => assembleTools({ base: [], mcp }).warnings.join('\n'))
    expect([...new Set(warnings)], 'three that clash with one another').toHaveLength(1)
  })

  it('leaves the arrays as they were', () => {
    const base = [read, bash]
    const mcp = [createIssue, search]
    assembleTools({ base, mcp })
    expect([namesOf(base), namesOf(mcp)]).toEqual([
      ['Read', 'Bash'],
      ['mcp__github__create_issue', 'mcp__docs__search'],
    ])
  })

  it('asks no tool for its schema or its prompt', () => {
    const refuse = () => {
      throw new Error('it was asked')
    }
    const shy = Object.defineProperties(tool('Shy'), { inputSchema: { get: refuse }, prompt: { value: refuse } })
    expect(namesFor({ base: [shy, read], mcp: [search] })).toEqual(['Read', 'Shy', 'mcp__docs__search'])
  })
})

describe('task 3: what is left out', () => {
  it('leaves out tools that are not enabled, base and MCP, without a word', () => {
    const off = tool('mcp__a__off', { isEnabled: () => false })
    expect(assembleTools({ base: [grep, read], mcp: [off] })).toEqual({ tools: [read], warnings: [] })
  })

  it.for([
    ['Bash', 'its name'],
    ['Shell', 'an alias'],
    ['Bash(*)', 'its name, and any call'],
    [' Bash ', 'its name among spaces'],
    ['B*', 'a pattern'],
    ['She*', 'a pattern for an alias'],
  ])('leaves out Bash, without a word, when "%s" is denied (%s)', ([rule]) => {
    const { tools, warnings } = assembleTools({ base: [bash, read], mcp: [], deny: ['WebFetch', rule] })
    expect([namesOf(tools), warnings]).toEqual([['Read'], []])
  })

  it.for(['Bash(rm *)', 'bash', 'Bas', 'Bash_', 'Bash(', 'Ba*x', '', 'constructor'])(
    'keeps Bash when "%s" is denied',
    (rule) => {
      expect(namesFor({ base: [bash, read], deny: [rule] })).toEqual(['Bash', 'Read'])
    },
  )

  it.for([
    ['mcp__github', 'mcp__docs__search mcp__githubber__x'],
    ['mcp__github__*', 'mcp__docs__search mcp__githubber__x'],
    ['mcp__github__create_issue', 'mcp__docs__search mcp__github__list mcp__githubber__x'],
    ['mcp__github__list', 'mcp__docs__search mcp__github__create_issue mcp__githubber__x'],
    ['mcp__*__s*', 'mcp__github__create_issue mcp__github__list mcp__githubber__x'],
    ['mcp__*', ''],
    ['mcp', 'mcp__docs__search mcp__github__create_issue mcp__github__list mcp__githubber__x'],
    ['mcp__github__l', 'mcp__docs__search mcp__github__create_issue mcp__github__list mcp__githubber__x'],
    ['mcp__git', 'mcp__docs__search mcp__github__create_issue mcp__github__list mcp__githubber__x'],
  ])('denies by "%s" the MCP tools that it names, and no others', ([rule, kept]) => {
    const mcp = [createIssue, search, tool('mcp__github__list'), tool('mcp__githubber__x')]
    expect(namesFor({ base: [read], mcp, deny: [rule] }).join(' ')).toBe(['Read', kept].join(' ').trim())
  })
})

describe('task 3: clashes', () => {
  it.for<[string, string[], string[], string]>([
    ['two names', [], [], 'One'],
    ['a name and an alias', [], ['One'], 'One'],
    ['an alias and a name', ['Two'], [], 'Two'],
    ['two aliases', ['Old'], ['Older', 'Old'], 'Old'],
  ])('refuses base tools with %s in common, and names both tools and the name', async ([, first, second, shared]) => {
    const two = shared === 'One' && second.length === 0 ? 'One' : 'Two'
    const base = [read, tool('One', { aliases: first }), tool(two, { aliases: second })]
    for (const list of ordersOf(base)) {
      const message = await errorOf(() => assembleTools({ base: list }))
      for (const name of ['One', two, shared]) expect(message).toContain(name)
      expect(message).not.toContain('Read')
    }
  })

  it('has nothing against a tool that has its own name for an alias', () => {
    expect(namesFor({ base: [tool('Read', { aliases: ['Read', 'View', 'View'] })] })).toEqual(['Read'])
  })

  it('lets two alternatives share a name as long as one of them is disabled', () => {
    const other = tool('Grep')
    expect(assembleTools({ base: [grep, other] }).tools).toEqual([other])
  })

  it('refuses a clash of base tools also where one of them is denied', async () => {
    const base = [bash, tool('Run', { aliases: ['Shell'] })]
    expect(await errorOf(() => assembleTools({ base, deny: ['Run'] }))).toMatch(/Bash.*Run|Run.*Bash/)
  })

  it('does not look into what all objects have when it compares names', () => {
    const base = [tool('constructor'), tool('toString'), tool('__proto__')]
    expect(namesFor({ base })).toEqual(['__proto__', 'constructor', 'toString'])
  })

  it.for<[string, string, string[], RegExp]>([
    ['has its name', 'Read', [], /Read/],
    ['has its alias for a name', 'Shell', [], /Shell.*Bash|Bash.*Shell/],
    ['has its name for an alias', 'mcp__evil__x', ['Read'], /mcp__evil__x.*Read|Read.*mcp__evil__x/],
    ['has its alias for an alias', 'mcp__evil__y', ['Other', 'Shell'], /mcp__evil__y.*Bash|Bash.*mcp__evil__y/],
  ])('keeps the built-in tool, and warns, when an MCP tool %s', ([, name, aliases, warning]) => {
    const { tools, warnings } = assembleTools({ base: [bash, read], mcp: [tool(name, { aliases }), search] })
    expect(tools).toEqual([bash, read, search])
    expect(warnings).toEqual([expect.stringMatching(warning)])
  })

  it('lets no MCP tool take the name of a base tool that is denied or disabled', () => {
    const mcp = [tool('Grep'), tool('Shell')]
    const { tools, warnings } = assembleTools({ base: [bash, grep, read], mcp, deny: ['Bash'] })
    expect(namesOf(tools)).toEqual(['Read'])
    expect(warnings.join('\n')).toContain('Grep')
  })

  it('leaves out both of two MCP tools that share a name or alias, and warns of each', () => {
    const mcp = [tool('mcp__a__x', { aliases: ['old'] }), tool('mcp__b__x', { aliases: ['old'] }), search]
    const { tools, warnings } = assembleTools({ base: [read], mcp })
    expect(namesOf(tools)).toEqual(['Read', 'mcp__docs__search'])
    expect(warnings).toHaveLength(2)
    for (const warning of warnings) expect(warning).toMatch(/mcp__a__x.*mcp__b__x|mcp__b__x.*mcp__a__x/)
  })

  it('leaves out MCP tools of one name, however many, and keeps one whose rival is disabled', () => {
    const rival = tool('mcp__c__y', { isEnabled: () => false })
    const kept = tool('mcp__c__y')
    const three = [tool('mcp__a__x'), tool('mcp__a__x'), tool('mcp__a__x')]
    expect(assembleTools({ base: [], mcp: [...three, rival, kept] }).tools).toEqual([kept])
  })

  it('keeps an MCP tool whose rival is denied, and warns of nothing', () => {
    const mcp = [tool('mcp__a__x', { aliases: ['old'] }), tool('mcp__b__x', { aliases: ['old'] })]
    const { tools, warnings } = assembleTools({ base: [], mcp, deny: ['mcp__a__x'] })
    expect([namesOf(tools), warnings]).toEqual([['mcp__b__x'], []])
  })

  it('says nothing of a denied MCP tool that has the name of a built-in one', () => {
    const mcp = [tool('mcp__evil__x', { aliases: ['Read'] })]
    expect(assembleTools({ base: [read], mcp, deny: ['mcp__evil'] })).toEqual({ tools: [read], warnings: [] })
  })

  it('warns of an MCP tool that has the name of a built-in one, also where that is denied', () => {
    const { warnings } = assembleTools({ base: [bash], mcp: [tool('Shell')], deny: ['Bash'] })
    expect(warnings).toEqual([expect.stringMatching(/Shell.*Bash|Bash.*Shell/)])
  })

  it('works without MCP tools, and without any tool', () => {
    expect(assembleTools({ base: [read] })).toEqual({ tools: [read], warnings: [] })
    expect(assembleTools({ base: [] })).toEqual({ tools: [], warnings: [] })
  })
})
