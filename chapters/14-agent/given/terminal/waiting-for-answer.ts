import type { PipelineContext } from '#11-pipeline/run-tool-use.ts'
import type { Timeline } from '../../../12-streaming-executor/given/timeline.ts'

type AskUser = NonNullable<PipelineContext['askUser']>

/**
 * Asks like `askUser`. While there is a question about a call, the call waits, in its timeline too: it begins with the
 * person's yes, and after a no it has never run.
 */
export function waitingForAnswer(askUser: AskUser, timelineOf: () => Timeline | undefined, now: () => number): AskUser {
  return async (question, context) => {
    const bar = timelineOf()?.bars.find(({ id }) => id === question.toolUseID)
    if (!bar) return askUser(question, context)
    bar.started = undefined
    const answer = await askUser(question, context)
    if (answer.behavior === 'allow' && bar.answered === undefined) bar.started = now()
    return answer
  }
}
