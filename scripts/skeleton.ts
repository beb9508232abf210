import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allChapters, findChapter, learnerFiles, ROOT, shownPath, skeletonFiles } from './lib/chapters.ts'
import { runCommand } from './lib/command.ts'
import { PRISTINE_FILE, pristineChecksums } from './lib/pristine.ts'

/** `npm run skeleton [chapter …]`: writes `src/` anew from `solution/`. For maintainers: it overwrites. */
await runCommand(async (words) => {
  const chapters = words.length > 0 ? words.map((word) => findChapter(word)) : allChapters()
  for (const chapter of chapters) {
    const src = join(chapter.path, 'src')
    const wanted = skeletonFiles(chapter)
    const present = learnerFiles(chapter)
    mkdirSync(src, { recursive: true })
    for (const stray of readdirSync(src).filter((name) => !wanted.has(name)))
      rmSync(join(src, stray), { recursive: true })
    for (const [name, text] of wanted) {
      if (present.get(name) === text) continue
      writeFileSync(join(src, name), text)
      console.log(`wrote ${shownPath(chapter, 'src', name)}`)
    }
  }
  writeFileSync(join(ROOT, PRISTINE_FILE), `${JSON.stringify(pristineChecksums(), null, 2)}\n`)
  return 0
})
