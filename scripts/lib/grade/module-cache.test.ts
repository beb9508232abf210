import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ModuleCache } from './module-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'workshop-cache-'))
const cache = new ModuleCache()
afterAll(() => {
  cache.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** A stage with one module, or with none. */
function stage(name: string, module?: string): string {
  const path = join(folder, name)
  mkdirSync(join(path, '.workshop'), { recursive: true })
  if (module === undefined) return path
  mkdirSync(join(path, '.workshop/modules'))
  writeFileSync(join(path, '.workshop/modules', module), name)
  return path
}

it('gives a stage what it took from all others, and a copy, so that nobody writes into what the next one gets', () => {
  for (const module of ['one', 'two']) cache.takeFrom(stage(`reference-${module}`, module))
  cache.takeFrom(stage('a run that came to nothing'))
  for (const name of ['ada', 'bob']) {
    const learners = stage(name)
    cache.copyTo(learners)
    for (const module of ['one', 'two']) {
      const path = join(learners, '.workshop/modules', module)
      expect(readFileSync(path, 'utf8')).toBe(`reference-${module}`)
      writeFileSync(path, 'forged')
    }
  }
})

it('leaves nothing', () => {
  const short = new ModuleCache()
  short.takeFrom(stage('last', 'three'))
  short.remove()
  expect(() => short.copyTo(stage('after'))).toThrow('ENOENT')
  expect(existsSync(join(folder, 'after/.workshop/modules'))).toBe(false)
})
