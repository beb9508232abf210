import { z } from 'zod'
import { lazySchema, semanticNumber } from '#03-contract/contract.ts'
import { type AnyTool, buildTool } from '#05-build-tool/tool.ts'
import { byCodeUnits, wordsOf } from '../given/words.ts'
import { findToolByName } from './find-tool.ts'
import { type IsDeferred, isMcpTool, rememberFound, TOOL_SEARCH } from './shown-tools.ts'

/** What one word of a query is worth, by the best place where a tool has it. */
const POINTS = { name: 10, searchHint: 4, prompt: 1 }

/**
 * The tools that are asked for by name: `select:Read,mcp__github__create_issue`. Undefined for a query that does not
 * start with `select:`.
 *
 * `found` has the tools in the order in which they are asked for, each once; `findToolByName` says what a name means.
 * `missing` has the names that mean no tool. Spaces around a name, and empty names, count for nothing.
 */
export function selectTools(
  tools: readonly AnyTool[],
  query: string,
): { found: AnyTool[]; missing: string[] } | undefined {
  // TODO(task 4): Read the names behind select:, and look each of them up.
  throw new Error('TODO(task 4): selectTools')
}

/**
 * The tools that fit the words of `query`, best first, at most `limit` of them.
 *
 * - `wordsOf` says what the words are, of the query and of a tool's name, `searchHint` and prompt. A word of the query
 *   is in a text if a word of the text begins with it: `issue` is in "list issues".
 * - A word of the query is worth the POINTS of the best of the three places that it is in, once, and nothing if it is
 *   in none. A tool's worth is the sum. A tool worth nothing is not found.
 * - Of two tools of the same worth, the one whose name is first by `byCodeUnits` comes first, whatever the order of
 *   `tools`.
 * - A prompt that fails counts as empty. The prompts get all of `tools`, and it makes no difference which is there first.
 */
export async function searchTools(tools: readonly AnyTool[], query: string, limit: number): Promise<AnyTool[]> {
  // TODO(task 4): Score each tool, drop those that have nothing of the query, and rank the others.
  throw new Error('TODO(task 4): searchTools')
}

/** What the words are worth in this tool. Never rejects. */
async function scoreOf(tool: AnyTool, words: readonly string[], tools: readonly AnyTool[]): Promise<number> {
  // TODO(task 4): Add up what each word is worth, by the best place that has it.
  throw new Error('TODO(task 4): scoreOf')
}

/** What the tool says to the model, or nothing if it fails to. Never rejects. */
async function promptOf(tool: AnyTool, tools: readonly AnyTool[]): Promise<string> {
  try {
    return await tool.prompt({ tools })
  } catch {
    return ''
  }
}

const toolSearchInput = lazySchema(() =>
  z.strictObject({
    query: z.string().max(1_000).describe('Words to look for, or "select:Name,Name" for tools that you know by name.'),
    max_results: semanticNumber(
      z.number().int().min(1).max(50).optional().describe('How many tools to find by words. 5 if left out.'),
    ),
  }),
)

export interface ToolSearchOutput {
  /** Tools that the model is shown from the next turn on. */
  found: string[]
  /** Tools that were asked for by name and are shown anyway. */
  alreadyShown: string[]
  /** Names that no tool has. */
  missing: string[]
  /** How many tools there are to be found. */
  searched: number
}

/** `ToolSearch {query, max_results?}`: finds deferred tools, and puts them among those that the model is shown. */
export function createToolSearch({ isDeferred = isMcpTool }: { isDeferred?: IsDeferred } = {}) {
  const deferredOf = (tools: readonly AnyTool[]) =>
    tools.filter((tool) => tool.name !== TOOL_SEARCH && isDeferred(tool))

  return buildTool({
    name: TOOL_SEARCH,
    searchHint: 'find more tools',
    get inputSchema() {
      return toolSearchInput()
    },
    maxResultSizeChars: 20_000,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    toAutoClassifierInput: () => '',
    description: async ({ query = '' }) => `Look for tools: ${query}`,
    renderToolUseMessage: ({ query = '' }) => query,
    async prompt({ tools }) {
      const names = deferredOf(tools).map((tool) => tool.name)
      const list = names.toSorted(byCodeUnits).join('\n')
      return `Finds tools that are there and not in your list. You can call a tool from the turn after it was found.\n${list}`
    },

    async validateInput({ query }) {
      if (wordsOf(query.replace(/^select:/, '')).length > 0) return { result: true }
      return { result: false, message: 'query has no word to look for. Say what the tool should do, or "select:Name".' }
    },

    async call({ query, max_results = 5 }, { options: { tools }, setAppState }): Promise<{ data: ToolSearchOutput }> {
      const deferred = deferredOf(tools)
      const selected = selectTools(tools, query)
      const matches = selected?.found ?? (await searchTools(deferred, query, max_results))
      const namesIf = (wanted: boolean) =>
        matches.filter((tool) => deferred.includes(tool) === wanted).map(({ name }) => name)
      const found = namesIf(true)
      rememberFound(setAppState, found)
      const missing = selected?.missing ?? []
      return { data: { found, alreadyShown: namesIf(false), missing, searched: deferred.length } }
    },

    mapToolResultToToolResultBlockParam: (output, toolUseID) => ({
      type: 'tool_result',
      tool_use_id: toolUseID,
      content: shown(output),
    }),
    renderToolResultMessage: ({ found }) => (found.length > 0 ? `Found ${found.join(', ')}` : 'Found nothing'),
  })
}

function shown({ found, alreadyShown, missing, searched }: ToolSearchOutput): string {
  const lines = [
    found.length > 0 ? `From your next turn on you can call: ${found.join(', ')}` : '',
    alreadyShown.length > 0 ? `Already in your list: ${alreadyShown.join(', ')}` : '',
    missing.length > 0 ? `No such tool: ${missing.join(', ')}` : '',
  ].filter((line) => line !== '')
  return lines.join('\n') || `None of the ${searched} tools fits. Try other words for what it should do.`
}
