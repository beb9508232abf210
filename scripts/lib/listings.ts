import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allChapters, ROOT } from './chapters.ts'
import { lessonPath, readLesson } from './lesson.ts'
import { type Fence, fencesOf } from './page.ts'
import { runProcess } from './processes.ts'
import { freshState } from './state.ts'

/** A page with every listing and every quoted run as it should be, and what could not be filled in. */
export interface FilledPage {
  text: string
  problems: string[]
}

const SOURCE = /^from="([^"#]+)#([\w-]+)"$/

/** Fills a page's listings from the marked regions of code, and its quoted runs from what the commands print. */
export async function fillPage(text: string): Promise<FilledPage> {
  const problems: string[] = []
  let filled = text
  for (const fence of fencesOf(text)) {
    try {
      const body = await bodyOf(fence)
      if (body === undefined) continue
      if (!filled.includes(fence.raw))
        throw new Error(`A fence that is filled starts at the margin: ${body.split('\n')[0]}`)
      const ticks = /^[`~]+/.exec(fence.raw)![0]
      const opening = fence.raw.slice(0, fence.raw.indexOf('\n') === -1 ? undefined : fence.raw.indexOf('\n'))
      filled = filled.replace(fence.raw, () => `${opening}\n${body}\n${ticks}`)
    } catch (error) {
      problems.push((error as Error).message)
    }
  }
  return { text: filled, problems }
}

/** A page's table of chapters, between two comments, as the lessons' front matter has it. */
export function fillTable(text: string): string {
  const rows = allChapters()
    .filter((chapter) => existsSync(join(ROOT, lessonPath(chapter))))
    .map((chapter) => {
      const { title, minutes } = readLesson(chapter)
      return `| ${chapter.number} | [${title}](${lessonPath(chapter)}) | ${minutes} |`
    })
  const table = ['| | chapter | minutes |', '|---|---|---|', ...rows].join('\n')
  return text.replace(
    /(<!-- chapters -->\n)[\s\S]*(<!-- \/chapters -->)/,
    (_, start, end) => `${start}${table}\n${end}`,
  )
}

/** What a fence should hold; undefined where it may hold anything. */
async function bodyOf({ language, attributes, body }: Fence): Promise<string | undefined> {
  if (language === 'console') return quotedRun(body.split('\n')[0])
  if (!/^(ts|tsx|typescript)$/.test(language) || attributes === 'no-check') return undefined
  const source = SOURCE.exec(attributes)
  if (!source)
    throw new Error(`A TypeScript fence needs from="file#region" or no-check: ${body.split('\n')[0] || attributes}`)
  return region(source[1], source[2])
}

/** The lines of a file between `// #region name` and `// #endregion`, without their common indent. */
export function region(file: string, name: string): string {
  const path = join(ROOT, file)
  if (!existsSync(path)) throw new Error(`There is no ${file} to take the region "${name}" from.`)
  const lines = readFileSync(path, 'utf8').replaceAll('\r\n', '\n').split('\n')
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`)
  const end = lines.findIndex((line, index) => index > start && line.trim() === '// #endregion')
  if (start === -1 || end === -1) throw new Error(`${file} has no region "${name}".`)
  const body = lines.slice(start + 1, end)
  const indent = Math.min(...body.filter((line) => line.trim()).map((line) => /^\s*/.exec(line)![0].length))
  return body.map((line) => line.slice(indent)).join('\n')
}

/** `$ npm …` and what it prints: without colour, 80 columns wide, for a learner who has done nothing yet. */
async function quotedRun(command: string): Promise<string> {
  const words = command.trim().split(/\s+/)
  if (words[0] !== '$' || words[1] !== 'npm' || words.length < 3) {
    throw new Error(`A quoted run starts with "$ npm …", got "${command}".`)
  }
  const state = freshState()
  try {
    const env = {
      ...process.env,
      ...state.env,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      CI: undefined,
      npm_config_loglevel: 'silent',
    }
    const { output } = await runProcess(process.platform === 'win32' ? 'npm.cmd' : 'npm', words.slice(2), env)
    return `${words.join(' ')}\n${output.trim().replace(/[ \t]+$/gm, '')}`
  } finally {
    state.remove()
  }
}
