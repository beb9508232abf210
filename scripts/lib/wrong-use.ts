/** A command that was called wrongly. Its message says what was expected; the command ends with exit code 2. */
export class WrongUse extends Error {
  override name = 'WrongUse'
}
