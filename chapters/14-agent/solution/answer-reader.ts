import type Anthropic from '@anthropic-ai/sdk'
import { freeId, legalName, readInput } from '#02-agent-loop/calls.ts'
import { applyDelta, isBlankText } from '../given/blocks.ts'
import { BrokenAnswer } from '../given/broken-answer.ts'
import type { ToolCall } from '../given/types.ts'

/** What there is to do at once: show a piece of text, or run a call. */
export type AnswerPart = { type: 'text'; text: string } | { type: 'call'; block: Anthropic.ToolUseBlock }

const CUT =
  'Not run: the call was cut off by the limit on tokens. Call again with less input, in several calls if need be.'
const REFUSED = 'Not run: the answer was refused.'

/**
 * Makes an answer of the events of a stream, one after the other. What the transcript keeps of it is in
 * `message.content` at any time, and the calls in it in `calls`: the n-th `tool_use` of the content is the n-th call.
 */
export class AnswerReader {
  /** The answer as far as it has come: the blocks that are whole. Undefined before the server has begun. */
  message: Anthropic.Message | undefined
  readonly calls: ToolCall[] = []
  /** The server has said that this is all: `message_stop` has come. An answer may break off before it. */
  isComplete = false
  /** The blocks that have begun and are not whole, by index. */
  readonly #open = new Map<number, Anthropic.ContentBlock>()
  /** The input of each call that is open, as far as it has come: JSON, once it is whole. */
  readonly #json = new Map<number, string>()
  /** A whole call for which no letter of JSON came: it takes none, or was cut off before. The next event tells. */
  #held: Anthropic.ToolUseBlock | undefined
  readonly #taken: Set<string>

  /** `taken`: the ids of the calls that are in the conversation already. It is added to. */
  constructor(taken: Set<string>) {
    this.#taken = taken
  }

  /**
   * Takes the next event, and gives what there is to do because of it.
   *
   * - A piece of text that is not empty is a part at once. Other pieces are put together (`applyDelta`), and those of a
   *   call's input are kept until its block is whole.
   * - A block that is whole goes through `#close`. One that is still open when the answer stops (`message_delta`) is
   *   whole then.
   * - A call that is held is a part as soon as another block begins, or the answer stops in a way that lets it run.
   * - `stop_reason` and usage stand in `message`. Of the usage, what a later event does not count stays.
   * - `message_stop` makes it complete, and nothing before that does.
   *
   * Throws a BrokenAnswer for a piece or the end of a block that is not open (`#blockAt`), since it never began or is
   * whole already, and for whatever comes before `message_start`.
   */
  take(event: Anthropic.RawMessageStreamEvent): AnswerPart[] {
    if (event.type === 'message_start') {
      this.message = { ...event.message, content: [] }
      return []
    }
    const message = this.#begun()
    // #region task 2: Do what the event asks for, and hand out what is to be done.
    switch (event.type) {
      case 'content_block_start':
        this.#open.set(event.index, { ...event.content_block })
        return this.#release()
      case 'content_block_delta': {
        const { index, delta } = event
        const block = this.#blockAt(index)
        if (delta.type === 'input_json_delta') this.#json.set(index, (this.#json.get(index) ?? '') + delta.partial_json)
        else applyDelta(block, delta)
        return delta.type === 'text_delta' && delta.text !== '' ? [{ type: 'text', text: delta.text }] : []
      }
      case 'content_block_stop':
        return this.#close(event.index)
      case 'message_delta': {
        const counts = Object.entries(event.usage).filter(([, count]) => count !== null && count !== undefined)
        Object.assign(message, event.delta, { usage: { ...message.usage, ...Object.fromEntries(counts) } })
        const parts = [...this.#open.keys()].flatMap((index) => this.#close(index))
        this.#settle(message)
        return [...parts, ...this.#release()]
      }
      default:
        this.isComplete ||= event.type === 'message_stop'
        return []
    }
    // #endregion
  }

  /**
   * The block at `index` is whole.
   *
   * - A blank text is dropped. Whatever else is no call stands in the content as it is.
   * - A call's input is what `readInput` makes of the JSON that came; where none came, of what the block began with.
   *   What can't be read is a `problem` of this call alone, and the call is no part.
   * - Its id is one that is not taken (`freeId`), and from now on it is. In the content its name is a legal one
   *   (`legalName`); the part has it as it came.
   * - A call for which no letter of JSON came is held, also where it has an input that the block began with. One that is
   *   held already is a part then: its block is not the last.
   */
  #close(index: number): AnswerPart[] {
    // #region task 2: Put the block into the content, and make a call of a tool_use.
    const block = this.#blockAt(index)
    const json = this.#json.get(index) ?? ''
    this.#open.delete(index)
    if (block.type !== 'tool_use') {
      if (!isBlankText(block)) this.#begun().content.push(block)
      return []
    }
    const { input, problem } = readInput(json.trim() === '' ? block.input : json)
    const id = freeId(block.id, this.#taken)
    this.#taken.add(id)
    this.calls.push({ id, name: block.name, input, problem })
    this.#begun().content.push({ ...block, id, name: legalName(block.name), input })
    if (problem !== undefined) return []
    const call = { ...block, id, input }
    if (json.trim() !== '') return [{ type: 'call', block: call }]
    const before = this.#release()
    this.#held = call
    return before
    // #endregion
  }

  /**
   * The answer has stopped: what its `stop_reason` means for its last block, where that is a call.
   *
   * - For want of tokens (`max_tokens`, `model_context_window_exceeded`): the call was cut off, where it is held or its
   *   input can't be read. An input that can be read is whole, since nothing can be missing behind its last brace.
   * - `refusal`: a call that is held must not run.
   *
   * Such a call has a `problem` that says so, and is held no longer.
   */
  #settle({ stop_reason: stop, content }: Anthropic.Message): void {
    // #region task 2: Keep a call from running that is not whole, or was refused.
    const call = this.calls.at(-1)
    if (!call || content.at(-1)?.type !== 'tool_use') return
    const isCut = stop === 'max_tokens' || stop === 'model_context_window_exceeded'
    if (isCut && (this.#held || call.problem !== undefined)) call.problem = CUT
    else if (stop === 'refusal' && this.#held) call.problem = REFUSED
    else return
    this.#held = undefined
    // #endregion
  }

  /**
   * There is nothing more to read. Gives a BrokenAnswer if that came too early. A text that is open then is kept. The
   * content ends without white space, since it may be the last thing that is sent, and the API takes none there.
   */
  end(): BrokenAnswer | undefined {
    if (!this.message) return new BrokenAnswer('The server answered, but not with a stream of the Messages API.')
    const { content } = this.message
    for (const block of this.#open.values()) if (block.type === 'text' && !isBlankText(block)) content.push(block)
    const last = content.at(-1)
    if (last?.type === 'text') content[content.length - 1] = { ...last, text: last.text.trimEnd() }
    return this.isComplete ? undefined : new BrokenAnswer('The answer broke off before its end.')
  }

  /** The call that was held may run. */
  #release(): AnswerPart[] {
    const block = this.#held
    this.#held = undefined
    return block ? [{ type: 'call', block }] : []
  }

  #begun(): Anthropic.Message {
    if (this.message) return this.message
    throw new BrokenAnswer('The server began with something else than the start of a message.')
  }

  #blockAt(index: number): Anthropic.ContentBlock {
    const block = this.#open.get(index)
    if (block) return block
    throw new BrokenAnswer(`The server sent a piece of block ${index}, which is not open.`)
  }
}
