import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type Anthropic from '@anthropic-ai/sdk'
import type { AnyTool, CanUseTool } from '#05-build-tool/tool.ts'
import { endBashSession } from '#08-bash/session.ts'
import { assembleTools, type Features, getAllBaseTools } from '#09-registry/registry.ts'
import { createCanUseTool, type PermissionContext, type PermissionRule } from '#10-permissions/decide.ts'
import { readRules } from '#10-permissions/rules.ts'
import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import { createAgentTool } from '#13-one-interface/agent-tool.ts'
import { connectMcpServer, type McpConnection, type McpServerConfig } from '#13-one-interface/mcp-connection.ts'
import { createContext } from '../../05-build-tool/given/context.ts'
import { subAgentModel } from './sub-agent-model.ts'
import { Problem } from './terminal/problem.ts'

export interface SessionOptions {
  client: Pick<Anthropic, 'messages'>
  maxTokens: number
  /** The folder to work in: absolute, without links. */
  cwd: string
  mode: PermissionContext['mode']
  rules: PermissionRule[]
  features?: Features
  servers?: McpServerConfig[]
  /** Is told about tools that could not join. */
  warn(text: string): void
}

/** What the turns of a session share: its tools, its rules, what its tools remember. */
export interface Session {
  readonly permissions: Readonly<PermissionContext>
  readonly tools: readonly AnyTool[]
  readonly canUseTool: CanUseTool
  /** Lets all calls that the rule covers run unasked, until the session ends. */
  allow(rule: string): void
  /** Asks the MCP servers which tools they have now. */
  refreshTools(): Promise<void>
  /** What a run needs. With `askUser`, a person is there. */
  contextFor(abortController: AbortController, askUser?: PipelineContext['askUser']): PipelineContext
  /** Ends every process that the session has started, and takes its files away. */
  close(): Promise<void>
}

/**
 * Starts a session. Throws a RuleError for a rule that cannot be read; rejects with a Problem where an MCP server does not
 * start.
 */
export async function startSession(options: SessionOptions): Promise<Session> {
  const { cwd, mode, features, servers = [], warn } = options
  const rules = [...options.rules]
  readRules(rules)
  const resultsDir = mkdtempSync(join(tmpdir(), 'agent-results-'))
  const permissions: PermissionContext = { mode, rules, roots: [cwd, resultsDir], cwd, home: homedir(), trusted: true }
  const connections: McpConnection[] = []
  const agent = createAgentTool({ createModel: subAgentModel(options.client, options.maxTokens) })
  const base = [...getAllBaseTools({ features }), agent]
  const deny = rules.flatMap(({ behavior, text }) => (behavior === 'deny' ? [text] : []))
  let tools: readonly AnyTool[] = assembleTools({ base, deny }).tools
  const warned = new Set<string>()
  const warnOnce = (text: string) => {
    if (!warned.has(text)) warn(text)
    warned.add(text)
  }
  const shared = createContext(cwd)

  const session: Session = {
    permissions,
    get tools() {
      return tools
    },
    canUseTool: createCanUseTool(() => permissions),
    allow(text) {
      rules.push({ text, behavior: 'allow', source: 'session' })
    },
    async refreshTools() {
      if (connections.length === 0) return
      const mcp = (await Promise.all(connections.map((connection) => connection.tools()))).flat()
      const assembled = assembleTools({ base, mcp, deny })
      tools = assembled.tools
      assembled.warnings.forEach(warnOnce)
    },
    contextFor(abortController, askUser) {
      const isNonInteractiveSession = askUser === undefined
      return {
        ...shared,
        abortController,
        hooks: {},
        resultsDir,
        askUser,
        options: {
          isNonInteractiveSession,
          get tools() {
            return tools
          },
        },
      }
    },
    async close() {
      await Promise.all([endBashSession(shared), ...connections.map((connection) => connection.close())])
      rmSync(resultsDir, { recursive: true, force: true })
    },
  }
  try {
    for (const server of servers) connections.push(await connect(server, warnOnce))
    await session.refreshTools()
  } catch (error) {
    await session.close()
    throw error
  }
  return session
}

/** Starts one MCP server. Where that fails, its command is what the person should look at. */
async function connect(server: McpServerConfig, onWarning: (text: string) => void): Promise<McpConnection> {
  try {
    return await connectMcpServer(server, { onWarning })
  } catch (error) {
    const line = [server.command, ...(server.args ?? [])].join(' ')
    throw new Problem(1, `${(error as Error).message}\nTry by itself what starts it: ${line}`)
  }
}
