/** Why the agent cannot do what it was asked to, in words for the person. 2: it was called wrongly, 1: all else. */
export class Problem extends Error {
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}
