import { quoteLine } from './say.ts'

/** A difference that a reader overlooks, and how to make two texts equal that differ in nothing else. */
export interface NearMiss {
  /** What the two differ in, as it goes into a sentence: `white space`. */
  difference: string
  /**
   * The file's text, folded. It keeps the number of lines, with one exception: where the lines end in a lone `\r`, it makes
   * lines of them.
   */
  foldFile(text: string): string
  foldOld(text: string): string
  /** The line of the file in quotes. `text` is not folded, but its lines are counted as in the folded text. */
  quote(text: string, line: number): string
}

/** The differences that models are known to make, the smallest first. */
export const NEAR_MISSES: readonly NearMiss[] = [
  {
    difference: 'the line numbers of Read, which are not part of the file',
    foldFile: (text) => text,
    foldOld: (text) => text.replace(/^[ \t]*\d+(?:\t| ?[→│|:] ?)/gm, ''),
    quote: quoteLine,
  },
  both('white space at the ends of lines', withoutTrailingSpaces),
  both('indentation or other white space', withoutSpaces),
  both('quotes or dashes: straight in one, curly or long in the other', withPlainQuotes),
  {
    ...both('line ends: the lines of the file end in a lone \\r', withNewlines),
    quote: (text, line) => quoteLine(withNewlines(text), line),
  },
  both('bytes that are no valid UTF-8, which Read shows as \uFFFD. Choose text beside them', (text) =>
    text.replace(/\p{Surrogate}/gu, '\uFFFD'),
  ),
  {
    difference: 'backslashes: the old text is escaped once more than the file is',
    foldFile: (text) => text,
    foldOld: (text) => text.replace(/\\(["'`\\nt$])/g, (_, next) => ({ n: '\n', t: '\t' })[next as string] ?? next),
    quote: quoteLine,
  },
  both('upper and lower case', (text) => text.replace(/./gsu, (letter) => letter.toLowerCase())),
  both('white space, quotes or case', (text) => withoutSpaces(withPlainQuotes(text)).toLowerCase()),
]

function both(difference: string, fold: (text: string) => string): NearMiss {
  return { difference, foldFile: fold, foldOld: fold, quote: quoteLine }
}

function withNewlines(text: string): string {
  return text.replaceAll('\r', '\n')
}

function withoutTrailingSpaces(text: string): string {
  return text.replace(/[^\S\n]+$/gm, '')
}

/** Without white space inside lines, and without what is invisible. */
function withoutSpaces(text: string): string {
  return text.replace(/[^\S\n]+|[\u200b-\u200d\u2060\ufeff]/g, '')
}

function withPlainQuotes(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
}
