import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOLUTION } from './testing/tiny-chapter.ts'
import { type WorkshopCopy, workshopCopy } from './testing/workshop-copy.ts'
import { plain } from './text.ts'

const CHAPTERS = ['01-fresh', '02-half', '03-done', '04-types', '05-endless', '06-astray', '07-again', '08-crash']

/** A learner's attempts at double, by chapter. The rest of the chapter is done. */
const ATTEMPTS: Record<string, string> = {
  '03-done': 'return number * 2',
  '04-types': 'const twice: string = number * 2\n  return Number(twice)',
  '05-endless': 'while (true) {}',
  '06-astray': "void Promise.reject(new Error('nobody waits'))\n  return process.exit(0)",
  '08-crash': 'return process.abort()',
}

/** Every chapter is in a state of its own. In the root's name are a space and an umlaut. */
const copy = workshopCopy({ chapters: CHAPTERS, folder: 'my wörkshop' })
/** As it was cloned, without git. */
const fresh = workshopCopy({ chapters: ['01-one', '02-two'] })

const src = (chapter: string) => `chapters/${chapter}/src/numbers.ts`
const hasGit = git('--version')

beforeAll(async () => {
  await copy.run('skeleton')
  for (const [chapter, attempt] of Object.entries(ATTEMPTS))
    copy.write(
      src(chapter),
      SOLUTION.replace('return number * 2', () => attempt),
    )
  copy.edit(src('02-half'), "throw new Error('TODO(task 1): double')", 'return number * 2 || 1')
  copy.edit('chapters/01-fresh/solution/numbers.ts', 'let total', 'var total')
  if (hasGit) for (const words of ['init', 'add .', 'commit -m all']) git(...words.split(' '))
}, 60_000)

afterAll(() => {
  copy.remove()
  fresh.remove()
})

function git(...words: string[]): string {
  const author = ['-c', 'user.name=A learner', '-c', 'user.email=a@example.com']
  const { stdout } = spawnSync('git', [...author, ...words], { cwd: copy.root, encoding: 'utf8' })
  return stdout ?? ''
}

/** Runs a command as a learner does, who never sees the inside of the runner. */
async function learner(workshop: WorkshopCopy, [script, ...words]: string[], from?: string) {
  const { code, output } = await workshop.run(script, words, from)
  expect(output).not.toMatch(/node_modules|scripts[\\/]lib/)
  expect(output, 'there is no terminal to colour').toBe(plain(output))
  return { code, output }
}

describe.concurrent('npm test N', () => {
  let run: ReturnType<typeof learner> | undefined
  const untouched = () => {
    run ??= learner(copy, ['test', '1'])
    return run
  }

  it('says on an untouched chapter that red is expected, and where to start', async () => {
    const { code, output } = await untouched()
    expect(output).toContain('red is what you should see')
    expect(output).toContain('Next  task 1: Double it')
    expect(output).toContain(`${src('01-fresh')}:3`)
    expect(output).not.toContain('✗')
    expect(code).toBe(1)
  })

  it('says that the solution was edited, and where the work belongs', async () => {
    const words = (await untouched()).output.replaceAll('\n', ' ')
    expect(words).toContain('chapters/01-fresh/solution/numbers.ts is not what you cloned.')
    expect(words).toContain(`Your work belongs in ${src('01-fresh')}.`)
  })

  it('names the next failing behaviour first on a half-done chapter, with the hint of a known mistake', async () => {
    const { code, output } = await learner(copy, ['test', '02-half'])
    expect(output).toContain('task 1  1 of 2')
    expect(output).toContain('Next  task 1: doubles zero')
    expect(output).toContain('chapters/02-half/tests/numbers.test.ts:9')
    expect(output, 'a task that is not begun is not red yet').not.toContain('adds all numbers')
    expect(output).toContain('Others were here before you:\n      The hint of never-zero.')
    expect(output.match(/The hint of/g)).toHaveLength(1)
    expect(code).toBe(1)

    const warned = await learner(copy, ['compare', '2', '1'])
    expect(warned.output).toContain('"anyway"')
    expect(warned.output, 'the solution of a red task').not.toContain('return')
    expect(warned.code).toBe(2)

    const compared = await learner(copy, ['compare', '2', '1', 'anyway'])
    expect(compared.output).toContain('-   return number * 2 || 1\n+   return number * 2\n')
    expect(compared.output, 'task 2 was not asked for').not.toContain('total')
    expect(compared.code).toBe(0)
  })

  it('is green inside the folder of a finished chapter, which is then compared at once', async () => {
    const here = join(copy.root, 'chapters/03-done/src')
    const { code, output } = await learner(copy, ['test'], here)
    expect(output).toContain('4 of 4 tests pass. Chapter 3 is yours.')
    expect(code).toBe(0)

    const compared = await learner(copy, ['compare'], here)
    expect(compared.output).toContain('number * 2')
    expect(compared.output).toContain('total += number')
    expect(compared.code).toBe(0)
  })

  it('tells a type error in plain words, and is not green', async () => {
    const { code, output } = await learner(copy, ['test', '4'])
    expect(output).toContain(`${src('04-types')}:4`)
    expect(output).toContain('expected string, got number')
    expect(output).toContain('4 of 4 tests pass. The types are left.')
    expect(code).toBe(1)
  })

  it('stops an endless loop and names the test it was in', async () => {
    const { code, output } = await learner(copy, ['test', '5'])
    expect(output).toContain('Next  task 1: doubles a number')
    expect(output).toContain('This test never came back, and was stopped.')
    expect(code).toBe(1)
  })

  it('names the test in which the process ended', async () => {
    const { code, output } = await learner(copy, ['test', '8'])
    expect(output).toContain('Next  task 1: doubles a number')
    expect(output).toContain('The process ended in the middle of this test.')
    expect(code).toBe(1)
  })

  it('names a process.exit, and a rejection that is left alone', async () => {
    const { code, output } = await learner(copy, ['test', '6'])
    expect(output).toContain('Your code called process.exit(0).')
    expect(output).toContain(`your code  ${src('06-astray')}:5`)
    expect(output).toContain('An error that nobody catches.')
    expect(output).toContain(`nobody waits\n      ${src('06-astray')}:4`)
    expect(code).toBe(1)
  })

  it('lists the chapters when it does not know one', async () => {
    const { code, output } = await learner(copy, ['test', '99'])
    expect(output).toContain('There is no chapter "99"')
    for (const chapter of CHAPTERS) expect(output).toContain(chapter)
    expect(code).toBe(2)
  })
})

describe.concurrent('the other commands', () => {
  it('hint goes one step further at each call', async () => {
    const first = await learner(copy, ['hint', '1', '1'])
    expect(first.output).toContain('Hint 1 of 2 for task 1\n\n  First hint of task 1.')
    const last = await learner(copy, ['hint', '1', '1'])
    expect(last.output).toContain('Hint 2 of 2 for task 1\n\n  Last hint of task 1.')
    expect(last.output).toContain('npm run compare 1 1')
    expect(last.code).toBe(0)
  })

  it('reset needs a yes, saves the code, and puts the skeleton back', async () => {
    const skeleton = copy.text(src('07-again'))
    copy.write(src('07-again'), SOLUTION)
    const asked = await learner(copy, ['reset', '7'])
    expect(asked.output).toContain('"yes"')
    expect(asked.code).toBe(2)
    expect(copy.text(src('07-again'))).toBe(SOLUTION)

    const { code, output } = await learner(copy, ['reset', '7', 'yes'])
    expect(output).toContain('Your code is in .workshop/attempts/07-again/001')
    expect(code).toBe(0)
    expect(copy.text('.workshop/attempts/07-again/001/numbers.ts')).toBe(SOLUTION)
    expect(copy.text(src('07-again'))).toBe(skeleton)
  })
})

describe('a fresh copy without git', () => {
  it('passes all tests, and says whose green it is', async () => {
    const { code, output } = await learner(fresh, ['test'])
    expect(output).toContain("8 tests pass. This is the reference's green, not yours yet")
    expect(output).toContain(`write      ${src('01-one')}:3`)
    expect(code).toBe(0)
  })

  it('shows the board and the next step where there is no terminal', async () => {
    const { code, output } = await learner(fresh, ['start'])
    expect(output).toContain('Numbers of 01-one')
    expect(output).toContain('Next  chapter 1, task 1')
    expect(code).toBe(0)
  })

  it('runs a chapter that was started on the code of the learner, and its demo once it is finished', async () => {
    fresh.write(src('01-one'), SOLUTION.replace('number * 2', 'number + number'))
    const { code, output } = await learner(fresh, ['test'])
    expect(output).toContain('On your code: chapter 1. The others ran on the reference.')
    expect(output).toContain('Next  chapter 2, task 1')
    expect(code).toBe(0)
    const demo = await learner(fresh, ['demo', '1'])
    expect(demo.output).toBe('Chapter 1, on your code.\n\ntwice 4 is 8\n')
  })

  it('tells a syntax error with its place, first of all', async () => {
    fresh.edit(src('02-two'), "throw new Error('TODO(task 1): double')", 'return number *')
    const { code, output } = await learner(fresh, ['test', '2'])
    expect(output).toContain('Your code has a syntax error, so no test can run.')
    expect(output).toContain(`${src('02-two')}:5`)
    expect(output, 'no test could run: there is nothing to count').not.toContain('0 of 0')
    expect(code).toBe(1)
    expect((await learner(fresh, ['start'])).output).toMatch(/Numbers of 02-two .* 0 of 2 tasks/)
  })
})

it.runIf(hasGit)('leaves nothing behind that git sees', () => {
  expect(existsSync(join(copy.root, '.workshop/progress.json'))).toBe(true)
  expect(git('status', '--porcelain')).toBe('')
})
