/** What the model sent: usually an object with the tool's fields, but nothing makes sure of that. */
export type RawInput = unknown

/**
 * Reads a field that must be a string.
 * Throws an Error that names the tool, the field and what came, for the model to read.
 */
export function requireString(tool: string, input: RawInput, field: string): string {
  const value = fieldOf(input, field)
  if (typeof value === 'string') return value
  throw new Error(`${tool} needs "${field}": expected a string, got ${describe(value)}.`)
}

/** Reads a field that may be left out (or be null) and must be a whole number of at least 1 otherwise. Throws like `requireString`. */
export function optionalCount(tool: string, input: RawInput, field: string): number | undefined {
  const value = fieldOf(input, field)
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value
  throw new Error(`${tool} takes "${field}" as a whole number of at least 1, got ${describe(value)}.`)
}

function fieldOf(input: RawInput, field: string): unknown {
  return typeof input === 'object' && input !== null && Object.hasOwn(input, field)
    ? (input as Record<string, unknown>)[field]
    : undefined
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'object' ? (JSON.stringify(value) ?? 'an object') : `${typeof value} ${String(value)}`
}
