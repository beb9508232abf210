import { readdirSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { nameSource } from './name-pattern.ts'

/** How many names of files a pattern may bring. */
const MAX_NAMES = 1_000

/** The paths that a shell would put in a pattern's place, absolute, or undefined where there are too many to look at. */
export function expandPattern(pattern: string, folder: string): string[] | undefined {
  let found = [isAbsolute(pattern) ? '/' : folder]
  for (const name of pattern.split('/').filter((part) => part !== '')) {
    const expression = /[*?[]/.test(name) ? new RegExp(`^${nameSource(name)}$`, 'su') : undefined
    found = found.flatMap((path) => (expression ? namesIn(path) : [name]).filter(fits).map((next) => join(path, next)))
    if (found.length > MAX_NAMES) return undefined

    function fits(candidate: string): boolean {
      return !expression || (expression.test(candidate) && (name.startsWith('.') || !candidate.startsWith('.')))
    }
  }
  return found
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
