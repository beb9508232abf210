import { createToolSearch, searchTools, selectTools } from '#09-registry/tool-search.ts'
import { createContext } from '#support/context.ts'
import { describe, expect, it } from '#support/test.ts'
import { namesOf, ordersOf, tool } from './tools.ts'

const createIssue = tool('mcp__github__create_issue', { prompt: async () => 'Opens a ticket in a repository.' })
const listIssues = tool('mcp__github__listIssues', { searchHint: 'show open tickets' })
const sendMail = tool('mcp__mail__send', { searchHint: 'write to people', prompt: async () => 'Sends an e-mail.' })
const notebook = tool('NotebookEdit', { aliases: ['EditCell'], searchHint: 'change a cell of a Jupyter notebook' })
const tools = [createIssue, listIssues, sendMail, notebook]

const search = async (query: string, limit = 10, list = tools) => namesOf(await searchTools(list, query, limit))

describe('task 4: select', () => {
  it('finds tools by name, in the order in which they are asked for', () => {
    const { found, missing } = selectTools(tools, 'select:NotebookEdit,mcp__mail__send')!
    expect([found, missing]).toEqual([[notebook, sendMail], []])
  })

  it('finds a tool by its alias', () => {
    expect(selectTools(tools, 'select:EditCell')!.found).toEqual([notebook])
  })

  it('gives a tool once, however often and by whatever name it is asked for', () => {
    expect(selectTools(tools, 'select:EditCell,NotebookEdit,EditCell')!.found).toEqual([notebook])
  })

  it('tells the names that no tool has, and finds the others', () => {
    const { found, missing } = selectTools(tools, 'select:notebookedit,NotebookEdit,constructor')!
    expect([found, missing]).toEqual([[notebook], ['notebookedit', 'constructor']])
  })

  it('ignores spaces around names and names that are empty', () => {
    const { found, missing } = selectTools(tools, 'select: NotebookEdit ,, mcp__mail__send,')!
    expect([found, missing]).toEqual([[notebook, sendMail], []])
  })

  it.for(['NotebookEdit', 'SELECT:NotebookEdit', 'please select:NotebookEdit', 'select NotebookEdit', ''])(
    'takes "%s" for words, not for names',
    (query) => {
      expect(selectTools(tools, query)).toBeUndefined()
    },
  )
})

describe('task 4: search by words', () => {
  it('finds a tool by a word of its name, its hint or its prompt', async () => {
    expect(await search('mail')).toEqual(['mcp__mail__send'])
    expect(await search('jupyter')).toEqual(['NotebookEdit'])
    expect(await search('repository')).toEqual(['mcp__github__create_issue'])
  })

  it('takes capitals for small letters, in the query and in the tools', async () => {
    expect(await search('JUPYTER Notebook')).toEqual(['NotebookEdit'])
  })

  it('splits names into words, also where a capital starts one', async () => {
    expect(await search('issues')).toEqual(['mcp__github__listIssues'])
    expect(await search('edit')).toEqual(['NotebookEdit'])
    expect(await search('listIssues', 1), 'the query, too').toEqual(['mcp__github__listIssues'])
  })

  it('finds a word by its beginning, and not by its middle or its end', async () => {
    expect(await search('repo')).toEqual(['mcp__github__create_issue'])
    expect(await search('book')).toEqual([])
    expect(await search('repositories')).toEqual([])
  })

  it('ranks the name above the hint, and the hint above the prompt', async () => {
    const list = [
      tool('a', { prompt: async () => 'the weather' }),
      tool('b', { searchHint: 'the weather' }),
      tool('weather'),
    ]
    for (const order of ordersOf(list)) expect(await search('weather', 10, order)).toEqual(['weather', 'b', 'a'])
  })

  it('adds up the words of a query: two in the hint are less than one in the name', async () => {
    const list = [
      tool('both', { searchHint: 'the tide and the wind' }),
      tool('tide'),
      tool('one', { searchHint: 'the wind' }),
    ]
    expect(await search('tide wind', 10, list)).toEqual(['tide', 'both', 'one'])
    expect(await search('wind tide and', 10, list)).toEqual(['both', 'tide', 'one'])
  })

  it('counts a word once, in the best place that has it', async () => {
    const everywhere = tool('b_wind', { searchHint: 'wind', prompt: async () => 'wind' })
    expect(await search('wind', 10, [everywhere, tool('a_wind')])).toEqual(['a_wind', 'b_wind'])
  })

  it('counts a word once, however often the query says it', async () => {
    const list = [tool('a', { searchHint: 'rain' }), tool('wind')]
    expect(await search('rain rain RAIN wind', 10, list)).toEqual(['wind', 'a'])
  })

  it('orders equals by the code units of their names, whatever the order of the list', async () => {
    const list = [tool('wind_b'), tool('wind_Z'), tool('wind_a')]
    for (const order of ordersOf(list)) {
      expect(await search('wind', 10, order)).toEqual(['wind_Z', 'wind_a', 'wind_b'])
    }
  })

  it('waits for no prompt before it asks for the next, and does not care which is there first', async () => {
    const answers: Array<(prompt: string) => void> = []
    const names = ['c', 'a', 'b']
    const prompt = () =>
      new Promise<string>((resolve) => {
        answers.push(resolve)
        if (answers.length === names.length) for (const answer of answers.toReversed()) answer('the tide')
      })
    const list = names.map((name) => tool(name, { prompt }))
    expect(await search('tide', 10, list)).toEqual(['a', 'b', 'c'])
  })

  it('gives no more than the limit, and the best', async () => {
    expect(await search('github issue', 1)).toEqual(['mcp__github__create_issue'])
    expect(await search('github mail', 2)).toEqual(['mcp__github__create_issue', 'mcp__github__listIssues'])
  })

  it('finds nothing for a query without words, and for words that no tool has', async () => {
    expect([await search('?!'), await search(''), await search('constructor')]).toEqual([[], [], []])
  })

  it('finds a tool whose prompt fails by its name, and the others by theirs', async () => {
    const broken = tool('mcp__down__mail', { prompt: () => Promise.reject(new Error('the server is gone')) })
    const thrown = tool('mcp__off__mail', {
      prompt: () => {
        throw new Error('thrown at once')
      },
    })
    const found = await search('mail', 10, [broken, sendMail, thrown])
    expect(found).toEqual(['mcp__down__mail', 'mcp__mail__send', 'mcp__off__mail'])
  })

  it('finds a tool that has no hint', async () => {
    expect(await search('letters', 10, [tool('plain', { searchHint: undefined })])).toEqual(['plain'])
    expect(await search('undefined', 10, [tool('plain', { searchHint: undefined })])).toEqual([])
  })

  it('hands all tools to each prompt', async () => {
    const list = [tool('a'), tool('b', { prompt: async (options) => options.tools.map(({ name }) => name).join(' ') })]
    expect(await search('a', 10, list)).toEqual(['a', 'b'])
  })

  it('leaves the list as it was', async () => {
    const list = [...tools]
    await search('github issue mail notebook', 10, list)
    expect(list).toEqual(tools)
  })
})

describe('given: ToolSearch', () => {
  const context = createContext('/')

  it('tells the model the names of the deferred tools, in the same order whatever the order of the list', async () => {
    const prompts = await Promise.all(ordersOf(tools).map((list) => createToolSearch().prompt({ tools: list })))
    expect(new Set(prompts).size).toBe(1)
    expect(prompts[0]).toMatch(/mcp__github__create_issue\nmcp__github__listIssues\nmcp__mail__send/)
    expect(prompts[0]).not.toContain('NotebookEdit')
  })

  it.for(['', '  ', '?', 'select:', 'select: , '])(
    'refuses the query "%s": there is nothing to look for',
    async (query) => {
      expect(await createToolSearch().validateInput({ query }, context)).toMatchObject({ result: false })
    },
  )

  it('accepts words and names', async () => {
    for (const query of ['mail', 'select:Read']) {
      expect(await createToolSearch().validateInput({ query }, context)).toEqual({ result: true })
    }
  })

  it('may run beside other calls', () => {
    expect(createToolSearch().isConcurrencySafe({ query: 'mail' })).toBe(true)
  })
})
