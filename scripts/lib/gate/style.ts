import { binOf, runProcess } from '../processes.ts'
import { typeProblems } from '../types.ts'
import { type GatePart, Tally } from './part.ts'

/** Format, lint, and types on both sets of import conditions. */
export const style: GatePart = {
  name: 'style',
  title: 'format, lint and types',
  async run() {
    const tally = new Tally()
    const [biome, mine, reference] = await Promise.all([
      runProcess(process.execPath, [binOf('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '--colors=off']),
      typeProblems(),
      typeProblems({ reference: true }),
    ])
    tally.count(biome.code === 0 ? undefined : `Biome (mend what it can with npm run format):\n${biome.output}`)
    for (const [what, problems] of [
      ['src', mine],
      ['solution', reference],
    ] as const) {
      const list = problems.map((p) => `${p.file}:${p.line}: ${p.message}`).join('\n')
      tally.count(problems.length === 0 ? undefined : `types, with chapters read from ${what}/:\n${list}`)
    }
    return tally.report('Biome, and tsc on src and on solution')
  },
}
