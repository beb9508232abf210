import pc from 'picocolors'

/** How wide a report may be: the terminal's width, and no more than 100 columns; 80 where there is no terminal. */
export function width(): number {
  return Math.min(process.stdout.columns || 80, 100)
}

/** Breaks a text at blanks so that no line is longer than the report is wide, each line behind `indent`. Lines stay lines. */
export function wrap(text: string, indent = ''): string {
  const room = Math.max(width() - indent.length, 20)
  return text
    .split('\n')
    .flatMap((line) => {
      const lead = /^\s*/.exec(line)![0]
      const lines: string[] = []
      for (const word of line.trim().split(/ +/)) {
        const last = lines.at(-1)
        if (last === undefined || last.length + 1 + word.length > room) lines.push(lead + word)
        else lines[lines.length - 1] = `${last} ${word}`
      }
      return lines
    })
    .map((line) => (indent + line).trimEnd())
    .join('\n')
}

/** Cuts a text after `lines` lines and says how many were cut. */
export function head(text: string, lines: number): string {
  const all = text.split('\n')
  return all.length <= lines
    ? text
    : `${all.slice(0, lines).join('\n')}\n${pc.dim(`… ${all.length - lines} more lines`)}`
}

/** `1 test`, `2 tests`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** Text without terminal colours. */
export function plain(text: string): string {
  return text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '')
}
