import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Any path of a module in quotes: an import's, and that of a file which is run or read. */
const QUOTED = /['"](\.{1,2}\/|#)([^'"\n]+\.[cm]?[jt]s)['"]/g

/**
 * The files that a module may stand on, itself included, by absolute path: what it names in quotes, and what that names.
 * `#NN-name/…` is the reference here. What is named in pieces is not found.
 */
export function filesBeneath(module: string, root: string, found = new Set<string>()): Set<string> {
  if (found.has(module) || !existsSync(module)) return found
  found.add(module)
  for (const [, start, rest] of readFileSync(module, 'utf8').matchAll(QUOTED)) {
    const named = start === '#' ? join(root, 'chapters', behindHash(rest)) : join(dirname(module), start + rest)
    filesBeneath(named, root, found)
  }
  return found
}

/** `support/test.ts` for `#support/test.ts`, and `01-dispatch/solution/dispatch.ts` for `#01-dispatch/dispatch.ts`. */
function behindHash(path: string): string {
  return path.replace(/^(\d\d-[^/]+)\//, '$1/solution/')
}
