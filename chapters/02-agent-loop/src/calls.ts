/**
 * Reads what came as the input of a call.
 *
 * An object is taken as it is. Nothing at all (undefined, null, a blank string, `null` as JSON) is `{}`: so come calls of
 * tools without parameters. A string that is the JSON of an object is that object: some servers send it so. Everything
 * else is a problem that says what came; the input is `{}` then.
 */
export function readInput(raw: unknown): { input: Record<string, unknown>; problem?: string } {
  // TODO(task 2): Make an object of the input, or say why it can't be one.
  throw new Error('TODO(task 2): readInput')
}

/** `wanted`, or something like it that is not taken and has only letters, digits, `_` and `-`. */
export function freeId(wanted: string, taken: Set<string>): string {
  // TODO(task 2): Find an id that the API takes and nobody has.
  throw new Error('TODO(task 2): freeId')
}

/** A tool's name as the API takes it: 1 to 128 letters, digits, `_` and `-`. */
export function legalName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128) || 'unnamed'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
