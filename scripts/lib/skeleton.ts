import { WrongUse } from './wrong-use.ts'

/** A blank that the learner fills: one `#region task N` of a solution file. */
export interface Blank {
  task: number
  /** What must hold, in one line: the TODO's text. */
  text: string
  /** The first line after the mark and the first line not in the region any more, counted from 0. */
  start: number
  end: number
  /** False where the blank holds entries of a literal and leaves a TODO line alone. */
  throws: boolean
}

const MARK = /^(\s*)\/\/\s*#region\b(.*)$/
const TASK = /^ task (\d+)(, entries)?: (\S.*)$/
const END = /^\s*\/\/\s*#endregion\s*$/
const OWNER = new RegExp(
  [
    /(?:function\*?|class)\s+(\w+)/,
    /(?:const|let)\s+(\w+)\s*(?::[^=]+)?=/,
    // A method, then a property that holds a function.
    /^\s+(?:(?:static|async|private|override|get|set)\s+|\*\s*)*(#?\w+)\s*(?:<[^>]*>)?\([^)]*(?:\).*)?$/,
    /^\s+(?:(?:static|private|readonly)\s+)*(#?\w+)\s*[:=]\s*(?:async\b\s*)?(?:\(|function\b)/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
/** Heads of blocks that look like methods. */
const BLOCK = /^\s*(?:\}\s*)?(?:if|else|for|while|do|switch|case|try|catch|finally|return|with)\b/

/**
 * Finds the blanks of a solution file.
 * Throws a WrongUse that starts with `file:line` when a mark is unclosed, nested, stray, or lacks its number or its text.
 */
export function findBlanks(source: string, file: string): Blank[] {
  const lines = source.split('\n')
  const blanks: Blank[] = []
  let open: { line: number; task: number; text: string; throws: boolean } | undefined

  lines.forEach((line, index) => {
    const mark = MARK.exec(line)
    if (mark) {
      if (open) throw new WrongUse(`${file}:${index + 1}: a region starts inside the one of line ${open.line + 1}.`)
      const task = TASK.exec(mark[2])
      if (!task) {
        throw new WrongUse(
          `${file}:${index + 1}: expected "// #region task N: what must hold" (or "task N, entries: …"), got "${line.trim()}".`,
        )
      }
      open = { line: index, task: Number(task[1]), throws: task[2] === undefined, text: task[3].trim() }
    } else if (END.test(line)) {
      if (!open) throw new WrongUse(`${file}:${index + 1}: #endregion without a #region.`)
      blanks.push({ task: open.task, text: open.text, throws: open.throws, start: open.line + 1, end: index })
      open = undefined
    }
  })
  if (open) throw new WrongUse(`${file}:${open.line + 1}: this region is never closed with // #endregion.`)
  return blanks
}

/** The learner's skeleton of a solution file: every blank becomes its TODO, everything else stays. Throws like `findBlanks`. */
export function toSkeleton(source: string, file: string): string {
  const lines = source.split('\n')
  const skeleton: string[] = []
  let next = 0
  for (const blank of findBlanks(source, file)) {
    const mark = blank.start - 1
    const indent = /^\s*/.exec(lines[mark])![0]
    skeleton.push(...lines.slice(next, mark), `${indent}// TODO(task ${blank.task}): ${blank.text}`)
    if (blank.throws)
      skeleton.push(`${indent}throw new Error('TODO(task ${blank.task}): ${ownerOf(lines, mark, file)}')`)
    next = blank.end + 1
  }
  return [...skeleton, ...lines.slice(next)].join('\n')
}

/** The name of the function that a blank stands in: the nearest one above that is indented less than the mark. */
function ownerOf(lines: string[], mark: number, file: string): string {
  let indent = /^\s*/.exec(lines[mark])![0].length
  for (let index = mark - 1; index >= 0; index--) {
    const own = /^\s*/.exec(lines[index])![0].length
    // A line that starts with ")" ends a signature of several lines: its start is indented no less.
    if (own >= indent || /^\s*(?:\)|$)/.test(lines[index])) continue
    indent = own
    const owner = BLOCK.test(lines[index]) ? null : OWNER.exec(lines[index])
    if (owner) return owner.slice(1).find((name) => name !== undefined)!
  }
  throw new WrongUse(
    `${file}:${mark + 1}: this region is in no function, so it cannot throw. Mark it "task N, entries: …".`,
  )
}
