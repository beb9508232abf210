import { readFileSync } from 'node:fs'
import type { Usage } from '../types.ts'

export interface Totals {
  turns: number
  usage: Usage
  /** In milliseconds, without the time in which nothing was asked for. */
  ms: number
}

/** What a session took, and whose code it ran on. */
export function closingLine({ turns, usage, ms }: Totals, own: OwnChapters): string {
  const sent = usage.input + usage.cacheRead + usage.cacheWrite
  const cached = usage.cacheRead > 0 ? ` (${number(usage.cacheRead)} of them cached)` : ''
  const tokens = `${number(sent)} tokens in${cached}, ${number(usage.output)} out`
  return `${turns} ${turns === 1 ? 'turn' : 'turns'} · ${tokens} · ${(ms / 1000).toFixed(1)} s · ${whose(own)}`
}

export interface OwnChapters {
  own: number[]
  ours: number[]
}

/** Whose modules this process runs on, chapter by chapter: it asks the resolver that has loaded them. */
export function ownChapters(): OwnChapters {
  const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')
  const { imports } = JSON.parse(manifest) as { imports: Record<string, unknown> }
  const names = Object.keys(imports).filter((name) => /^#\d\d-/.test(name))
  const isOwn = (name: string) => import.meta.resolve(name.replace('*', 'x.ts')).includes('/src/')
  const numbers = (wanted: boolean) =>
    names.filter((name) => isOwn(name) === wanted).map((name) => Number(name.slice(1, 3)))
  return { own: numbers(true), ours: numbers(false) }
}

export function whose({ own, ours }: OwnChapters): string {
  const total = own.length + ours.length
  if (own.length === 0) return `on our code in all ${total} chapters`
  if (ours.length === 0) return `on your own code in all ${total} chapters`
  const list = (numbers: number[]) => `${numbers.length === 1 ? 'chapter' : 'chapters'} ${ranges(numbers)}`
  return `on your own code in ${list(own)}, on ours in ${ranges(ours)}`
}

/** `1–4, 7, 9–10` */
function ranges(numbers: number[]): string {
  const runs: Array<[number, number]> = []
  for (const n of numbers) {
    const run = runs.at(-1)
    if (run && run[1] === n - 1) run[1] = n
    else runs.push([n, n])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}

function number(count: number): string {
  return count.toLocaleString('en-US')
}
