import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Chapter } from '../chapters.ts'
import { toSkeleton } from '../skeleton.ts'
import { learnersEnvironment } from './learners-environment.ts'
import { tinyChapter } from './tiny-chapter.ts'

/** A small workshop in a temporary folder, with the scripts as they are here. */
export interface WorkshopCopy {
  /** Its root: an absolute path without links. */
  root: string
  /** Writes a file, making its folders. */
  write(name: string, text: string): void
  text(name: string): string
  /** Puts `now` in the place of `old`. Throws when `old` is not in the file, so that no test breaks nothing. */
  edit(name: string, old: string, now: string): void
  /** Runs `npm run SCRIPT word …` without npm, a terminal or colours, as if called from the folder `from`. */
  run(script: string, words?: string[], from?: string): Promise<{ code: number | null; output: string }>
  /** Deletes the folder and all in it. */
  remove(): void
}

export interface WorkshopCopyOptions {
  /** Names such as `01-tiny`: each is a tiny chapter of its own. */
  chapters: string[]
  /** The root's own name. */
  folder?: string
}

/** The real root: WORKSHOP_ROOT does not count here. */
const HERE = fileURLToPath(new URL('../../../', import.meta.url))
const TIME_LIMIT_MS = 55_000

/** Makes a workshop of tiny chapters, each with its pristine skeleton. Remove it when you are done. */
export function workshopCopy({ chapters, folder = 'workshop' }: WorkshopCopyOptions): WorkshopCopy {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'workshop-copy-')))
  const root = join(parent, folder)
  const copy: WorkshopCopy = {
    root,
    write(name, text) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    },
    text: (name) => readFileSync(join(root, name), 'utf8'),
    edit(name, old, now) {
      if (!copy.text(name).includes(old)) throw new Error(`${name} has no "${old}"`)
      copy.write(
        name,
        copy.text(name).replace(old, () => now),
      )
    },
    run: runIn(root),
    remove: () => rmSync(parent, { recursive: true, force: true, maxRetries: 3 }),
  }

  // Neither the unit tests nor the agent, which stands on real chapters. Of chapters/support only what stands on none.
  const plumbing = (path: string) => !/[\\/](testing|bench)$|\.test\.ts$|[\\/]agent\.ts$/.test(path)
  const support = ['mistake.ts', 'test.ts', 'workspace.ts'].map((name) => `chapters/support/${name}`)
  for (const name of [...support, 'scripts', 'biome.json', 'vitest.config.ts', '.gitignore', '.gitattributes'])
    cpSync(join(HERE, name), join(root, name), { recursive: true, filter: plumbing })
  symlinkSync(join(HERE, 'node_modules'), join(root, 'node_modules'), 'junction')
  copy.write('package.json', packageOf(chapters))
  copy.write('tsconfig.json', tsconfigOf(chapters))
  copy.write('README.md', '# A copy\n\n<!-- chapters -->\n<!-- /chapters -->\n')
  for (const chapter of chapters)
    for (const [name, text] of Object.entries(tinyChapter(chapter))) addFile(copy, name, text)
  return copy
}

function addFile(copy: WorkshopCopy, name: string, text: string): void {
  copy.write(name, text)
  if (name.includes('/solution/')) copy.write(name.replace('/solution/', '/src/'), toSkeleton(text, name))
}

function packageOf(chapters: string[]): string {
  const manifest = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
  const own = chapters.map((name) => {
    const tree = (folder: string) => `./chapters/${name}/${folder}/*`
    return [`#${name}/*`, { [conditionOf(name)]: tree('src'), default: tree('solution') }]
  })
  const imports = { ...Object.fromEntries(own), '#support/*': './chapters/support/*' }
  return `${JSON.stringify({ ...manifest, imports }, null, 2)}\n`
}

function tsconfigOf(chapters: string[]): string {
  const text = readFileSync(join(HERE, 'tsconfig.json'), 'utf8')
  const conditions = chapters.map((name) => `"${conditionOf(name)}"`).join(', ')
  return text.replace(/"customConditions": \[[^\]]*\]/, `"customConditions": [${conditions}]`)
}

const conditionOf = (chapter: string) => `mine-${chapter.slice(0, 2)}`

function runScript(root: string, [script, ...words]: string[], from: string) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const [, ...line] = scripts[script].split(' ')
  const env = { ...learnersEnvironment(), INIT_CWD: from, NO_COLOR: '1' }
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    const options = { cwd: root, env, timeout: TIME_LIMIT_MS, maxBuffer: 10_000_000 }
    const child = execFile(process.execPath, [...line, ...words], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    )
    child.stdin?.end()
  })
}

/** `run` of a copy, in any other workshop. */
export function runIn(root: string): WorkshopCopy['run'] {
  return (script, words = [], from = root) => runScript(root, [script, ...words], from)
}

/** A chapter of a copy, as `allChapters` finds it there. */
export function chapterOf({ root }: WorkshopCopy, name: string): Chapter {
  return {
    number: Number(name.slice(0, 2)),
    name,
    path: join(root, 'chapters', name),
    condition: conditionOf(name),
  }
}

/** The last line that was printed. */
export function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1)!
}
