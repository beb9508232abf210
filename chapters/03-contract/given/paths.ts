/** Where a value is: `['todos', 2, 'content']`. */
export type Path = readonly PropertyKey[]

/** A value to put at a path. `undefined` means: take the field out. */
export interface Change {
  path: Path
  value: unknown
}

/** The value at a path, or undefined where there is none. Looks at own fields only, and never into a string. */
export function valueAt(input: unknown, path: Path): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

/**
 * A copy of `input` with the changes made; `input` stays as it is. Only what a path leads through is copied, each list
 * or object once, so neither depth nor size matters. Changes to places that do not exist are left out.
 */
export function withChanges(input: unknown, changes: readonly Change[]): unknown {
  const root = { input }
  const copies = new Set<object>([root])
  for (const { path, value } of changes) {
    const key = path.length === 0 ? 'input' : path[path.length - 1]
    const parent = ['input', ...path]
      .slice(0, -1)
      .reduce<object | undefined>((at, step) => at && ownCopy(at, step, copies), root)
    if (!parent || !Object.hasOwn(parent, key)) continue
    if (value === undefined) Reflect.deleteProperty(parent, key)
    else setField(parent, key, value)
  }
  return root.input
}

/** The list or object at `key` of `parent`, after it was replaced by a copy, unless it is one already. */
function ownCopy(parent: object, key: PropertyKey, copies: Set<object>): object | undefined {
  const child = valueAt(parent, [key])
  if (typeof child !== 'object' || child === null) return undefined
  if (copies.has(child)) return child
  const copy = Array.isArray(child) ? child.slice() : Object.fromEntries(Object.entries(child))
  copies.add(copy)
  setField(parent, key, copy)
  return copy
}

/** Sets a field of its own, also where it is called `__proto__`. */
function setField(parent: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true })
}
