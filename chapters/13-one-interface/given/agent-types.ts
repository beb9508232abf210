/** A kind of sub-agent. */
export interface AgentType {
  /** What the model calls it by, in `subagent_type`. */
  name: string
  /** When to use it: the model reads this. */
  description: string
  /** What the sub-agent reads before everything else. */
  system: string
  /** The names of the tools that it may have. Left out: all that the parent has. */
  tools?: readonly string[]
  /** It changes nothing: whatever is not read-only is refused, and so several may run at the same time. */
  readOnly?: boolean
  /** The name of the model. Left out: the one that gave the parent's answer. */
  model?: string
  /** How often its model is asked, at most. 50 if left out. */
  maxTurns?: number
}

const REPORT =
  'You work for another agent, which sees nothing of what you do: only your last message. Say in it what was asked for, with paths and line numbers, and nothing else.'

/** The kinds that there are unless somebody says otherwise. The first is the one that is taken when none is named. */
export const AGENT_TYPES: readonly AgentType[] = [
  {
    name: 'general-purpose',
    description: 'For work of several steps. Has all tools, and may change files.',
    system: `You do one task to its end, with the tools that you have. ${REPORT}`,
  },
  {
    name: 'Explore',
    description: 'Searches and reads code, and changes nothing. Several of them can run at the same time.',
    system: `You search a code base and answer a question about it. You change nothing. ${REPORT}`,
    tools: ['Read', 'Grep', 'Glob'],
    readOnly: true,
  },
]
