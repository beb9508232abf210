import { afterAll, describe, expect, it } from 'vitest'
import { skeletonFiles, solutionFiles, tasksOf } from '../chapters.ts'
import { mistakesOf } from '../mistakes.ts'
import { SENTENCES } from '../testing/tiny-chapter.ts'
import { chapterOf, workshopCopy } from '../testing/workshop-copy.ts'
import { markChapter, type ToMark } from './mark.ts'
import type { TestOutcome } from './protocol.ts'
import type { ChapterRun } from './run-chapters.ts'

const copy = workshopCopy({ chapters: ['01-tiny'] })
afterAll(copy.remove)
const chapter = chapterOf(copy, '01-tiny')
const pristine = {
  ...{ chapter, title: 'Tiny', tasks: tasksOf(chapter).map((task) => ({ ...task, title: '' })) },
  ...{ skeleton: skeletonFiles(chapter), solution: solutionFiles(chapter), mistakes: await mistakesOf(chapter) },
  given: { names: [], tasks: [] },
}
const expected = SENTENCES.map((sentence, i) => ({
  sentence,
  task: i < 2 ? 1 : 2,
  file: 'numbers.test.ts',
  line: i + 1,
}))

/** `+` passed, `-` failed, `o` failed on a blank, `h` hung, ` ` not told of; one for each sentence, and then once more. */
function run(words: string, more: Partial<ChapterRun> = {}): ChapterRun {
  const outcomes = { '+': 'passed', '-': 'failed', o: 'failed', h: 'hung' } as const
  const tests = [...words].flatMap((word, i): TestOutcome[] => {
    const test = expected[i % expected.length]
    if (!(word in outcomes)) return []
    return [{ ...test, outcome: outcomes[word as '+'], open: word === 'o', problem: '', printed: '' }]
  })
  return { tests, broken: [], stray: [], milliseconds: 5, code: [], ...more }
}

function mark(run: ChapterRun | undefined, more: Partial<ToMark> = {}) {
  return markChapter({ pristine, expected, sources: pristine.solution, run, problems: [], types: undefined, ...more })
}

describe('markChapter', () => {
  it.for<[words: string, state: string, tasks: number, tests: number, red: number]>([
    ['++++', 'finished', 2, 4, 0],
    ['+++-', 'begun', 1, 3, 1],
    ['++oo', 'begun', 1, 2, 2],
    ['h   ', 'begun', 0, 0, 4],
    ['++', 'begun', 1, 2, 2],
    ['+++++++-', 'begun', 1, 3, 1],
    ['+++-++++', 'begun', 1, 3, 1],
  ])('counts "%s"', ([words, state, tasks, tests, red]) => {
    const marked = mark(run(words))
    expect(marked).toMatchObject({ state, tasksDone: tasks, testsPassed: tests })
    expect(marked.red).toHaveLength(red)
  })

  it('counts no test that the workshop does not have', () => {
    const more = {
      sentence: 'invented',
      task: 1,
      file: 'x',
      line: 1,
      outcome: 'passed' as const,
      open: false,
      problem: '',
      printed: '',
    }
    const marked = mark({ ...run('----'), tests: [...run('----').tests, more] })
    expect(marked).toMatchObject({ tasksDone: 0, testsPassed: 0 })
  })

  it.for([
    ['missing', undefined, []],
    ['untouched', pristine.skeleton, [1, 2]],
  ] as const)('gives nothing for what is %s', ([state, sources, notBegun]) => {
    const marked = mark(undefined, { sources })
    expect(marked).toMatchObject({ state, tasksDone: 0, testsPassed: 0, red: [], notBegun })
  })

  it('names the tasks that are not begun, and not their tests', () => {
    const half = pristine.skeleton.get('numbers.ts')!.replace(/ *\/\/ TODO\(task 1\).*\n.*\n/, 'return number * 2\n')
    const marked = mark(run('+---'), { sources: new Map([['numbers.ts', half]]) })
    expect(marked).toMatchObject({ notBegun: [2], red: [{ sentence: SENTENCES[1] }] })
  })

  it('recognises a known mistake', () => {
    expect(mark(run('+-++')).mistakes).toEqual([{ name: 'never-zero', hint: 'The hint of never-zero.' }])
    expect(mark(run('+-oo')).mistakes.map(({ name }) => name)).toEqual(['never-zero'])
    expect(mark(run('----')).mistakes).toEqual([])
  })

  it('says what broke', () => {
    expect(mark(run('++', { incomplete: 'it took too long' }))).toMatchObject({
      state: 'broken',
      tasksDone: 1,
      problems: ['it took too long'],
    })
    expect(mark(run('', { broken: ['a', 'a'] }))).toMatchObject({ state: 'broken', problems: ['cannot be loaded: a'] })
    expect(mark(run('++++', { stray: ['b'] }))).toMatchObject({
      state: 'begun',
      tasksDone: 2,
      problems: ['an error that nobody catches: b'],
    })
    expect(mark(run('++++'), { problems: ['src/x.ts is a symbolic link'] })).toMatchObject({
      state: 'begun',
      tasksDone: 2,
    })
  })
})
