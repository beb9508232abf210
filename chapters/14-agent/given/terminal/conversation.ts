import type Anthropic from '@anthropic-ai/sdk'
import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import { type AgentEvent, type AgentResult, runAgent } from '#14-agent/agent.ts'
import { addUsage, NO_USAGE, usageOf } from '#14-agent/usage.ts'
import { Timeline } from '../../../12-streaming-executor/given/timeline.ts'
import { append } from '../blocks.ts'
import type { Session } from '../session.ts'
import { systemPrompt } from '../system-prompt.ts'
import type { ChosenModel } from './choose-model.ts'
import type { Totals } from './closing-line.ts'
import { waitingForAnswer } from './waiting-for-answer.ts'

export interface ConversationOptions {
  client: Pick<Anthropic, 'messages'>
  model: ChosenModel
  session: Session
}

export interface TaskOptions {
  abortController: AbortController
  askUser?: PipelineContext['askUser']
  onEvent(event: AgentEvent): void
}

/** Whole milliseconds. */
const now = () => Math.round(performance.now())

/** What a person and the model have said so far, and what it took. */
export class Conversation {
  readonly totals: Totals = { turns: 0, usage: NO_USAGE, ms: 0 }
  /** Of the last answer that had calls. */
  timeline: Timeline | undefined
  readonly #options: ConversationOptions
  #messages: Anthropic.MessageParam[] = []

  constructor(options: ConversationOptions) {
    this.#options = options
  }

  /** Lets the agent work on what the person says. */
  async say(text: string, { abortController, askUser, onEvent }: TaskOptions): Promise<AgentResult> {
    const { client, model, session } = this.#options
    this.#messages = append(this.#messages, { role: 'user', content: text })
    const started = performance.now()
    const ask = askUser && waitingForAnswer(askUser, () => this.timeline, now)
    const run = runAgent({
      client,
      model: model.name,
      maxTokens: model.maxTokens,
      system: systemPrompt(session.permissions.cwd),
      messages: this.#messages,
      context: session.contextFor(abortController, ask),
      canUseTool: session.canUseTool,
      beforeTurn: () => session.refreshTools(),
    })
    while (true) {
      const { done, value } = await run.next()
      if (done) {
        this.#messages = value.messages
        this.totals.turns += value.turns
        this.totals.usage = addUsage(this.totals.usage, value.usage)
        this.totals.ms += performance.now() - started
        return value
      }
      this.#record(value)
      onEvent(value)
    }
  }

  #record(event: AgentEvent): void {
    switch (event.type) {
      case 'queued':
        // The first call of an answer begins a new timeline.
        if (event.call.place === 0) this.timeline = new Timeline(now)
        this.timeline?.record(event)
        break
      case 'started':
      case 'answered':
        this.timeline?.record(event)
        break
    }
    if (event.type !== 'answered' || event.result.end.type !== 'returned') return
    // What a sub-agent took, it says in its result.
    const { data } = event.result.end as { data: { usage?: Partial<Anthropic.Usage> } | undefined }
    if (event.call.block.name === 'Agent' && data?.usage) {
      this.totals.usage = addUsage(this.totals.usage, usageOf(data.usage))
    }
  }
}
