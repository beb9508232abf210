import { posix, win32 } from 'node:path'
import { literalSource, namesSource } from '../given/name-pattern.ts'
import { folded, isKernels, isWindows, type Place, realRoot, withSlashes } from '../given/places.ts'
import { currentName, isAbout } from '../given/tool-names.ts'
import type { ActiveRule, DecidableTool, PathWorld } from '../given/types.ts'

export * from '../given/places.ts'
export { protectedName } from '../given/protected.ts'

/**
 * Whether a place is inside the workspace: its real path is one of the roots, or below one.
 *
 * - Roots may be links, or have a slash at the end: what is compared is where they lead (`realRoot`).
 * - `/srv/proj-evil` is not below `/srv/proj`; a folder may be called `..foo`; another drive is outside.
 * - Both sides are compared as the file system would (`folded`), with the paths of the world's platform.
 * - What is the kernel's (`isKernels`), by the typed path or the real one, is outside, wherever it leads.
 */
export function isInside(place: Place, world: PathWorld): boolean {
  // #region task 3: Compare where the place leads with where each root leads.
  if (isKernels(place.typed) || isKernels(place.real)) return false
  const paths = isWindows(world) ? win32 : posix
  return world.roots.some((root) => {
    const fromRoot = paths.relative(folded(realRoot(root, world), world), folded(place.real, world))
    return fromRoot !== '..' && !fromRoot.startsWith(`..${paths.sep}`) && !paths.isAbsolute(fromRoot)
  })
  // #endregion
}

/**
 * Whether a rule's path pattern covers a place: by either of its paths where the rule denies or asks, by both where it
 * allows. So a link takes nothing out of a denial, and brings nothing into a permission.
 *
 * Each path is compared with slashes (`withSlashes`), and as the file system would (`folded`): the path, the pattern, and
 * the folder that the pattern counts from.
 */
export function pathRuleCovers(rule: ActiveRule, pattern: string, { place, world }: Placed): boolean {
  // #region task 3: Look at the typed path and at the real one.
  const expression = patternRegExp(pattern, rule, world)
  const fits = (path: string) => expression.test(folded(withSlashes(path, world), world))
  return rule.behavior === 'allow' ? fits(place.typed) && fits(place.real) : fits(place.typed) || fits(place.real)
  // #endregion
}

export interface Placed {
  place: Place
  world: PathWorld
}

/**
 * The whole paths that a pattern stands for, as a regular expression. What the pattern counts from is what
 * `splitPattern` says; what follows is read as .gitignore reads it, and `namesSource` makes an expression of names:
 *
 * - `*` and `?` stay within one name, `**` as a name of its own is any number of names, also none; `\*` is a star. Any
 *   character may be in a name but a slash: a line end, too, and one of two code units is one.
 * - Without a slash, save at its end, a pattern is a name at any depth: `.env` is also `packages/a/.env`.
 * - A folder stands for all that is in it: `src`, `src/` and `src/**` cover `src` itself and `src/a/b.ts`. But where the
 *   rule allows and the last name has a star, only what has that name is covered: `docs/*` allows no `docs/a/b.md`. A `**`
 *   at the end is no such name, it is all that is below: `docs/*` + `/**` allows `docs/a/b.md`.
 * - Many stars take no longer than few.
 */
export function patternRegExp(pattern: string, rule: ActiveRule, world: PathWorld): RegExp {
  const { bases, rest } = splitPattern(pattern, rule, world)
  // #region task 3: Make an expression of the names, one by one.
  const names = rest.split('/').filter((name) => name !== '')
  const isName = !rest.replace(/\/$/, '').includes('/')
  const last = names.at(-1) ?? ''
  if (last === '**') names.pop()
  const source = namesSource((isName ? ['**', ...names] : names).map((name) => folded(name, world)))
  const isNarrow = rule.behavior === 'allow' && last !== '**' && /(?<!\\)[*?[]/.test(last) && !rest.endsWith('/')
  const starts = bases.map((base) => literalSource(folded(base, world)))
  return new RegExp(`^(?:${starts.join('|')})${source}${isNarrow ? '' : '(?:/.*)?'}$`, 'su')
  // #endregion
}

/**
 * Cuts off what a pattern counts from: `//` the file system, `~/` the home folder, `/` the folder of the settings that
 * the rule stands in, `./` or nothing the current folder; each `../` at the start goes one folder up.
 *
 * `bases` are that folder as it is named and as it really is: absolute, with slashes, and none at the end. `rest` begins
 * with a slash where the pattern says which folder it counts from.
 */
export function splitPattern(pattern: string, rule: ActiveRule, world: PathWorld): { bases: string[]; rest: string } {
  const from = (folder: string, rest: string) => {
    const bases = [folder, realRoot(folder, world)].map((path) => withSlashes(path, world).replace(/\/+$/, ''))
    return { bases: [...new Set(bases)], rest }
  }
  if (pattern.startsWith('//')) return { bases: [''], rest: pattern.slice(1) }
  if (/^~(?:\/|$)/.test(pattern)) return from(world.home, pattern.slice(1) || '/')
  if (pattern.startsWith('/')) return from(rule.settingsRoot ?? world.roots[0] ?? world.cwd, pattern)
  const [up] = /^(?:\.\.(?:\/|$))+/.exec(pattern) ?? []
  if (!up) return from(world.cwd, pattern.replace(/^\.(?=\/|$)/, '') || '/')
  const paths = isWindows(world) ? win32 : posix
  return from(paths.resolve(world.cwd, up), `/${pattern.slice(up.length)}`)
}

/**
 * Whether a rule is about what a tool does at this place. Where it allows, only rules for `Read` and `Edit` have a say
 * about paths: `Write(docs/**)` allows nothing. But whatever denies or asks counts, also `Write(docs/**)`.
 */
export function fileRuleCovers(
  rule: ActiveRule,
  tool: Pick<DecidableTool, 'name' | 'aliases'>,
  placed: Placed,
): boolean {
  if (!isAbout(rule.rule, tool, rule.behavior)) return false
  const { specifier, toolName } = rule.rule
  if (specifier.type === 'any') return true
  if (specifier.type !== 'path') return false
  if (specifier.pattern === '*' && rule.behavior !== 'allow') return true
  if (rule.behavior === 'allow' && !['Read', 'Edit'].includes(currentName(toolName))) return false
  return pathRuleCovers(rule, specifier.pattern, placed)
}
