/** What is no letter of its own: marks that sit on another one, and joiners. */
const NARROW = /^[\p{Mn}\p{Me}\p{Cf}]$/u
/** What takes two columns of a terminal: most scripts of East Asia, and emoji. */
const WIDE = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303e\uff01-\uff60\p{Emoji_Presentation}]/u

const letters = new Intl.Segmenter()

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what colours are made of
const COLOURS = /\x1b\[\d+m/g

/** How many columns of a terminal a text takes. It has no control characters save those of colours. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const { segment } of letters.segment(text.replace(COLOURS, '')))
    columns += WIDE.test(segment) ? 2 : NARROW.test(segment) ? 0 : 1
  return columns
}

/** A text that cannot move the cursor, change colours or ring: whatever is no letter, tab or line end is U+FFFD. */
export function clean(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '  ')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (letter) => (letter === '\n' ? letter : '\ufffd'))
}

/** One line, cut with an ellipsis where it takes more than `width` columns. */
export function cutTo(line: string, width: number): string {
  if (columnsOf(line) <= width) return line
  let cut = ''
  let columns = 0
  for (const { segment } of letters.segment(line)) {
    columns += columnsOf(segment)
    if (columns > width - 1) break
    cut += segment
  }
  return `${cut}…`
}

/** A text in lines of at most `width` columns, broken at blanks where there are some. Lines stay lines. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(width, 10)))
}

function wrapLine(line: string, width: number): string[] {
  const indent = /^\s*(?:[-*] )?/.exec(line)![0].length
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<= )/)) {
    let rest = word
    if (columnsOf((current + rest).trimEnd()) > width && current.trim() !== '') {
      lines.push(current.trimEnd())
      current = ' '.repeat(Math.min(indent, width / 2))
    }
    while (columnsOf((current + rest).trimEnd()) > width) {
      const head = cutAt(current + rest, width)
      lines.push(head)
      rest = (current + rest).slice(head.length)
      current = ''
    }
    current += rest
  }
  return [...lines, current.trimEnd()]
}

/** The start of a text that takes at most `width` columns, and one letter at least. */
function cutAt(text: string, width: number): string {
  let head = ''
  for (const { segment } of letters.segment(text)) {
    if (head !== '' && columnsOf(head + segment) > width) break
    head += segment
  }
  return head
}
