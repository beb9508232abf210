import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allChapters, learnerFiles } from './chapters.ts'
import { learnersEnvironment } from './testing/learners-environment.ts'

const HERE = fileURLToPath(new URL('../../', import.meta.url))
const parent = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-mixed-')))
/** The whole workshop, where a learner has finished some chapters. */
const root = join(parent, 'workshop')

/** These the learner has finished. Of all others, `src/` is the skeleton. */
const FINISHED = [3, 5, 11, 12, 14]
/** Finished once, and changed since: who knows whether it works. */
const CHANGED = 7

beforeAll(() => {
  for (const name of ['chapters', 'scripts', 'package.json', 'tsconfig.json'])
    cpSync(join(HERE, name), join(root, name), { recursive: true })
  symlinkSync(join(HERE, 'node_modules'), join(root, 'node_modules'), 'junction')
  const finished = allChapters(root).filter(({ number }) => [...FINISHED, CHANGED].includes(number))
  for (const { path } of finished) cpSync(join(path, 'solution'), join(path, 'src'), { recursive: true })
  for (const { path, number } of allChapters(root)) {
    for (const folder of ['src', 'solution']) {
      for (const file of readdirSync(join(path, folder))) {
        // Each module says whose it is when it is loaded.
        appendFileSync(join(path, folder, file), `\nprocess.stderr.write('@${number} ${folder} ${file}\\n')\n`)
      }
    }
  }
  // What `npm test N` writes down when all tests of a chapter have passed.
  const record = `
    import { allChapters } from './scripts/lib/chapters.ts'
    import { codeOf, recordRun } from './scripts/lib/progress.ts'
    for (const chapter of allChapters())
      if (${JSON.stringify([...FINISHED, CHANGED])}.includes(chapter.number))
        recordRun(chapter, codeOf(chapter), [{ task: 1, outcome: 'passed' }], false)`
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', record], {
    cwd: root,
    encoding: 'utf8',
    env: learnersEnvironment(),
  })
  expect(status, stderr).toBe(0)
  const [changed] = allChapters(root).filter(({ number }) => number === CHANGED)
  const [name, text] = [...learnerFiles(changed)][0]
  writeFileSync(join(changed.path, 'src', name), `${text}\n// one more thing\n`)
})

afterAll(() => rmSync(parent, { recursive: true, force: true, maxRetries: 3 }))

describe('npm run agent, with some chapters finished', () => {
  it('runs on the modules of the learner where a chapter is finished, and on ours elsewhere', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const [, ...line] = scripts.agent.split(' ')
    const words = ['--print', 'find-the-bug', '--mode', 'acceptEdits', '--allow', 'Bash(node --test)']
    const { status, stdout, stderr } = spawnSync(process.execPath, [...line, ...words], {
      cwd: root,
      encoding: 'utf8',
      env: { ...learnersEnvironment(), NO_COLOR: '1' },
    })
    expect(stdout).toContain('All 7 tests pass.')
    expect(status).toBe(0)

    const loaded = [...stderr.matchAll(/^@(\d+) (src|solution) (\S+)$/gm)].map(([, number, folder, file]) => ({
      number: Number(number),
      folder,
      file,
    }))
    const wrong = loaded.filter(({ number, folder }) => (folder === 'src') !== FINISHED.includes(number))
    expect(wrong, 'each module is one or the other').toEqual([])
    const numbers = new Set(loaded.map(({ number }) => number))
    // Chapters 1 and 4 are the first, small versions of what came after: the agent has no use for them.
    expect([...numbers].sort((a, b) => a - b)).toEqual([2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    expect(loaded).toContainEqual({ number: 12, folder: 'src', file: 'executor.ts' })
    expect(loaded).toContainEqual({ number: 14, folder: 'src', file: 'agent.ts' })
    expect(loaded).toContainEqual({ number: CHANGED, folder: 'solution', file: 'edit.ts' })
    expect(stderr).toContain('on your own code in chapters 3, 5, 11–12, 14, on ours in 1–2, 4, 6–10, 13')
  })
})
