import pc from 'picocolors'

/** Shows a line in place of the one before it, cut to the terminal's width. Where there is no terminal it shows nothing. */
export function showStatus(line: string): void {
  if (!process.stdout.isTTY) return
  process.stdout.write(`\r\x1b[2K${pc.dim(line.slice(0, (process.stdout.columns || 80) - 1))}`)
}

/** Takes the line away. */
export function clearStatus(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K')
}
