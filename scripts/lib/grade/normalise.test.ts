import { describe, expect, it } from 'vitest'
import { namesIn, normalise, unitAt, unitsOf } from './normalise.ts'

const KEPT = namesIn(['readFile root given'])

/** The normal text of the function `f` of a module. */
function normal(code: string): string {
  const unit = unitsOf(code).get('f')
  if (!unit) throw new Error(`no function f in: ${code}`)
  return normalise(unit, KEPT).text
}

const CODE = `async function f(path: string) {
  const lines: string[] = []
  for (const line of (await readFile(path)).split('\\n')) {
    if (line.length > 3) lines.push(line)
  }
  return { lines, count: lines.length }
}`

describe('normalise', () => {
  it.for<[what: string, change: (code: string) => string]>([
    ['other names', (code) => code.replaceAll('line', 'row').replaceAll('path', 'p')],
    ['a name that everybody was given', (code) => code.replaceAll('path', 'root')],
    ['another name for a field of its own', (code) => code.replaceAll('count:', 'amount:')],
    ['other layout', (code) => code.replaceAll(/\n +/g, '\n\n\t')],
    ['semicolons', (code) => code.replaceAll(/([)\]}])\n {2}/g, '$1;\n')],
    ['comments', (code) => code.replace('return {', '// mine\n  return { /* really */')],
    ['other quotes', (code) => code.replace("'\\n'", '"\\n"').replace('"\\n"', '`\\n`')],
    ['no types', (code) => code.replace(': string[]', '').replace(': string', '')],
    ['casts', (code) => code.replace('await readFile(path)', '(await readFile(path)!) as any')],
    ['no braces', (code) => code.replace('{\n    if', '\n    if').replace('\n  }\n  return', '\n  return')],
    ['more braces', (code) => code.replace('lines.push(line)', '{ lines.push(line) }')],
    ['let for const', (code) => code.replace('const lines', 'let lines')],
  ])('is the same with %s', ([, change]) => {
    expect(change(CODE)).not.toBe(CODE)
    expect(normal(change(CODE))).toBe(normal(CODE))
  })

  it.for<[what: string, old: string, now: string]>([
    ['another operator', '> 3', '>= 3'],
    ['another number', '> 3', '> 4'],
    ['another text', "'\\n'", "'\\r'"],
    ['another method', 'push', 'unshift'],
    ['another function of the workshop', 'readFile(path)', 'given(path)'],
    ['no await', '(await readFile(path))', 'readFile(path)'],
    ['a generator', 'async function', 'async function*'],
    ['another variable', 'push(line)', 'push(path)'],
    ['an optional chain', '.split', '?.split'],
    ['one statement more', 'return', 'lines.sort()\n  return'],
  ])('is another with %s', ([, old, now]) => {
    const changed = CODE.replace(old, () => now)
    expect(changed).not.toBe(CODE)
    expect(normal(changed)).not.toBe(normal(CODE))
  })

  it('counts what there is', () => {
    const sizes = ['function f() {}', 'function f() { return 1 }', CODE].map(
      (code) => normalise(unitsOf(code).get('f')!, KEPT).size,
    )
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b))
    expect(sizes[2]).toBeGreaterThan(40)
  })
})

describe('unitsOf', () => {
  const code = `export function a() { const inner = () => 1; return inner }
export class B { #c() {} static d = async () => {} }
export const E = { f() { return 1 }, g: 2 }
export const h = async () => 1, i = 3
`

  it('names functions, classes and their members, and constants that hold code', () => {
    expect([...unitsOf(code).keys()]).toEqual(['a', 'a.inner', 'B', 'B.c', 'B.d', 'E', 'E.f', 'h'])
  })

  it.for([
    ['inner', 'a.inner'],
    ['#c', 'B.c'],
    ['return 1', 'E.f'],
    ['g: 2', 'E'],
  ])('finds the innermost one around %s', ([text, name]) => {
    expect(unitAt(unitsOf(code), code.indexOf(text))).toBe(name)
  })

  it('has none in what is no TypeScript', () => {
    expect(unitsOf('function a( {').size).toBe(0)
  })
})
