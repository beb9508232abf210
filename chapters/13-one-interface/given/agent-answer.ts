import type Anthropic from '@anthropic-ai/sdk'
import type { LoopResult } from '#02-agent-loop/loop.ts'
import { errorText } from '../../02-agent-loop/given/error-text.ts'
import type { TimeLimit } from './time-limit.ts'

/**
 * The one text that a sub-agent gives its parent: what it said last.
 *
 * - Where it was cut off (`cut`, `max_turns`), a line behind it says so. Where it never said anything, the text says that.
 * - Where its model failed or refused, or its time was up, this throws an Error that says so, and quotes what it had said
 *   last. Where the parent was aborted, it throws the abort's reason.
 */
export function answerOf({ messages, outcome }: LoopResult, limit: TimeLimit): string {
  const said = messages.filter(({ role }) => role === 'assistant').flatMap(({ content }) => textsOf(content))
  const last = said.at(-1)
  const quoted = last === undefined ? '' : ` It had said: ${last}`
  switch (outcome.type) {
    case 'finished':
      return last ?? 'The sub-agent ended without a word.'
    case 'cut':
      return `${last ?? ''}\n\n[The sub-agent's answer was cut off by the limit on tokens.]`.trim()
    case 'max_turns':
      return `${last ?? ''}\n\n[The sub-agent was stopped after its last turn, and was not done.]`.trim()
    case 'refused':
      throw new Error(`The sub-agent's model refused to go on.${quoted}`)
    case 'failed':
      throw new Error(`The sub-agent's model could not be asked: ${errorText(outcome.error)}${quoted}`)
    case 'aborted':
      if (limit.isOver) throw new Error(`The sub-agent's time was up, and it was stopped.${quoted}`)
      throw outcome.reason
  }
}

function textsOf(content: Anthropic.MessageParam['content']): string[] {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return blocks.flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []))
}
