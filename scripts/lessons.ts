import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allChapters, findChapter, ROOT } from './lib/chapters.ts'
import { runCommand } from './lib/command.ts'
import { lessonPath } from './lib/lesson.ts'
import { type FilledPage, fillPage, fillTable } from './lib/listings.ts'
import { fillTeaching, TEACHING_PAGE } from './lib/teaching.ts'

/**
 * `npm run lessons [chapter …]`: fills the listings and the quoted runs of the lessons, README's table, and the schedules
 * and mistakes of the teacher's guide. For maintainers.
 */
await runCommand(async (words) => {
  const chapters = words.length > 0 ? words.map((word) => findChapter(word)) : allChapters()
  let problems = 0
  for (const chapter of chapters) problems += await fill(lessonPath(chapter), fillPage)
  if (existsSync(join(ROOT, TEACHING_PAGE))) problems += await fill(TEACHING_PAGE, fillTeaching)
  await fill('README.md', async (text) => ({ text: fillTable(text), problems: [] }))
  return problems === 0 ? 0 : 1
})

/** Writes a page as it should be, tells what could not be filled in, and returns how much that is. */
async function fill(path: string, how: (text: string) => Promise<FilledPage>): Promise<number> {
  const old = readFileSync(join(ROOT, path), 'utf8')
  const { text, problems } = await how(old)
  if (text !== old) {
    writeFileSync(join(ROOT, path), text)
    console.log(`filled ${path}`)
  }
  for (const problem of problems) console.error(`${path}: ${problem}`)
  return problems.length
}
