import type { Client } from '@modelcontextprotocol/client'
import { toolsPage } from '../given/mcp-definitions.ts'
import { sayFailure } from '../given/mcp-failures.ts'
import { type McpToolsOptions, SILENCE_MS } from '../given/mcp-options.ts'

/** More pages than an honest server has. */
export const MAX_PAGES = 100
/** More tools than anybody needs of one server. */
export const MAX_TOOLS = 1_000

/**
 * All entries of the server's list of tools, page after page, as they came.
 *
 * - A page says in `nextCursor` what to ask for next. One that says nothing, or an empty text, is the last.
 * - A list need not have an end: with MAX_PAGES pages, or with MAX_TOOLS entries or more, there are no more questions, and
 *   the first MAX_TOOLS entries are what counts. Where an entry is left out by that, or a next page is not asked for, one
 *   warning names the server.
 * - Rejects with an Error that says what `sayFailure` says, with `tools/list` for what was asked.
 */
export async function listEntries(client: Client, options: McpToolsOptions): Promise<unknown[]> {
  const { serverName, silenceMs = SILENCE_MS, onWarning } = options
  const askForPage = (cursor?: string) =>
    client.request({ method: 'tools/list', params: { cursor } }, toolsPage(), { timeout: silenceMs })
  // TODO(task 3): Turn the pages, and stop where there are too many.
  throw new Error('TODO(task 3): listEntries')
}
