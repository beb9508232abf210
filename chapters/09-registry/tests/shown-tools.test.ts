import { type AppState, toApiTool } from '#05-build-tool/tool.ts'
import { FOUND_TOOLS, foundTools, rememberFound, toolsToShow } from '#09-registry/shown-tools.ts'
import { createToolSearch } from '#09-registry/tool-search.ts'
import { createContext } from '#support/context.ts'
import { toolDispatch } from '#support/run-tool.ts'
import { describe, expect, it } from '#support/test.ts'
import { namesOf, tool } from './tools.ts'

const search = createToolSearch()
const tools = [tool('Bash'), tool('Read'), search, tool('mcp__a__one'), tool('mcp__b__two'), tool('mcp__c__three')]

const shown = (found: unknown, list = tools, isDeferred?: Parameters<typeof toolsToShow>[1]['isDeferred']) =>
  namesOf(toolsToShow(list, { state: { [FOUND_TOOLS]: found }, isDeferred }))

/** What `rememberFound` makes of a state. */
function remembered(state: AppState, ...batches: string[][]): AppState {
  for (const names of batches) rememberFound((update) => (state = update(state)), names)
  return state
}

describe('task 5: what the model is shown', () => {
  it('shows no deferred tool before it was found', () => {
    expect(namesOf(toolsToShow(tools, { state: {} }))).toEqual(['Bash', 'Read', 'ToolSearch'])
  })

  it('shows found tools behind all others, in the order in which they were found', () => {
    const names = shown(['mcp__c__three', 'mcp__a__one'])
    expect(names).toEqual(['Bash', 'Read', 'ToolSearch', 'mcp__c__three', 'mcp__a__one'])
  })

  it('keeps the beginning of the request as it was when a tool is found', async () => {
    const bytes = async (found: string[]) => {
      const list = toolsToShow(tools, { state: { [FOUND_TOOLS]: found } })
      return JSON.stringify(await Promise.all(list.map((each) => toApiTool(each, { tools }))))
    }
    const [none, one, two] = await Promise.all([[], ['mcp__b__two'], ['mcp__b__two', 'mcp__a__one']].map(bytes))
    expect(one.startsWith(none.slice(0, -1))).toBe(true)
    expect(two.startsWith(one.slice(0, -1))).toBe(true)
  })

  it('keeps the order of the list for tools that are not deferred', () => {
    const list = [tool('mcp__z'), tool('Zed'), search, tool('Alpha')]
    expect(shown([], list)).toEqual(['Zed', 'ToolSearch', 'Alpha'])
  })

  it('lets the caller say which tools are deferred', () => {
    const names = shown(['Bash'], tools, ({ name }) => name === 'Read' || name === 'Bash')
    expect(names).toEqual(['ToolSearch', 'mcp__a__one', 'mcp__b__two', 'mcp__c__three', 'Bash'])
  })

  it('shows a tool once that was found and is not deferred any more', () => {
    expect(shown(['Read', 'mcp__a__one'])).toEqual(['Bash', 'Read', 'ToolSearch', 'mcp__a__one'])
  })

  it('shows a tool once that stands twice among the found', () => {
    expect(shown(['mcp__a__one', 'mcp__a__one'])).toEqual(['Bash', 'Read', 'ToolSearch', 'mcp__a__one'])
  })

  it('leaves out a found tool that is gone, and has it again when it is back', () => {
    const found = ['mcp__gone__x', 'mcp__a__one', 'constructor']
    expect(shown(found)).toEqual(['Bash', 'Read', 'ToolSearch', 'mcp__a__one'])
    expect(shown(found, [...tools, tool('mcp__gone__x')]).slice(3)).toEqual(['mcp__gone__x', 'mcp__a__one'])
  })

  it('never defers ToolSearch', () => {
    expect(shown([], tools, () => true)).toEqual(['ToolSearch'])
    expect(
      shown(['ToolSearch'], tools, () => true),
      'nor counts it among the found',
    ).toEqual(['ToolSearch'])
    expect(
      shown([], [search], () => true),
      'alone, it has nothing to find',
    ).toEqual([])
  })

  it('hides ToolSearch where there is nothing to be found', () => {
    expect(shown([], [tool('Bash'), search, tool('Read')])).toEqual(['Bash', 'Read'])
    expect(shown([], tools, () => false)).not.toContain('ToolSearch')
  })

  it('remembers tools by name: an alias in the state means nothing', () => {
    const list = [search, tool('mcp__a__one', { aliases: ['One'] })]
    expect(shown(['One'], list)).toEqual(['ToolSearch'])
  })

  it('keeps ToolSearch when all deferred tools are found, so that nothing moves', () => {
    expect(shown(['mcp__a__one'], [search, tool('mcp__a__one')])).toEqual(['ToolSearch', 'mcp__a__one'])
  })

  it('shows every tool where there is no ToolSearch', () => {
    const list = [tool('mcp__a__one'), tool('Bash'), tool('mcp__b__two')]
    expect(shown([], list)).toEqual(['mcp__a__one', 'Bash', 'mcp__b__two'])
  })

  it('gives each caller an array of its own, and leaves the list as it was', () => {
    const list = [tool('Bash'), tool('mcp__a__one')]
    toolsToShow(list, { state: {} }).length = 0
    expect(namesOf(list)).toEqual(['Bash', 'mcp__a__one'])
  })
})

describe('task 5: what is remembered', () => {
  it('adds names behind those that were there, each once', () => {
    expect(foundTools(remembered({}, ['b', 'a'], ['c', 'b', 'c'], ['a', 'd']))).toEqual(['b', 'a', 'c', 'd'])
  })

  it('keeps the rest of the state', () => {
    expect(remembered({ settings: { theme: 'dark' } }, ['a'])).toMatchObject({ settings: { theme: 'dark' } })
  })

  it('changes no state that was there before', () => {
    const before = Object.freeze({ [FOUND_TOOLS]: Object.freeze(['a']) })
    expect(foundTools(remembered(before, ['b']))).toEqual(['a', 'b'])
    expect(before).toEqual({ [FOUND_TOOLS]: ['a'] })
  })

  it('starts anew where the state has something that is no list of names', () => {
    expect(foundTools(remembered({ [FOUND_TOOLS]: 'all' }, ['a']))).toEqual(['a'])
    expect(foundTools(remembered({ [FOUND_TOOLS]: [null, 'x', 7] }, ['a']))).toEqual(['x', 'a'])
  })

  it('loses nothing when updates are applied later than they were asked for', () => {
    const updates: Array<(state: AppState) => AppState> = []
    rememberFound((update) => updates.push(update), ['a'])
    rememberFound((update) => updates.push(update), ['b'])
    const state = updates.reduce<AppState>((now, update) => update(now), { [FOUND_TOOLS]: ['z'] })
    expect(foundTools(state)).toEqual(['z', 'a', 'b'])
  })

  it('gives the same list when an update is applied twice, as some stores do', () => {
    const state: AppState = { [FOUND_TOOLS]: ['z'] }
    const applied: AppState[] = []
    rememberFound((update) => applied.push(update(state), update(state)), ['a'])
    expect(applied.map(foundTools)).toEqual([
      ['z', 'a'],
      ['z', 'a'],
    ])
  })
})

describe('task 5: search, then show', () => {
  const list = [
    tool('Read'),
    search,
    tool('mcp__mail__send', { searchHint: 'write to people' }),
    tool('mcp__sea__tide', { aliases: ['Tide'] }),
  ]

  function session() {
    const context = createContext('/', { options: { tools: list, isNonInteractiveSession: true } })
    const run = toolDispatch(list, context)
    return {
      shown: () => namesOf(toolsToShow(list, { state: context.getAppState() })),
      find: async (input: object) => String((await run('ToolSearch', input, { id: 'toolu_1' })).content),
    }
  }

  it('shows a tool from the turn after it was found by words', async () => {
    const { shown, find } = session()
    expect(shown()).toEqual(['Read', 'ToolSearch'])
    expect(await find({ query: 'write people' })).toContain('mcp__mail__send')
    expect(shown()).toEqual(['Read', 'ToolSearch', 'mcp__mail__send'])
  })

  it('shows a tool that was found by name or alias, and tells of names that there are not', async () => {
    const { shown, find } = session()
    expect(shown()).not.toContain('mcp__sea__tide')
    expect(await find({ query: 'select:Tide,Wind' })).toMatch(/mcp__sea__tide.*Wind/s)
    expect(shown()).toEqual(['Read', 'ToolSearch', 'mcp__sea__tide'])
  })

  it('remembers both of two searches that run side by side', async () => {
    const { shown, find } = session()
    expect(shown()).toHaveLength(2)
    await Promise.all([find({ query: 'tide' }), find({ query: 'mail' })])
    expect(shown().sort()).toEqual(['Read', 'ToolSearch', 'mcp__mail__send', 'mcp__sea__tide'])
  })

  it('finds no tool by words that is shown anyway, and says of one that is selected that it is there', async () => {
    const { shown, find } = session()
    const before = shown()
    expect(await find({ query: 'read' })).not.toContain('Read')
    expect(await find({ query: 'select:Read' })).toContain('Read')
    expect(shown()).toEqual(before)
  })

  it('finds as many tools as it is asked for', async () => {
    const { shown, find } = session()
    expect(shown()).toHaveLength(2)
    await find({ query: 'mcp', max_results: '1' })
    expect(shown()).toHaveLength(3)
  })
})
