import { toApiTool } from '#05-build-tool/tool.ts'
import { describe, expect, it } from '#support/test.ts'
import { namesOf, tool } from './tools.ts'

/** The processes and sockets that this process holds. */
const held = () => process.getActiveResourcesInfo().filter((type) => /process|tcp|udp|worker/i.test(type))

const before = held()
const { getAllBaseTools } = await import('#09-registry/registry.ts')
const afterImport = held()

const ALWAYS = 'Bash BashOutput Edit KillShell NotebookEdit Read ToolSearch WebFetch Write'.split(' ')

const namesFor = (features: object, env: Record<string, string | undefined> = {}) =>
  namesOf(getAllBaseTools({ features, env }))

describe('task 1: getAllBaseTools', () => {
  it('lists the tools that are always there, with Glob and Grep, when no gate is set', () => {
    expect(namesFor({}).sort()).toEqual([...ALWAYS, 'Glob', 'Grep'].sort())
  })

  it('leaves out Glob and Grep, and nothing else, where search is built into the shell', () => {
    expect(namesFor({ embeddedSearch: true }).sort()).toEqual(ALWAYS)
  })

  it('adds Sleep, and nothing else, where its feature is on', () => {
    expect(namesFor({ sleep: true }).sort()).toEqual([...ALWAYS, 'Glob', 'Grep', 'Sleep'].sort())
  })

  it.for<[string, unknown]>([
    ['false', false],
    ['undefined', undefined],
    ['the text "false"', 'false'],
    ['the number 1', 1],
  ])('keeps a gate as it is without its feature when the feature is %s', ([, value]) => {
    expect(namesFor({ sleep: value, embeddedSearch: value }).sort()).toEqual([...ALWAYS, 'Glob', 'Grep'].sort())
  })

  it.for(['1', 'true'])('adds Config, and nothing else, where WORKSHOP_CONFIG_TOOL is "%s"', (value) => {
    const names = namesFor({}, { WORKSHOP_CONFIG_TOOL: value })
    expect(names.sort()).toEqual([...ALWAYS, 'Config', 'Glob', 'Grep'].sort())
  })

  it.for(['0', 'false', '', 'no', '2', 'off', 'TRUE', ' 1'])(
    'leaves Config out where WORKSHOP_CONFIG_TOOL is "%s"',
    (value) => {
      expect(namesFor({}, { WORKSHOP_CONFIG_TOOL: value })).not.toContain('Config')
    },
  )

  it('opens all gates at once', () => {
    const names = namesFor({ sleep: true, embeddedSearch: true }, { WORKSHOP_CONFIG_TOOL: '1' })
    expect(names.sort()).toEqual([...ALWAYS, 'Config', 'Sleep'].sort())
  })

  it('looks at process.env in each call where no environment is given', () => {
    const before = process.env.WORKSHOP_CONFIG_TOOL
    try {
      process.env.WORKSHOP_CONFIG_TOOL = '1'
      expect(namesOf(getAllBaseTools())).toContain('Config')
      delete process.env.WORKSHOP_CONFIG_TOOL
      expect(namesOf(getAllBaseTools())).not.toContain('Config')
    } finally {
      if (before !== undefined) process.env.WORKSHOP_CONFIG_TOOL = before
    }
  })

  it('gives each caller an array of its own', () => {
    getAllBaseTools({ env: {} }).length = 0
    expect(namesFor({})).toContain('Read')
  })

  it('has no two tools with a name or an alias in common', () => {
    const tools = getAllBaseTools({ features: { sleep: true }, env: { WORKSHOP_CONFIG_TOOL: '1' } })
    const names = tools.flatMap(({ name, aliases }) => [name, ...aliases])
    expect(names).toEqual([...new Set(names)])
  })

  it('tells ToolSearch which tools are deferred', async () => {
    const search = getAllBaseTools({ env: {}, isDeferred: ({ name }) => name === 'Rare' }).find(
      ({ name }) => name === 'ToolSearch',
    )
    const prompt = await search!.prompt({ tools: [tool('Rare'), tool('mcp__a__b')] })
    expect(prompt).toContain('Rare')
    expect(prompt).not.toContain('mcp__a__b')
  })

  it('has a valid entry for the API for each tool, and words by which ToolSearch finds it', async () => {
    const tools = getAllBaseTools({ features: { sleep: true }, env: { WORKSHOP_CONFIG_TOOL: '1' } })
    for (const each of tools) {
      const { description, input_schema } = await toApiTool(each, { tools })
      expect(description, each.name).toBeTruthy()
      expect(input_schema.type, each.name).toBe('object')
      expect(each.searchHint, each.name).toBeTruthy()
    }
  })
})

describe('given: the tools of all chapters', () => {
  it('are imported without starting a process or opening a socket', () => {
    expect(afterImport).toEqual(before)
  })
})
