import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planRenewal, renew } from './renew.ts'
import { toSkeleton } from './skeleton.ts'
import { SOLUTION } from './testing/tiny-chapter.ts'
import { lastLine, runIn, workshopCopy } from './testing/workshop-copy.ts'

/** The learner has written chapter 1, begun chapter 2 and left chapter 3 and 4 alone. Chapter 4 goes away. */
const mine = workshopCopy({
  chapters: ['01-done', '02-begun', '03-left', '04-gone', '06-dropped'],
  folder: 'my wörkshop',
})
const fresh = workshopCopy({ chapters: ['01-done', '02-begun', '03-left', '05-new'], folder: 'new' })
const places = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-renew-')))
afterAll(() => {
  for (const copy of [mine, fresh]) copy.remove()
  rmSync(places, { recursive: true, force: true })
})

const src = (chapter: string, name = 'numbers.ts') => `chapters/${chapter}/src/${name}`
const COMMENT = '/** Twice the number. */'
const CORRECTED = '/** Twice the number, also of a negative one. */'
const BEGUN = SOLUTION.replace('return number * 2', 'return number + number')
/** All that the learner wrote, by path. */
const WRITTEN = {
  [src('01-done')]: SOLUTION,
  [src('01-done', 'notes.md')]: 'my notes',
  [src('02-begun')]: BEGUN,
  [src('02-begun', 'more.ts')]: 'export const more = 1\n',
  [src('06-dropped')]: 'the work on a chapter that is dropped',
  'chapters/02-begun/tests/numbers.test.ts': '// my own test\n',
  'chapters/03-left/tests/mine.test.ts': '// my own file\n',
  'notes.txt': 'at the root',
}

let skeletonBefore: string

beforeAll(async () => {
  skeletonBefore = mine.text(src('02-begun'))
  mine.write('chapters/03-left/given/old.ts', 'export const old = 1\n')
  mine.write(src('03-left', 'surplus.ts'), '// surplus\n')
  mine.write('chapters/03-left/solution/surplus.ts', '// surplus\n')
  await mine.run('skeleton')
  for (const [path, text] of Object.entries(WRITTEN)) mine.write(path, text)
  // A version that changes the skeletons of chapters 2 and 3, the tests of all, and brings chapter 5.
  fresh.edit('package.json', '"version": "', '"version": "9.')
  for (const chapter of ['02-begun', '03-left']) {
    fresh.edit(`chapters/${chapter}/solution/numbers.ts`, COMMENT, CORRECTED)
    fresh.edit(src(chapter), COMMENT, CORRECTED)
  }
  for (const chapter of ['01-done', '02-begun', '03-left'])
    fresh.edit(`chapters/${chapter}/tests/numbers.test.ts`, 'expect(double(3)).toBe(6)', 'expect(double(-3)).toBe(-6)')
  fresh.write('docs/new.md', '# New\n')
  fresh.write('chapters/03-left/given/new.ts', 'export const fresh = 1\n')
  // What somebody did in the new folder is nobody's skeleton.
  fresh.write(src('01-done'), '// tried something')
  await fresh.run('skeleton')
  fresh.write(src('03-left'), '// tried something')
})

/** A place of its own to renew in, with the learner's workshop as it was. */
function another(name: string): string {
  return copyOf(mine.root, name)
}

function copyOf(workshop: string, name: string, filter?: (path: string) => boolean): string {
  const root = join(places, name)
  cpSync(workshop, root, { recursive: true, verbatimSymlinks: true, filter })
  return root
}

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')

/** Every file but what is remembered, by path. */
function treeOf(root: string, below = ''): Record<string, string> {
  const entries = readdirSync(join(root, below), { withFileTypes: true }).filter(({ name }) => name !== '.workshop')
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = join(below, entry.name)
      if (entry.isDirectory()) return treeOf(root, path)
      return entry.isFile() ? { [path]: read(root, path) } : {}
    }),
  )
}

/** Every text that lies somewhere below the root, in the backups too. */
function textsOf(root: string): Set<string> {
  const folder = join(root, '.workshop')
  return new Set([...Object.values(treeOf(root)), ...(existsSync(folder) ? Object.values(treeOf(folder)) : [])])
}

describe('a renewal', () => {
  let root: string
  let told: string
  let saved: string

  beforeAll(async () => {
    root = another('whole')
    const plan = planRenewal(root, fresh.root)
    saved = renew(plan)
    told = read(root, `${saved}/changes.txt`)
  })

  it('leaves what the learner wrote in src/ as it was', () => {
    for (const [path, text] of Object.entries(WRITTEN))
      if (/\/src\//.test(path) && !path.includes('06')) expect(read(root, path), path).toBe(text)
    expect(read(root, 'notes.txt')).toBe('at the root')
    expect(read(root, 'chapters/03-left/tests/mine.test.ts')).toBe('// my own file\n')
  })

  it('loses no text: what it replaced and what it took away is in the folder that it names', () => {
    const texts = textsOf(root)
    for (const [path, text] of Object.entries(WRITTEN)) expect(texts.has(text), path).toBe(true)
    expect(read(root, `${saved}/before/${src('06-dropped')}`)).toBe(WRITTEN[src('06-dropped')])
    expect(told).toContain(`${saved}/before`)
  })

  it('replaces a skeleton that nobody touched, whatever the new folder has in its src/', () => {
    expect(read(root, src('03-left'))).toBe(toSkeleton(SOLUTION.replace(COMMENT, CORRECTED), 'numbers.ts'))
    expect(existsSync(join(root, src('03-left', 'surplus.ts')))).toBe(false)
  })

  it('tells how a skeleton has changed where the learner has begun, and puts it beside', () => {
    expect(told).toContain(`${src('02-begun')} is as you wrote it.`)
    expect(told).toContain(`-${COMMENT}\n+${CORRECTED}`)
    expect(read(root, `${saved}/skeleton/${src('02-begun')}`)).toBe(skeletonBefore.replace(COMMENT, CORRECTED))
    expect(told).not.toContain(`${src('01-done')} is`)
  })

  it('brings tests, pages, scripts and chapters, and says which tests to run again', () => {
    for (const path of [
      'chapters/01-done/tests/numbers.test.ts',
      'chapters/05-new/demo.ts',
      'docs/new.md',
      'package.json',
    ])
      expect(read(root, path), path).toBe(fresh.text(path))
    expect(read(root, src('05-new'))).toBe(toSkeleton(SOLUTION, 'numbers.ts'))
    expect(told).toContain('Chapter 1 has other tests now: run npm test 1')
    expect(told).not.toContain('Chapter 3 has other tests')
  })

  it('takes away what the workshop brought once, and the folder of a chapter that is gone', () => {
    expect(existsSync(join(root, 'chapters/03-left/given/old.ts'))).toBe(false)
    expect(readdirSync(join(root, 'chapters')).sort()).toEqual(['01-done', '02-begun', '03-left', '05-new', 'support'])
    expect(told).toContain('no chapter 06-dropped any more')
  })

  it('has nothing left to do', () => {
    const { writes, removals } = planRenewal(root, fresh.root)
    expect([...writes.map(({ path }) => path), ...removals]).toEqual([])
  })
})

it('is whole after a second run, wherever the first one broke off', () => {
  // Both without their scripts, which are the same and many.
  const filter = (path: string) => !/[\\/](scripts|node_modules)([\\/]|$)/.test(path)
  const from = copyOf(fresh.root, 'from', filter)
  const at = (name: string) => copyOf(mine.root, name, filter)
  const whole = at('at-once')
  renew(planRenewal(whole, from))
  let steps = 1
  for (let broken = 0; broken < steps; broken++) {
    const root = at(`broken-${broken}`)
    const plan = planRenewal(root, from)
    steps = plan.writes.length + plan.removals.length
    let left = broken
    const powerCut = () => {
      if (left-- === 0) throw new Error('power cut')
    }
    expect(() => renew(plan, powerCut)).toThrow('power cut')
    renew(planRenewal(root, from))
    expect(treeOf(root), `broken off at step ${broken}`).toEqual(treeOf(whole))
    const texts = textsOf(root)
    for (const text of Object.values(WRITTEN)) expect(texts.has(text)).toBe(true)
  }
  expect(steps).toBeGreaterThan(10)
})

describe('npm run renew', () => {
  it('makes a workshop that works, in which a finished chapter is to be tested again', async () => {
    const root = another('command')
    const run = runIn(root)
    expect((await run('test', ['1'])).code, 'chapter 1 is finished').toBe(0)
    const { code, output } = await run('renew', [fresh.root])
    expect(output).toContain('Version 9.')
    expect(code).toBe(0)
    expect((await run('start')).output).toMatch(/\? +1 +Numbers of 01-done.*changed since/)
    const again = await run('test', ['1'])
    expect(again.code, again.output).toBe(0)
    const second = await run('renew', [fresh.root])
    expect(second.output).toContain('Nothing was changed')
  })

  it.for<[what: string, words: (root: string) => string[], message: string]>([
    ['no folder', () => [], 'Expected the folder of the new version'],
    ['a folder that is missing', () => ['gone'], 'is no workshop'],
    ['a folder that is something else', () => [tmpdir()], 'is no workshop'],
    ['this very folder', (root) => [root], 'is this very workshop'],
    ['a folder inside', (root) => [join(root, 'inner')], 'lie one in the other'],
  ])('refuses %s, and changes nothing', async ([, words, message]) => {
    const root = mine.root
    cpSync(fresh.root, join(root, 'inner'), { recursive: true, filter: (path) => !path.includes('node_modules') })
    const before = treeOf(root)
    const { code, output } = await mine.run('renew', words(root))
    rmSync(join(root, 'inner'), { recursive: true })
    expect(output).toContain(message)
    expect(code).toBe(2)
    for (const [path, text] of Object.entries(treeOf(root))) expect(text).toBe(before[path])
  })

  it('refuses an older version, unless it is told to go back', async () => {
    const { code, output } = await fresh.run('renew', [mine.root])
    expect(output).toContain('and you have 9.')
    expect(code).toBe(2)
    expect(lastLine(output)).toContain('"anyway"')
    expect(() => planRenewal(fresh.root, mine.root, true)).not.toThrow()
  })

  it('says what the last run had to tell when that one broke off', async () => {
    const root = another('told')
    expect(() =>
      renew(planRenewal(root, fresh.root), () => {
        throw new Error('power cut')
      }),
    ).toThrow('power cut')
    const run = runIn(root)
    const first = await run('renew', [fresh.root])
    expect(first.output).toContain('.workshop/renewed/001/changes.txt')
    expect((await run('renew', [fresh.root])).output).not.toContain('did not come to its end')
  })
})
