import type Anthropic from '@anthropic-ai/sdk'
import { imageBlock } from './read-image.ts'
import { signatureOf } from './signatures.ts'
import { counted, cutText } from './text.ts'

/** A notebook is parsed whole, so it is held in memory: images and all. */
export const MAX_NOTEBOOK_BYTES = 32 * 1024 * 1024
/** UTF-16 code units shown of one cell's source, and of one output. */
const MAX_CELL_CHARS = 10_000
/** UTF-16 code units shown of all cells together. */
const MAX_TOTAL_CHARS = 100_000
const MAX_IMAGES = 20

export type NotebookBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam

/** The parts of the format (nbformat 3 and 4) that are shown. What comes from a file may be anything. */
interface Cell {
  id?: string
  cell_type?: string
  source?: unknown
  input?: unknown
  outputs?: unknown
  execution_count?: number | null
}

/**
 * The cells of a notebook with their outputs, as blocks for the model. `offset` is the first cell to show, from 1.
 * Throws an Error that names `file` when its text is no notebook.
 */
export function notebookBlocks(
  text: string,
  { file, offset, limit }: { file: string; offset: number; limit: number },
): { blocks: NotebookBlock[]; cellCount: number; isWhole: boolean } {
  const cells = cellsOf(text, file)
  const blocks: NotebookBlock[] = []
  let shown = 0
  let chars = 0
  let images = 0
  for (const [index, cell] of cells.entries()) {
    if (index + 1 < offset) continue
    if (shown === limit || chars >= MAX_TOTAL_CHARS || images >= MAX_IMAGES) break
    const added = blocksOfCell(cell, index + 1, file)
    blocks.push(...added)
    for (const block of added) {
      if (block.type === 'text') chars += block.text.length
      else images++
    }
    shown++
  }
  const note = noteOf({ file, offset, shown, count: cells.length })
  if (note) blocks.push({ type: 'text', text: note })
  return { blocks: joinTexts(blocks), cellCount: cells.length, isWhole: note === undefined }
}

function cellsOf(text: string, file: string): Cell[] {
  const problem = (why: string) => new Error(`${file} is no notebook: ${why}. Print it with Bash (head, jq) to look.`)
  let notebook: any
  try {
    notebook = JSON.parse(text)
  } catch (error) {
    throw problem(`it is not valid JSON (${(error as Error).message})`)
  }
  const cells = notebook?.cells ?? notebook?.worksheets?.[0]?.cells
  if (!Array.isArray(cells)) throw problem('it has no list of cells')
  return cells.map((cell) => (typeof cell === 'object' && cell !== null ? cell : { source: cell }))
}

function noteOf(part: { file: string; offset: number; shown: number; count: number }): string | undefined {
  const { file, offset, shown, count } = part
  if (count === 0) return `[${file} is a notebook without cells.]`
  if (shown === 0) return `[offset ${offset} is beyond the end: ${file} has ${counted(count, 'cell')}.]`
  const next = offset + shown
  if (next <= count) return `[Cells ${offset} to ${next - 1} of ${count}. Read on with offset=${next}.]`
  return offset > 1 ? `[Cells ${offset} to ${count} of ${count}.]` : undefined
}

function blocksOfCell(cell: Cell, number: number, file: string): NotebookBlock[] {
  const type = String(cell.cell_type ?? 'unknown')
  const ran = typeof cell.execution_count === 'number' ? `, run ${cell.execution_count}` : ''
  const id = cell.id === undefined ? '' : `, id ${cell.id}`
  const source = shorten(textIn(cell.source ?? cell.input))
  const outputs = Array.isArray(cell.outputs) ? cell.outputs : []
  return [
    { type: 'text', text: `── cell ${number}: ${type}${ran}${id}\n${source}` },
    ...outputs.flatMap((output) => blocksOfOutput(output, file)),
  ]
}

function blocksOfOutput(output: any, file: string): NotebookBlock[] {
  const blocks: NotebookBlock[] = []
  const say = (text: string) => blocks.push({ type: 'text', text: `── output\n${shorten(text)}` })
  if (output?.output_type === 'error') {
    say(textIn(output.traceback, '\n').replace(ANSI_COLOUR, '') || `${output.ename ?? 'Error'}: ${output.evalue ?? ''}`)
    return blocks
  }
  const forms = output?.data ?? output ?? {}
  const text = textIn(output?.text ?? forms['text/plain'] ?? forms['text/markdown'] ?? forms['text/html'])
  if (text !== '') say(text)
  for (const type of ['image/png', 'image/jpeg', 'image/gif', 'image/webp']) {
    if (forms[type] !== undefined) blocks.push(imageIn(textIn(forms[type]), file))
  }
  return blocks
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the control character ESC
const ANSI_COLOUR = /\x1b\[[\d;]*m/g

/** An image of an output, or a text that says why it is not shown. */
function imageIn(base64: string, file: string): NotebookBlock {
  try {
    const bytes = Buffer.from(base64, 'base64')
    const type = signatureOf(bytes)
    if (type === undefined || type === 'application/pdf') throw new Error('it is no image')
    return imageBlock(bytes, type, `the image in ${file}`)
  } catch (error) {
    return { type: 'text', text: `── output\n[an image that is not shown: ${(error as Error).message}]` }
  }
}

/** A text, or a list of texts, as the format writes them. */
function textIn(value: unknown, separator = ''): string {
  return Array.isArray(value) ? value.map(String).join(separator) : typeof value === 'string' ? value : ''
}

function shorten(text: string): string {
  if (text.length <= MAX_CELL_CHARS) return text
  return `${cutText(text, MAX_CELL_CHARS)}\n[cut: ${counted(text.length, 'character')} in all]`
}

/** Neighbouring texts as one: a block has a price of its own. */
function joinTexts(blocks: NotebookBlock[]): NotebookBlock[] {
  const joined: NotebookBlock[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (block.type === 'text' && last?.type === 'text') {
      joined[joined.length - 1] = { type: 'text', text: `${last.text}\n${block.text}` }
    } else joined.push(block)
  }
  return joined
}
