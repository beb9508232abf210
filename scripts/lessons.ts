import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allChapters, findChapter, ROOT } from './lib/chapters.ts'
import { runCommand } from './lib/command.ts'
import { lessonPath } from './lib/lesson.ts'
import { fillPage, fillTable } from './lib/listings.ts'

/** `npm run lessons [chapter …]`: fills the listings and the quoted runs of the lessons, and README's table. For maintainers. */
await runCommand(async (words) => {
  const chapters = words.length > 0 ? words.map((word) => findChapter(word)) : allChapters()
  let code: 0 | 1 = 0
  for (const path of chapters.map(lessonPath)) {
    const old = readFileSync(join(ROOT, path), 'utf8')
    const { text, problems } = await fillPage(old)
    if (text !== old) {
      writeFileSync(join(ROOT, path), text)
      console.log(`filled ${path}`)
    }
    for (const problem of problems) {
      console.error(`${path}: ${problem}`)
      code = 1
    }
  }
  const readme = join(ROOT, 'README.md')
  writeFileSync(readme, fillTable(readFileSync(readme, 'utf8')))
  return code
})
