import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { workshopCopy } from './testing/workshop-copy.ts'

const copy = workshopCopy({ chapters: ['01-one', '02-two'] })
copy.edit('chapters/02-two/mistakes.ts', '`The hint of ${name}.`', "'Is `a_b*` one of <T>, or *two*?'")
process.env.WORKSHOP_ROOT = copy.root
const { fillTeaching } = await import('./teaching.ts')
const { commandProblems, commandsOf } = await import('./teaching-commands.ts')
afterAll(copy.remove)

const AGENTS = fileURLToPath(new URL('../../AGENTS.md', import.meta.url))

const schedules = ['half-day', 'two-days', 'eight-weeks']
  .map((name) => `<!-- schedule: ${name} -->\n<!-- /schedule -->\n`)
  .join('\n')

const section = (name: string) => `
### ${name.slice(0, 2)} · Numbers of ${name}

**The one idea.** Numbers.

**Show.** A demo.

**Ask.** Why?

**Where people get stuck.**

<!-- stuck: ${name} -->
stale
<!-- /stuck -->

**Check out.** One question.

**Short of time.**

<!-- short: ${name} -->
<!-- /short -->
`
const page = `# Teaching\n\n${schedules}${section('01-one')}${section('02-two')}\n## The end\n`
/** The plan is one for the real chapters: the tiny ones have two tasks. */
const fill = async (text: string) => {
  const { text: filled, problems } = await fillTeaching(text)
  return { filled, problems: problems.filter((problem) => !problem.includes('SHORT names task')) }
}

describe('fillTeaching', () => {
  it('fills in the schedules and what learners get wrong, by task', async () => {
    const { filled, problems } = await fill(page)
    expect(problems).toEqual([])
    expect(filled).not.toContain('stale')
    expect(filled).toContain('*Task 1: Double it*\n\n- **adds two**: The hint of adds-two.\n')
    expect(filled).toContain('*Task 2: Add them up*\n\n- **starts at one**:')
    expect(filled).toContain('01 · Numbers of 01-one: all tasks')
    expect(filled).toContain('**Week 1**')
    expect(filled).toContain('Let them write task 1, and take task 2 from ours (`npm run compare 1 2`)')
    expect((await fill(filled)).filled, 'filling again changes nothing').toBe(filled)
  })

  it('shows a hint as it is, whatever Markdown makes of its signs', async () => {
    const { filled } = await fill(page)
    expect(filled).toContain('Is `a_b*` one of \\<T>, or \\*two\\*?')
  })

  it.for<[what: string, change: (text: string) => string, problem: string]>([
    [
      'a schedule that is missing',
      (text) => text.replace('schedule: two-days', 'x'),
      'the schedule "two-days" is missing',
    ],
    ['a schedule that nobody planned', (text) => text.replace('two-days', 'a-year'), 'There is no schedule "a-year"'],
    [
      'a chapter that is missing',
      (text) => text.replace('### 02 ', '### 09 '),
      '"### 02 · Numbers of 02-two" is missing',
    ],
    ['a chapter that there is not', (text) => text.replace('stuck: 02-two', 'stuck: 07-no'), 'no chapter "07-no"'],
    ['a part that is missing', (text) => text.replace('**Ask.**', 'Ask.'), 'chapter 1 has no **Ask.**'],
    ['a list that is missing', (text) => text.replace('<!-- short: 02-two -->', ''), 'no <!-- short: 02-two -->'],
  ])('tells of %s', async ([, change, problem]) => {
    expect((await fill(change(page))).problems.join('\n')).toContain(problem)
  })
})

describe('commandProblems', () => {
  it('finds the commands of a page, in blocks and in the text', () => {
    const text =
      'Run `npm test 1` or `ls`:\n\n```sh\nnpm ci && npm start   # once\ncd x\n```\n\n```ts no-check\nnpm x\n```\n'
    expect(commandsOf(text).sort()).toEqual(['npm ci', 'npm start', 'npm test 1'])
  })

  it.for<[command: string, problem: string | undefined]>([
    ['npm test 2', undefined],
    ['npm run hint 1 2', undefined],
    ['npm run check red 1', undefined],
    ['npm ci --offline --cache ../cache', undefined],
    ['npm run demo 1 before', undefined],
    ['npm run compare N 3', undefined],
    ['npm run gone', 'there is no such command'],
    ['npm hint 1 2', 'there is no such command'],
    ['npm test 3', 'there is no chapter 3'],
    ['npm run hint 1 3', 'chapter 1 has no task 3'],
  ])('says of "%s": %s', ([command, problem]) => {
    const found = commandProblems(`Run \`${command}\`.`)
    expect(found).toEqual(problem === undefined ? [] : [`"${command}": ${problem}`])
  })
})

describe('AGENTS.md', () => {
  const text = readFileSync(AGENTS, 'utf8')

  it('is short', () => {
    expect(text.split('\n').length).toBeLessThan(60)
  })

  it('names commands that there are', () => {
    expect(commandsOf(text).length).toBeGreaterThan(5)
    const scripts = commandProblems(text).filter((problem) => problem.endsWith('no such command'))
    expect(scripts).toEqual([])
  })
})
