import { StringDecoder } from 'node:string_decoder'

/** In characters, that is UTF-16 code units. Claude Code cuts the output of Bash at the same length. */
export const MAX_OUTPUT_CHARS = 30_000

/**
 * Takes the output of a command piece by piece, and keeps the first `limit / 2` characters and the last `limit / 2`.
 * What it holds at any time is at most a few times `limit`, however much comes.
 */
export class BoundedOutput {
  /** How many bytes came in so far. */
  receivedBytes = 0
  /** Turns bytes into text, and keeps the beginning of a character until the rest of it comes. */
  readonly decoder = new StringDecoder('utf8')
  #kept: Kept

  /** `limit`: in characters, 2 or more. */
  constructor(limit = MAX_OUTPUT_CHARS) {
    this.#kept = { limit, half: Math.floor(limit / 2), head: '', tail: '', droppedBytes: 0 }
  }

  /**
   * Takes a chunk, and returns the text that is whole by now. The bytes of one character may come in two chunks: its
   * beginning waits for the rest.
   */
  add(chunk: Uint8Array): string {
    // TODO(task 1): Count the bytes, decode what is whole, keep it, and return it.
    throw new Error('TODO(task 1): add')
  }

  /** No more will come: what still waits for the rest of its character is U+FFFD. Returns it, or the empty text. */
  end(): string {
    // TODO(task 1): Decode what is left.
    throw new Error('TODO(task 1): end')
  }

  /**
   * What came, if it is at most `limit` characters. Otherwise its beginning and its end, at most `limit / 2` each, and
   * between them a line that says how many bytes (of UTF-8) are left out. No character is cut in two.
   */
  text(): string {
    // TODO(task 1): Put head and tail together, and say what is missing.
    throw new Error('TODO(task 1): text')
  }

  /** Returns `text()` and forgets it: the next text starts with what comes next. */
  take(): string {
    const text = this.text()
    this.#kept = { ...this.#kept, head: '', tail: '', droppedBytes: 0 }
    return text
  }
}

/** What is left of the text so far. */
interface Kept {
  /** What is at most this long is kept whole: in characters. */
  readonly limit: number
  /** The longest that the head may become, and that the tail may have at the end: in characters. */
  readonly half: number
  head: string
  /** May be longer than `half` for a while. */
  tail: string
  /** The size, in bytes of UTF-8, of what stood between the two and is gone. */
  droppedBytes: number
}

/** Puts text behind what is kept, and drops what is in the middle by now: `tail` never stays longer than `limit`. */
function keep(kept: Kept, text: string): void {
  // TODO(task 1): Fill the head first, then the tail, and never let the tail grow without end.
  throw new Error('TODO(task 1): keep')
}

/** The first `count` code units, or one fewer where that would cut a character in two. */
function firstChars(text: string, count: number): string {
  return text.slice(0, isSplitAt(text, count) ? count - 1 : count)
}

/** The last `count` code units, or one fewer where that would cut a character in two. */
function lastChars(text: string, count: number): string {
  const start = Math.max(0, text.length - count)
  return text.slice(isSplitAt(text, start) ? start + 1 : start)
}

/** Whether the two halves of one character stand before and behind `index`. */
function isSplitAt(text: string, index: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(index - 1, index + 1)) && index > 0
}
