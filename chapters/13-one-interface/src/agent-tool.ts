import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { lazySchema } from '#03-contract/contract.ts'
import {
  type AnyTool,
  buildTool,
  type CanUseTool,
  type ToolProgress,
  type ToolUseContext,
  toApiTool,
} from '#05-build-tool/tool.ts'
import { endBashSession } from '#08-bash/session.ts'
import { toolsToShow } from '#09-registry/shown-tools.ts'
import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import type { Dispatch, Model } from '../../02-agent-loop/given/types.ts'
import { pipelineDispatch } from '../../11-pipeline/given/loop-dispatch.ts'
import { answersOf } from '../../12-streaming-executor/given/bind.ts'
import { executorSchedule } from '../../12-streaming-executor/given/loop-schedule.ts'
import { answerOf } from '../given/agent-answer.ts'
import { AGENT_TYPES, type AgentType } from '../given/agent-types.ts'
import { pauseWhileAsking, pipelineContextOf } from '../given/pipeline-context.ts'
import { startTimeLimit } from '../given/time-limit.ts'
import { addUsage, noUsage, type Usage } from '../given/usage.ts'
import { AGENT, childContext, childPermissions, childTools } from './child-context.ts'

export { AGENT_TYPES, type AgentType } from '../given/agent-types.ts'
export type { Usage } from '../given/usage.ts'
export { AGENT } from './child-context.ts'

export interface AgentToolOptions {
  /** Makes the model that a sub-agent of this type talks to: what it is called, and what it reads before all else. */
  createModel(options: { model: string; system: string; type: AgentType }): Model
  /** The kinds of sub-agents that there are, one at least: AGENT_TYPES unless you say otherwise. The first is the default. */
  types?: readonly AgentType[]
  /** How deep agents may nest. 1 unless you say otherwise: a sub-agent has none of its own. */
  maxDepth?: number
  /** How many calls of one sub-agent may run at the same time. */
  maxParallel?: number
  /** How long one call of a sub-agent may take, in milliseconds: 15 minutes unless you say otherwise. */
  maxCallMs?: number
  /** How long a sub-agent may take in all, in milliseconds: an hour unless you say otherwise. */
  maxAgentMs?: number
}

const MAX_TURNS = 50
const MAX_CALL_MS = 15 * 60_000
const MAX_AGENT_MS = 60 * 60_000

/** What a sub-agent has to say in the end, and what it took. */
export interface AgentOutput {
  text: string
  /** How often its model answered. After `pause_turn`, two answers are one message of the conversation, and two turns. */
  turns: number
  usage: Usage
}

/** What goes up to the parent while a sub-agent works: a call of its begins, says something, has its result. */
export type AgentProgress = AgentNews & { agent: string; toolUseID: string; name: string }
type AgentNews =
  | { type: 'agent_call'; input: unknown }
  | { type: 'agent_progress'; data: ToolProgress }
  | { type: 'agent_result'; isError: boolean }

const agentInput = lazySchema(() =>
  z.strictObject({
    description: z.string().describe('The task in three to five words.'),
    prompt: z.string().describe('The task, with all that the agent must know: it sees nothing of this conversation.'),
    subagent_type: z.string().optional().describe('Which kind of agent does it.'),
  }),
)

/** `Agent {description, prompt, subagent_type?}`: another agent, as a tool of this one. */
export function createAgentTool(options: AgentToolOptions): AnyTool {
  const { types = AGENT_TYPES, maxDepth = 1 } = options
  const typeOf = (name: string | undefined) =>
    name === undefined ? types[0] : types.find((type) => type.name === name)
  const isReadOnly = ({ subagent_type }: { subagent_type?: string }) => typeOf(subagent_type)?.readOnly === true

  return buildTool({
    name: AGENT,
    aliases: ['Task'],
    searchHint: 'hand a task to a sub-agent',
    get inputSchema() {
      return agentInput()
    },
    maxResultSizeChars: 100_000,
    isReadOnly,
    isConcurrencySafe: isReadOnly,
    description: async ({ description = 'a task' }) => `Start a sub-agent: ${description}`,
    prompt: async () =>
      `Starts an agent that does a task by itself and gives one answer.\n${types.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}`,

    async validateInput({ prompt, subagent_type }) {
      if (!typeOf(subagent_type)) {
        const names = types.map(({ name }) => name).join(', ')
        return { result: false, message: `There is no subagent_type "${subagent_type}". Available: ${names}.` }
      }
      if (prompt.trim() === '') return { result: false, message: 'prompt is blank. Say what the agent is to do.' }
      return { result: true }
    },

    async call({ prompt, subagent_type }, context, canUseTool, parentMessage, onProgress) {
      const type = typeOf(subagent_type)!
      const nested = maxDepth > 1 ? createAgentTool({ ...options, maxDepth: maxDepth - 1 }) : undefined
      return { data: await runAgent({ type, prompt, nested, context, canUseTool, parentMessage, onProgress }, options) }
    },

    mapToolResultToToolResultBlockParam: ({ text }, toolUseID) => ({
      type: 'tool_result',
      tool_use_id: toolUseID,
      content: text,
    }),
    renderToolUseMessage: ({ description = '', subagent_type }) =>
      subagent_type ? `${subagent_type}: ${description}` : description,
    renderToolResultMessage: ({ turns, usage }) =>
      `Done in ${turns} turns, ${usage.input_tokens + usage.output_tokens} tokens`,
  })
}

export interface AgentCall {
  type: AgentType
  prompt: string
  /** The Agent that the sub-agent may use itself, if it may. */
  nested: AnyTool | undefined
  context: ToolUseContext
  canUseTool: CanUseTool
  /** The answer of the parent's model in which the call stands. */
  parentMessage: Anthropic.Message
  onProgress(progress: AgentProgress): void
}

/**
 * Runs a sub-agent to its end, and gives its one answer (`answerOf`).
 *
 * - It is chapter 02's loop: its messages are the prompt alone, its calls are run by `dispatchFor`, in the order of chapter
 *   12's executor (`executorSchedule`). Each of its answers has an executor of its own: a parent takes a place in its
 *   own while it waits, and no number of waiting parents can take the places that their children need.
 * - Its model is the one that its type names, or else the one that gave `parentMessage`. In each turn it is shown
 *   `toolsToShow` of its own tools, with its own app state.
 * - It ends when the parent is aborted, and when it has taken `maxAgentMs`. It does not abort its parent.
 * - When it is over, however it ends, so is everything that its shell has in the background (`endBashSession`), and no
 *   timer stays, and no listener on its parent's signal.
 */
export async function runAgent(call: AgentCall, options: AgentToolOptions): Promise<AgentOutput> {
  const { maxAgentMs = MAX_AGENT_MS, maxParallel } = options
  // TODO(task 2): Give the loop a conversation of its own, and end everything with it.
  throw new Error('TODO(task 2): runAgent')
}

/**
 * How a sub-agent's call is run: by chapter 11's pipeline, with `childPermissions`, and with a time limit of its own.
 *
 * - A call that takes longer than `maxCallMs` is aborted, and answered with an error that names the tool and the limit. The
 *   sub-agent goes on: a tool that hangs costs its own result. Time in which a person is asked does not count.
 * - What goes up to the parent: `agent_call` before the pipeline has the call, `agent_progress` for what it says on its way, and
 *   `agent_result` when it is over, each with the name of the type, and the call's id and name. `isError` is what the
 *   sub-agent's model is told: true as well for a call that was refused, or whose time was up.
 * - No timer stays when the call is over, whatever came of it.
 */
function dispatchFor(call: AgentCall, context: PipelineContext, options: AgentToolOptions): Dispatch {
  const { maxCallMs = MAX_CALL_MS } = options
  // TODO(task 2): Run the call through the pipeline, within its time, and tell the parent.
  throw new Error('TODO(task 2): dispatchFor')
}

/** The tools that a model is shown in this turn, as the API wants them. */
function apiTools(context: PipelineContext): Promise<Anthropic.Tool[]> {
  const { tools } = context.options
  return Promise.all(toolsToShow(tools, { state: context.getAppState() }).map((tool) => toApiTool(tool, { tools })))
}
