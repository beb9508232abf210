import { createHash } from 'node:crypto'
import type { Task } from '../chapters.ts'
import { type Normal, namesIn, normalise, type Unit, unitAt, unitsOf } from './normalise.ts'

/** What somebody's code for a task is, for comparison with somebody else's. */
export interface TaskCode {
  task: number
  /** SHA-256 of its normal text, in hex. */
  digest: string
  /** Names, literals and constructs in it, beyond what everybody was given. */
  size: number
}

/** The chapter's files by name: what everybody was given, and the reference, in which the blanks are marked. */
export interface Given {
  tasks: Task[]
  skeleton: Map<string, string>
  solution: Map<string, string>
}

/** What a learner's code is compared with: made once for a class, from nothing but the workshop's own texts. */
export interface GivenCode {
  /** Names that are nobody's own: the language's, and those in the skeleton. */
  names: string[]
  tasks: Array<{ task: number; places: Place[]; before: Normal | undefined }>
}

interface Place {
  file: string
  /** The function that holds a blank. */
  unit: string
}

export function givenCode({ tasks, skeleton, solution }: Given): GivenCode {
  const names = namesIn(skeleton.values())
  const [marked, given] = [solution, skeleton].map(parseAll)
  const before = tasks.map((task) => {
    const places = placesOf(task, solution, marked)
    return { task: task.number, places, before: normalText(places, given, names) }
  })
  return { names: [...names], tasks: before }
}

/**
 * The code for each task. Left out are tasks whose code is as it came, and those with a function that is gone or a file
 * that is no TypeScript.
 *
 * Call it on untrusted code only in a process that may crash: the parser does on code that is nested thousands deep.
 */
export function codeOfTasks({ names, tasks }: GivenCode, sources: Map<string, string>): TaskCode[] {
  const kept = new Set(names)
  const written = parseAll(sources)
  return tasks.flatMap(({ task, places, before }) => {
    const now = normalText(places, written, kept)
    if (!now || now.text === before?.text) return []
    const digest = createHash('sha256').update(now.text).digest('hex')
    return { task, digest, size: Math.max(0, now.size - (before?.size ?? 0)) }
  })
}

type Parsed = Map<string, Map<string, Unit>>

function parseAll(files: Map<string, string>): Parsed {
  return new Map([...files].map(([name, text]) => [name, unitsOf(text)]))
}

/** The functions that hold a task's blanks. In `src/` a blank has no mark any more, but its function has its name. */
function placesOf(task: Task, solution: Map<string, string>, marked: Parsed): Place[] {
  const places = new Map<string, Place>()
  for (const { file, start } of task.blanks) {
    const offset = solution.get(file)!.split('\n').slice(0, start).join('\n').length
    const unit = unitAt(marked.get(file)!, offset)
    if (unit !== undefined) places.set(`${file} ${unit}`, { file, unit })
  }
  return [...places.values()]
}

function normalText(places: Place[], files: Parsed, kept: ReadonlySet<string>): Normal | undefined {
  const parts = places.map(({ file, unit }) => files.get(file)?.get(unit))
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  const normal = parts.map((part) => normalise(part!, kept))
  return { text: normal.map(({ text }) => text).join('\n'), size: normal.reduce((sum, { size }) => sum + size, 0) }
}
