import type { AnyTool } from '#05-build-tool/tool.ts'

/**
 * The tool that a call means, or undefined. A name is compared as it is, capitals included.
 * The tool *called* `name` wins over one that has it for an alias, wherever the two stand in the list.
 */
export function findToolByName(tools: readonly AnyTool[], name: string): AnyTool | undefined {
  // TODO(task 2): Look among the names first, and among the aliases only then.
  throw new Error('TODO(task 2): findToolByName')
}

/** How much of a name that a model made up is quoted, in UTF-16 code units. */
const MAX_QUOTED = 100

/**
 * What the model reads when it calls a tool that there is not: the name as a JSON text, cut after MAX_QUOTED; the name
 * of each tool that it may have meant; and the names of all tools, in the order of `tools`.
 *
 * It may have meant a tool whose name or alias is the same but for capitals, `_` and `-`: `read` and `notebook_edit`
 * mean Read and NotebookEdit. Suggested is always the tool's name, and nothing where there is no such tool. Names of
 * which nothing is left without `_` and `-` resemble nothing.
 */
export function explainUnknownTool(tools: readonly AnyTool[], name: string): string {
  // TODO(task 2): Name what came, what may have been meant, and what there is.
  throw new Error('TODO(task 2): explainUnknownTool')
}

function namesOf(tools: readonly AnyTool[]): string {
  return tools.map((tool) => tool.name).join(', ')
}
