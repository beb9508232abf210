import { readdirSync, readlinkSync } from 'node:fs'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { learnersEnvironment } from './testing/learners-environment.ts'
import { hasTerminal, LEFT_AS_IT_WAS, terminal } from './testing/terminal.ts'
import { SOLUTION } from './testing/tiny-chapter.ts'
import { type WorkshopCopy, workshopCopy } from './testing/workshop-copy.ts'

const copies: WorkshopCopy[] = []
afterAll(() => {
  for (const copy of copies) copy.remove()
})

/** The guide of a workshop of its own, which has shown its first verdict. */
async function guide() {
  const begun = begin(workshopCopy({ chapters: ['01-one', '02-two'] }))
  await begun.onScreen((text) => text.includes('0 of 4 tests pass'))
  return begun
}

function begin(copy: WorkshopCopy) {
  copies.push(copy)
  const line = [process.execPath, '--import', 'vitest/node', '--import', 'tsx', 'scripts/start.ts'].join(' ')
  const screen = terminal(line, { cwd: copy.root, env: learnersEnvironment() })
  const save = (text: string) => copy.write('chapters/01-one/src/numbers.ts', text)
  return { ...screen, root: copy.root, save, saved: () => copy.text('chapters/01-one/src/numbers.ts') }
}

/** The processes that work in a folder. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`) === folder
    } catch {
      return false
    }
  })
}

describe.skipIf(!hasTerminal).concurrent('npm start, in a terminal', () => {
  it('gives the verdict at each save, and leaves the terminal as it was', async () => {
    const { save, onScreen, type, ended } = await guide()
    save(SOLUTION.replace('number * 2', 'number'))
    await onScreen((text) => text.includes('3 of 4 tests pass') && text.includes('The hint of forgets.'))
    save(SOLUTION)
    await onScreen((text) => /4 tests pass|4 of 4/.test(text) && !text.includes('forgets'))
    type('q')
    expect(await ended()).toMatch(LEFT_AS_IT_WAS)
  })

  it('leaves at Ctrl-C, in the middle of a run too', async () => {
    const { root, save, type, shown, ended } = await guide()
    await shown('0 of 4')
    save(SOLUTION.replace('return number * 2', 'while (true) {}'))
    await shown('running …')
    type('\x03')
    expect(await ended()).toMatch(LEFT_AS_IT_WAS)
    // The compiler needs a moment to find out that nobody waits for it.
    await vi.waitUntil(() => processesIn(root).length === 0, { timeout: 20_000 })
  })

  it('leaves before the first verdict, and does not wait for it', async () => {
    const copy = workshopCopy({ chapters: ['01-one'] })
    copy.write('chapters/01-one/src/numbers.ts', SOLUTION.replace('return number * 2', 'while (true) {}'))
    const { shown, type, ended } = begin(copy)
    await shown('running …')
    type('q')
    const output = await ended()
    expect(output).toMatch(LEFT_AS_IT_WAS)
    expect(output, 'the verdict').not.toContain('tests pass')
  })

  it('keeps a hint on the screen when the types have been checked, too', async () => {
    const { save, onScreen, shown, type, ended } = await guide()
    save(SOLUTION.replace('number * 2', "'no number'"))
    await shown('2 of 4 tests pass')
    type('h')
    await onScreen((text) => text.includes('First hint of task 1') && text.includes('type error'))
    type('q')
    await ended()
  })

  it('asks before it throws work away, and takes a save in between for no answer', async () => {
    const { save, saved, onScreen, type, ended } = await guide()
    const half = SOLUTION.replace('number * 2', 'number')
    save(half)
    await onScreen((text) => text.includes('3 of 4 tests pass'))
    type('r')
    await onScreen((text) => text.includes('anew?'))
    save(SOLUTION)
    await onScreen((text) => text.includes('task 1  2 of 2') && text.includes('anew?'))
    type('n')
    await onScreen((text) => !text.includes('anew?'))
    expect(saved()).toBe(SOLUTION)
    type('r')
    await onScreen((text) => text.includes('anew?'))
    type('y')
    await onScreen((text) => text.includes('is as it came'))
    expect(saved()).toContain('TODO(task 1)')
    type('q')
    await ended()
  })

  it('goes to the next chapter and back, and lists all', async () => {
    const { onScreen, type, ended } = await guide()
    type('n')
    await onScreen((text) => text.includes('Chapter 2') && text.includes('0 of 4 tests pass'))
    type('n')
    await onScreen((text) => text.includes('This is the last chapter.'))
    type('p')
    await onScreen((text) => text.includes('Chapter 1') && text.includes('0 of 4 tests pass'))
    type('l')
    await onScreen((text) => text.includes('Numbers of 02-two'))
    type('q')
    await ended()
  })
})
