import type { Outcome } from '../types.ts'
import { explainFailure } from './explain-failure.ts'

/** How a run ended, where that needs a word. */
export function outcomeLine(outcome: Outcome, server: { baseURL: string; model: string }): string | undefined {
  switch (outcome.type) {
    case 'finished':
      return undefined
    case 'cut':
      return 'The answer was cut off by the limit on tokens. Ask for the rest, or for less.'
    case 'refused':
      return 'The model refused to go on.'
    case 'max_turns':
      return 'That was the last turn that was allowed, and the model was not done.'
    case 'aborted':
      return 'Interrupted.'
    case 'failed':
      return explainFailure(outcome.error, server)
  }
}
