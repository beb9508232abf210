import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Chapter, skeletonFiles, solutionFiles, tasksOf } from '../lib/chapters.ts'
import { mistakesOf } from '../lib/mistakes.ts'
import { toSkeleton } from '../lib/skeleton.ts'

/** What the report should say of a chapter of a submission. What is undefined may be anything. */
export interface Expected {
  state?: string | string[]
  tasks?: number
  /** A known mistake that is recognised. */
  mistake?: string
  /** What a problem says. */
  problem?: RegExp
}

/** A submission as it was made: what is expected of its chapters, by number, and of those that are not named. */
export interface Made {
  name: string
  chapters: Map<number, Expected>
  others: Expected
}

export interface ClassPlan {
  /** Where the submissions go. */
  folder: string
  /** The root of the workshop that marks them, which somebody tries to write to. */
  workshop: string
  chapters: Chapter[]
  /** How many submissions have a known mistake in each chapter. */
  mistakes: number
  hostile: boolean
}

type Texts = Map<string, string>

const UNTOUCHED: Expected = { state: 'untouched', tasks: 0 }
const FINISHED: Expected = { state: 'finished' }
const MISSING: Expected = { state: 'missing', tasks: 0 }

/** The marker by which a process that was left behind is found afterwards. */
export const LEFT_BEHIND = '98765'

/** Makes a class in a folder, and tells what is to be expected of it. */
export async function makeClass(plan: ClassPlan): Promise<Made[]> {
  const { chapters } = plan
  const made: Made[] = []
  const add = (name: string, others: Expected, texts: (chapter: Chapter) => Texts | undefined) => {
    for (const chapter of chapters) put(plan.folder, name, chapter, texts(chapter))
    made.push({ name, chapters: new Map(), others })
    return made.at(-1)!
  }
  const half = chapters.length / 2
  const some = (name: string, solved: (chapter: Chapter) => boolean) => {
    const one = add(name, UNTOUCHED, (chapter) =>
      solved(chapter) ? signed(solution(chapter), name) : skeletonFiles(chapter),
    )
    for (const chapter of chapters.filter(solved)) one.chapters.set(chapter.number, FINISHED)
  }

  add('untouched', UNTOUCHED, skeletonFiles)
  add('untouched-windows', UNTOUCHED, (c) => each(skeletonFiles(c), (text) => text.replaceAll('\n', '\r\n')))
  for (const name of ['solved-a', 'solved-b', 'solved-c']) some(name, () => true)
  some('half-first', ({ number }) => number <= half)
  some('half-last', ({ number }) => number > half)
  some('half-odd', ({ number }) => number % 2 === 1)
  for (const tasks of [1, 2, 3]) {
    add(`tasks-${tasks}`, { state: 'begun', tasks }, (chapter) => signed(upTo(chapter, tasks), `tasks-${tasks}`))
  }
  add('typo', { state: 'broken', tasks: 0 }, (chapter) => each(solution(chapter), (text) => `${text}\nconst = 1\n`))
  for (let i = 0; i < plan.mistakes; i++) await addMistakes(plan, made, `mistake-${i}`, i)
  // The same once more, under another layout.
  await addMistakes(plan, made, 'copier', 0, (text) => text.replaceAll(/^( +)/gm, '$1$1').replaceAll(/\n\n/g, '\n'))
  if (plan.hostile) made.push(...makeHostile(plan))
  return made
}

/** A submission in which each chapter is solved but for its mistake number `index`. */
async function addMistakes(
  { folder, chapters }: ClassPlan,
  made: Made[],
  name: string,
  index: number,
  change = (text: string) => text,
): Promise<void> {
  const one: Made = { name, chapters: new Map(), others: MISSING }
  for (const chapter of chapters) {
    const mistake = (await mistakesOf(chapter))[index]
    const texts = solutionFiles(chapter)
    if (mistake)
      texts.set(
        mistake.file,
        texts.get(mistake.file)!.replace(mistake.old, () => mistake.new),
      )
    put(
      folder,
      name,
      chapter,
      signed(
        each(texts, (text) => change(withoutMarks(text))),
        name,
      ),
    )
    one.chapters.set(chapter.number, mistake ? { state: ['begun', 'broken'], mistake: mistake.name } : FINISHED)
  }
  made.push(one)
}

function makeHostile({ folder, workshop, chapters }: ClassPlan): Made[] {
  const made: Made[] = []
  /** `attacks` by chapter, in order: code before that of the solution, or what is done to the folder `src/`. */
  const hostile = (name: string, attacks: Array<[Expected, string | ((src: string) => void)]>) => {
    const expected = new Map<number, Expected>()
    for (const [i, [expect, attack]] of attacks.entries()) {
      const chapter = chapters[i]
      if (!chapter) continue
      if (typeof attack === 'string')
        put(
          folder,
          name,
          chapter,
          each(solution(chapter), (text) => `${attack}\n${text}`),
        )
      else {
        put(folder, name, chapter, solution(chapter))
        attack(join(folder, name, 'chapters', chapter.name, 'src'))
      }
      expected.set(chapter.number, expect)
    }
    made.push({ name, chapters: expected, others: MISSING })
  }
  const instead = (src: string, make: () => void) => {
    execFileSync('rm', ['-rf', src])
    make()
  }
  const first = (src: string) =>
    join(src, [...solutionFiles(chapters.find(({ name }) => src.includes(name))!).keys()][0])
  const broken: Expected = { state: 'broken', tasks: 0 }
  const inCall = (code: string) =>
    `{ const real = JSON.parse\n JSON.parse = (...args) => { ${code}\n return real(...args) } }`

  hostile('loops', [
    [broken, 'while (true) {}'],
    [{}, inCall('while (true) {}')],
    [broken, 'await new Promise((done) => setTimeout(done, 1e9))'],
  ])
  hostile('exits', [
    [broken, 'process.exit(0)'],
    [{}, inCall('process.exit(0)')],
    [broken, "process.kill(process.ppid, 'SIGKILL')"],
    [broken, 'process.abort()'],
  ])
  hostile('leftovers', [
    [
      FINISHED,
      `(await import('node:child_process')).spawn('setsid', ['sleep', '${LEFT_BEHIND}'], { detached: true, stdio: 'ignore' }).unref()`,
    ],
    [
      FINISHED,
      `(await import('node:child_process')).spawn('sh', ['-c', 'sleep ${LEFT_BEHIND} & sleep ${LEFT_BEHIND}']).unref()`,
    ],
  ])
  hostile('floods', [
    [{}, "setInterval(() => console.log('x'.repeat(1e5)), 0)"],
    [broken, 'const all = []; for (;;) all.push(Buffer.alloc(5e7, 1))'],
    [broken, 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))'],
    [{}, `try { for (;;) (await import('node:fs')).writeSync(3, 'x'.repeat(1e6)) } catch {}`],
  ])
  hostile('files', [
    [{ ...MISSING, problem: /symbolic link/ }, (src) => instead(src, () => symlinkSync('/etc', src))],
    [
      { problem: /symbolic link/ },
      (src) => {
        execFileSync('rm', [first(src)])
        symlinkSync(first(src).replace('/files/', '/solved-a/'), first(src))
      },
    ],
    [{ problem: /too large/ }, (src) => writeFileSync(first(src), Buffer.alloc(50_000_000, '/'))],
    [{ problem: /not text in UTF-8/ }, (src) => writeFileSync(first(src), Buffer.from('// caf\xe9', 'latin1'))],
    [{ problem: /no regular file/ }, (src) => execFileSync('sh', ['-c', 'rm "$0"; mkfifo "$0"', first(src)])],
    [broken, (src) => writeFileSync(first(src), `export const x = ${'('.repeat(60_000)}1${')'.repeat(60_000)}`)],
    [{ ...MISSING, problem: /no folder/ }, (src) => instead(src, () => writeFileSync(src, ''))],
  ])
  const overwrite = (path: string) => `(await import('node:fs')).writeFileSync(${path}, 'export {}')`
  const here = (path: string) => `new URL('${path}', import.meta.url)`
  hostile('cheats', [
    [{ ...broken, problem: /changed the workshop's files|read-only/ }, overwrite(here(`../tests/${'forged'}.test.ts`))],
    [{}, `try { ${overwrite(JSON.stringify(join(workshop, 'chapters', chapters[0].name, 'demo.ts')))} } catch {}`],
    [{ ...broken, problem: /changed the workshop's files|read-only/ }, overwrite(here('../../../package.json'))],
  ])
  // Of no account: the submission's own tests, reference and configuration.
  for (const name of ['forged', '=<img src=x onerror=alert(1)>']) {
    for (const chapter of chapters) {
      put(folder, name, chapter, skeletonFiles(chapter))
      for (const part of ['tests/all.test.ts', 'solution/all.ts', 'given/all.ts'])
        write(join(folder, name, 'chapters', chapter.name, part), "throw new Error('forged')")
    }
    for (const file of ['package.json', 'vitest.config.ts', 'tsconfig.json']) write(join(folder, name, file), 'forged')
    made.push({ name, chapters: new Map(), others: UNTOUCHED })
  }
  return made
}

function put(folder: string, name: string, chapter: Chapter, texts: Texts | undefined): void {
  for (const [file, text] of texts ?? []) write(join(folder, name, 'chapters', chapter.name, 'src', file), text)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function solution(chapter: Chapter): Texts {
  return each(solutionFiles(chapter), withoutMarks)
}

/** The solution of the first tasks, and the skeleton of the others. */
function upTo(chapter: Chapter, tasks: number): Texts {
  const solved = new RegExp(
    `^ *// #region task (${tasksOf(chapter)
      .map(({ number }) => number)
      .filter((n) => n <= tasks)
      .join('|')})\\b`,
  )
  return each(solutionFiles(chapter), (text, file) => {
    let inside = false
    const lines = text.split('\n').filter((line) => {
      if (solved.test(line)) inside = true
      else if (!inside || !/^\s*\/\/ #endregion/.test(line)) return true
      else inside = false
      return false
    })
    return toSkeleton(lines.join('\n'), file)
  })
}

/** Code of its own, so that no run of another's can stand in for it. */
function signed(texts: Texts, name: string): Texts {
  return each(texts, (text) => `${text}\n// by ${name}\n`)
}

function withoutMarks(text: string): string {
  return text.replaceAll(/^ *\/\/ #(end)?region.*\n/gm, '')
}

function each(texts: Texts, change: (text: string, file: string) => string): Texts {
  return new Map([...texts].map(([file, text]) => [file, change(text, file)]))
}
