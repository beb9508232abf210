import { createInterface } from 'node:readline/promises'
import { WrongUse } from './wrong-use.ts'

/**
 * Asks a yes-or-no question; an empty answer is no. Where nobody can answer (no terminal), throws WrongUse that names
 * `word`, which stands for yes on the command line.
 */
export async function confirm(question: string, word: string, words: string[]): Promise<boolean> {
  if (words.includes(word)) return true
  if (!process.stdin.isTTY)
    throw new WrongUse(`${question}\nThere is no terminal to answer in. To go on, add the word "${word}".`)
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await reader.question(`${question} [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } catch {
    return false
  } finally {
    reader.close()
  }
}
