import type { z } from 'zod'

/**
 * A schema that is built when it is first asked for, not when its module is imported: its text may depend on settings
 * that are known only at run time.
 *
 * The function that comes back calls `make` the first time, and hands out the same schema from then on. If `make`
 * throws, so does the function, nothing is kept, and the next call tries again. If `make` asks for the schema that it
 * is still building, the function throws an Error that says so.
 */
export function lazySchema<T extends z.ZodType>(make: () => T): () => T {
  const kept: { schema?: T; building?: boolean } = {}
  return function schema(): T {
    // TODO(task 5): Build it the first time, and hand out the same one from then on.
    throw new Error('TODO(task 5): lazySchema')
  }
}
