import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { chapterOf, workshopCopy } from './testing/workshop-copy.ts'

const copy = workshopCopy({ chapters: ['01-one'], folder: 'a wörkshop' })
process.env.WORKSHOP_ROOT = copy.root
const { resetChapter } = await import('./reset.ts')
afterAll(copy.remove)

const chapter = chapterOf(copy, '01-one')
const src = 'chapters/01-one/src'
const skeleton = copy.text(`${src}/numbers.ts`)
/** All that a learner may leave in `src/`. */
const attempt = {
  'numbers.ts': 'mine\r\n',
  'more.ts': 'more',
  'notes.md': 'notes',
  'old/a/b.ts': 'old',
  '.hidden': 'h',
}

beforeEach(() => {
  rmSync(join(copy.root, '.workshop'), { recursive: true, force: true })
  for (const [name, text] of Object.entries(attempt)) copy.write(`${src}/${name}`, text)
})

it('saves everything that was there, and says where', () => {
  const saved = resetChapter(chapter)
  expect(saved).toBe('.workshop/attempts/01-one/001')
  for (const [name, text] of Object.entries(attempt)) expect(copy.text(`${saved}/${name}`)).toBe(text)
})

it('leaves the skeleton, and nothing else', () => {
  resetChapter(chapter)
  expect(copy.text(`${src}/numbers.ts`)).toBe(skeleton)
  for (const name of ['more.ts', 'notes.md', 'old', '.hidden'])
    expect(existsSync(join(copy.root, src, name)), name).toBe(false)
})

it('loses nothing when it is called again', () => {
  const first = resetChapter(chapter)
  copy.write(`${src}/numbers.ts`, 'second attempt')
  const second = resetChapter(chapter)
  expect(second).not.toBe(first)
  expect(copy.text(`${first}/numbers.ts`)).toBe(attempt['numbers.ts'])
  expect(copy.text(`${second}/numbers.ts`)).toBe('second attempt')
})

it('restores a src/ that is gone', () => {
  rmSync(join(copy.root, src), { recursive: true })
  resetChapter(chapter)
  expect(copy.text(`${src}/numbers.ts`)).toBe(skeleton)
})

it('touches nothing when the solution has a malformed mark', () => {
  copy.edit('chapters/01-one/solution/numbers.ts', '#region task 1:', '#region task:')
  expect(() => resetChapter(chapter)).toThrow('numbers.ts:3: ')
  expect(copy.text(`${src}/more.ts`)).toBe('more')
  copy.edit('chapters/01-one/solution/numbers.ts', '#region task:', '#region task 1:')
})
