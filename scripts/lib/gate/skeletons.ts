import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { learnerFiles, ROOT, shownPath, skeletonFiles, tasksOf } from '../chapters.ts'
import { editedPristineFiles } from '../pristine.ts'
import { type GatePart, Tally } from './part.ts'

const MAX_TASKS = 5
const MAX_TASK_LINES = 50

/** `src/` is what the generator makes of `solution/`. */
export const skeletons: GatePart = {
  name: 'skeletons',
  title: 'src/ equals what is generated from solution/',
  async run(chapters) {
    const tally = new Tally()
    const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8')
    const options = readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')
    for (const chapter of chapters) {
      const { name, condition } = chapter
      const imported = manifest.includes(`"#${name}/*"`) && manifest.includes(`"./chapters/${name}/src/*"`)
      tally.count(
        imported ? undefined : `package.json: imports has no line for "#${name}/*" with the condition ${condition}`,
      )
      const listed = options.includes(`"${condition}"`)
      tally.count(listed ? undefined : `tsconfig.json: customConditions lacks "${condition}"`)
      const wanted = skeletonFiles(chapter)
      const present = learnerFiles(chapter)
      for (const name of new Set([...wanted.keys(), ...present.keys()])) {
        const same = wanted.get(name) === present.get(name)
        tally.count(
          same ? undefined : `${shownPath(chapter, 'src', name)} is not what is generated: run npm run skeleton`,
        )
      }
      const tasks = tasksOf(chapter)
      const inOrder = tasks.length > 0 && tasks.length <= MAX_TASKS && tasks.every((t, i) => t.number === i + 1)
      const numbers = tasks.map((t) => t.number).join(', ')
      tally.count(
        inOrder ? undefined : `${chapter.name}: expected tasks 1 to at most ${MAX_TASKS}, got ${numbers || 'none'}`,
      )
      for (const task of tasks) {
        const lines = task.blanks.reduce((sum, blank) => sum + blank.end - blank.start, 0)
        const fits = lines <= MAX_TASK_LINES
        tally.count(
          fits ? undefined : `${chapter.name} task ${task.number}: ${lines} lines, more than ${MAX_TASK_LINES}`,
        )
      }
    }
    for (const path of editedPristineFiles())
      tally.failures.push(`${path} is not as .pristine.json has it: run npm run skeleton`)
    return tally.report(`${tally.passed + tally.failures.length} files and tasks`)
  },
}
