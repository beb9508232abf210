import { type Chapter, chapterHere, findChapter, findTask, type Task } from './chapters.ts'
import { WrongUse } from './wrong-use.ts'

export interface Chosen {
  chapter: Chapter
  task: Task | undefined
  /** The words that are neither a chapter nor a task, such as `yes`. */
  rest: string[]
}

/**
 * Reads `[chapter] [task] [word …]`. Inside a chapter's folder both may be left out; one number is always a chapter.
 * Throws WrongUse with what was expected.
 */
export function chapterAndTask(words: string[], example: string): Chosen {
  const named = words.filter((word) => /\d/.test(word))
  const rest = words.filter((word) => !/\d/.test(word))
  const here = chapterHere()
  if (named.length > 2)
    throw new WrongUse(`Expected a chapter and a task, got "${words.join(' ')}". For example: ${example}`)
  if (named.length === 0 && !here) throw new WrongUse(`Which chapter? For example: ${example}`)
  const chapter = named.length > 0 ? findChapter(named[0]) : here!
  return { chapter, task: named[1] === undefined ? undefined : findTask(named[1], chapter), rest }
}
