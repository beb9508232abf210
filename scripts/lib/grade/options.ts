import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { WrongUse } from '../wrong-use.ts'

export interface GradeOptions {
  /** A folder, or a file that lists folders: an absolute path. */
  submissions: string
  /** The folder for the reports: an absolute path. */
  out: string
  /** Words that name chapters. None: all of them. */
  chapters: string[]
  /** How many submissions run at a time. Twice as many as there are processors: tests often wait. */
  jobs: number
  /** Check types, too. */
  types: boolean
  /** Write the points of one submission, too, as a class's repository publishes them. */
  points: boolean
  /** Use a sandbox where there is one. */
  sandbox: boolean
}

export const USAGE = `Expected a folder of submissions (or a file that lists them), and then any of these words:

  out FOLDER      where the reports go, in place of FOLDER-grades beside the submissions
  chapters 1 2 3  mark these chapters only
  jobs N          mark so many submissions at a time
  types           check the types, too
  no-sandbox      do not use bubblewrap, even where it is installed
  points          write the points of one submission, too, as GitHub Classroom reads them

For example: npm run grade ../class chapters 1 2 types`

const FLAGS = ['types', 'points', 'no-sandbox']
const VALUED = ['out', 'chapters', 'jobs']

/** Reads the command's words; an option may have dashes in front. Paths count from the folder `from`. Throws WrongUse. */
export function readOptions(words: string[], from: string): GradeOptions {
  const given = words.flatMap((word) => {
    const [, name, value] = /^--([\w-]+)(?:=(.*))?$/.exec(word) ?? []
    if (name !== undefined && ![...FLAGS, ...VALUED].includes(name)) throw new WrongUse(`Unknown ${word}. ${USAGE}`)
    return name === undefined ? [word] : value === undefined ? [name] : [name, value]
  })
  const rest = [...given]
  const options: Omit<GradeOptions, 'submissions' | 'out'> & { submissions?: string; out?: string } = {
    ...{ chapters: [], jobs: 2 * availableParallelism(), types: false, points: false, sandbox: true },
  }
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === 'types' || word === 'points') options[word] = true
    else if (word === 'no-sandbox') options.sandbox = false
    else if (word === 'out') options.out = resolve(from, valueAfter(word, rest))
    else if (word === 'jobs') options.jobs = countOf(valueAfter(word, rest))
    else if (word === 'chapters') {
      options.chapters.push(valueAfter(word, rest))
      while (/^\d/.test(rest[0] ?? '')) options.chapters.push(rest.shift()!)
    } else if (options.submissions === undefined) options.submissions = resolve(from, word)
    else throw new WrongUse(`Unknown word "${word}". ${USAGE}`)
  }
  const { submissions } = options
  if (submissions === undefined) throw new WrongUse(USAGE)
  return { ...options, submissions, out: options.out ?? `${submissions.replace(/\.\w+$/, '')}-grades` }
}

function valueAfter(word: string, rest: string[]): string {
  const value = rest.shift()
  if (value === undefined) throw new WrongUse(`Something is missing behind "${word}". ${USAGE}`)
  return value
}

function countOf(word: string): number {
  const jobs = Number(word)
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64) throw new WrongUse(`jobs: expected 1 to 64, got "${word}".`)
  return jobs
}
