import { AnthropicError } from '@anthropic-ai/sdk'

/**
 * The server began to answer, and what came is no whole answer: the connection broke, or it is another kind of server.
 */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer'
}

/** The events of a stream. Where it fails with something that is no error of the SDK's, that is a BrokenAnswer. */
export async function* eventsOf<Event>(stream: AsyncIterable<Event>): AsyncGenerator<Event, void> {
  try {
    yield* stream
  } catch (error) {
    if (error instanceof AnthropicError) throw error
    throw new BrokenAnswer(`The connection broke: ${error instanceof Error ? error.message : error}.`, { cause: error })
  }
}
