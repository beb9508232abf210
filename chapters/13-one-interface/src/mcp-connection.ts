import { Client } from '@modelcontextprotocol/client'
import type { AnyTool } from '#05-build-tool/tool.ts'
import { sayFailure } from '../given/mcp-failures.ts'
import { type McpServerConfig, ServerProcess } from '../given/server-process.ts'
import { type McpToolsOptions, mcpTools } from './mcp-tools.ts'

export type { McpServerConfig } from '../given/server-process.ts'

export interface ConnectOptions extends Omit<McpToolsOptions, 'serverName'> {
  /** How long the server may take to start, in milliseconds: 30,000 unless you say otherwise. */
  startMs?: number
  /** How long it may take to heed each of the three hints to end, in milliseconds: 1,000 unless you say otherwise. */
  graceMs?: number
}

const START_MS = 30_000
const GRACE_MS = 1_000

/**
 * Starts a server and shakes hands with it.
 *
 * - Where that fails (the command is not there, the process ends, nothing is said within `startMs`), it rejects with an
 *   Error that names the server and quotes the end of its stderr. The process has ended by then.
 * - `list_changed` of the server is heard from the beginning.
 */
export async function connectMcpServer(config: McpServerConfig, options: ConnectOptions = {}): Promise<McpConnection> {
  const server = new ServerProcess(config)
  const client = new Client({ name: 'agent-tools-workshop', version: '1.0.0' })
  const connection = new McpConnection(config.name, { client, server, options })
  // TODO(task 4): Connect, and leave nothing behind where it fails.
  throw new Error('TODO(task 4): connectMcpServer')
}

/** A server that runs, and the tools that it has. */
export class McpConnection {
  readonly name: string
  readonly #client: Client
  readonly #server: ServerProcess
  readonly #options: ConnectOptions
  /** The list that was asked for last, unless the server has said since that it has changed. */
  #listed: Promise<AnyTool[]> | undefined
  /** The last list that came. */
  #tools: AnyTool[] = []

  constructor(
    name: string,
    { client, server, options }: { client: Client; server: ServerProcess; options: ConnectOptions },
  ) {
    this.name = name
    this.#client = client
    this.#server = server
    this.#options = options
  }

  /** Whether the server can still be called. */
  get isConnected(): boolean {
    return this.#client.transport !== undefined
  }

  /** The number of the server's process, also when it has ended. */
  get processId(): number | undefined {
    return this.#server.processId
  }

  /**
   * The tools that the server has now: ask before each turn. Never rejects.
   *
   * - The server is asked once, however many wait for the answer, and again only after it has said that its list has
   *   changed. What it says while it is asked counts for the next time.
   * - A list that could not be had is one warning, however many have waited for it. The list before it stays, and the next
   *   time the server is asked again.
   * - What becomes of an old question changes nothing about a newer one: neither a failure nor a list that comes late.
   * - A server that has ended has no tools, also when it ends while it is asked.
   */
  async tools(): Promise<AnyTool[]> {
    // TODO(task 4): Ask only when there may be something new.
    throw new Error('TODO(task 4): tools')
  }

  /** The server has said that its list has changed. */
  forgetTools(): void {
    // TODO(task 4): Whatever was asked before may be old.
    throw new Error('TODO(task 4): forgetTools')
  }

  /**
   * Ends the connection and the server. Resolves when the process is gone, however stubborn it is: it is told three times,
   * `graceMs` apart. Calls that are under way are answered with an error. To close what is closed does nothing. Never
   * rejects.
   */
  async close(): Promise<void> {
    // TODO(task 4): Close the client, and see to it that the process ends.
    throw new Error('TODO(task 4): close')
  }
}
