import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allChapters, ROOT, tasksOf } from './chapters.ts'
import { fencesOf } from './page.ts'

/** What npm can do without a script of ours. */
const NPM_ITSELF = ['ci', 'install', 'outdated', 'cache', 'config', 'pack', 'ls']
/** The commands whose first number is a chapter; the second one of the last two is a task. */
const TAKE_CHAPTER = ['test', 'demo', 'reset', 'skeleton', 'lessons', 'check', 'hint', 'compare']
const TAKE_TASK = ['hint', 'compare']

/** Every `npm …` that a page names, in a block of shell commands or in the text. */
export function commandsOf(text: string): string[] {
  const blocks = fencesOf(text)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ body }) => body.split('\n'))
    .flatMap((line) => line.replace(/\s#.*/, '').split('&&'))
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code)
  return [...blocks, ...inline].map((line) => line.trim().replace(/^\$ /, '')).filter((line) => /^npm [a-z]/.test(line))
}

/** What is wrong with the commands that a page names: scripts, chapters and tasks that there are not. */
export function commandProblems(text: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  return [...new Set(commandsOf(text))].flatMap((command) => {
    const [, first, ...rest] = command.split(/\s+/)
    const [script, ...words] = first === 'run' ? rest : [first, ...rest]
    if (first !== 'run' && NPM_ITSELF.includes(first)) return []
    const isCalled = first === 'run' || ['test', 'start'].includes(first)
    if (!isCalled || !(script in scripts)) return [`"${command}": there is no such command`]
    const problem = TAKE_CHAPTER.includes(script) ? numberProblem(script, words) : undefined
    return problem === undefined ? [] : [`"${command}": ${problem}`]
  })
}

function numberProblem(script: string, words: string[]): string | undefined {
  // `N` stands for any chapter.
  if (words.some((word) => /^[A-Z]+$/.test(word))) return undefined
  const [first, second] = words.filter((word) => /^\d+$/.test(word)).map(Number)
  if (first === undefined) return undefined
  const chapter = allChapters().find(({ number }) => number === first)
  if (!chapter) return `there is no chapter ${first}`
  if (second === undefined || !TAKE_TASK.includes(script)) return undefined
  return tasksOf(chapter).some(({ number }) => number === second) ? undefined : `chapter ${first} has no task ${second}`
}
