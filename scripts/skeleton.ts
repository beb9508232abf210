import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allChapters, learnerFiles, shownPath, skeletonFiles } from './lib/chapters.ts'
import { runCommand } from './lib/command.ts'

/** `npm run skeleton`: writes every chapter's `src/` anew from its `solution/`. For maintainers: it overwrites. */
await runCommand(async () => {
  for (const chapter of allChapters()) {
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
  return 0
})
