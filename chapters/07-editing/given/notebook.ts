import { randomBytes } from 'node:crypto'
import { type Child, childrenOf, rootOf, type Span } from './json-spans.ts'

export interface NotebookChange {
  cellId: string | undefined
  source: string
  cellType: 'code' | 'markdown' | undefined
  mode: 'replace' | 'insert' | 'delete'
}

interface Cell {
  cell_type: string
  id?: string
  source?: string | string[]
  [field: string]: unknown
}

interface Notebook {
  cells: Cell[]
  nbformat?: number
  nbformat_minor?: number
}

/**
 * The text of a notebook with one cell replaced, inserted or deleted, and what was done as a sentence without its end.
 * Everything outside the cell stays as it is written, to the last space.
 * Throws an Error that names the notebook as `shown` when it is none, or says which cells there are when one is missing.
 */
export function changeNotebook(text: string, shown: string, change: NotebookChange): { text: string; done: string } {
  const notebook = parseNotebook(text, shown)
  const list = childrenOf(text, rootOf(text)).find((child) => child.key === 'cells')!
  const spans = childrenOf(text, list)
  const { cellId, mode } = change
  const index = cellId === undefined ? undefined : indexOf(notebook, cellId, shown)
  if (mode === 'insert') {
    const cell = newCell(notebook, change)
    const at = index === undefined ? 0 : index + 1
    const where = index === undefined ? 'at the start' : `after ${cellId}`
    return { text: withInserted(text, { list, spans, at, cell }), done: `Inserted a ${cell.cell_type} cell ${where}` }
  }
  if (index === undefined) throw new Error(`cell_id is missing: which cell to ${mode}? ${namesOf(notebook)}`)
  if (mode === 'delete') return { text: withoutChild(text, list, spans, index), done: `Deleted the cell ${cellId}` }
  const cell = changedCell(notebook.cells[index], change)
  return { text: splice(text, spans[index], written(text, cell, spans[index])), done: `Replaced the cell ${cellId}` }
}

function parseNotebook(text: string, shown: string): Notebook {
  let notebook: unknown
  try {
    notebook = JSON.parse(text)
  } catch (error) {
    throw new Error(`${shown} is no notebook, as it is not valid JSON: ${(error as Error).message}`)
  }
  const { cells } = (notebook ?? {}) as Partial<Notebook>
  const areCells = Array.isArray(cells) && cells.every((cell) => typeof cell === 'object' && cell !== null)
  if (!areCells) throw new Error(`${shown} is no notebook: it has no list of cells.`)
  return notebook as Notebook
}

/** The index of the cell with this id, or of `cell-3`: the fourth cell. */
function indexOf(notebook: Notebook, cellId: string, shown: string): number {
  const byId = notebook.cells.findIndex(({ id }) => id === cellId)
  const index = byId !== -1 ? byId : Number(/^cell-(\d+)$/.exec(cellId)?.[1] ?? -1)
  if (index >= 0 && index < notebook.cells.length) return index
  throw new Error(`${shown} has no cell "${cellId}". ${namesOf(notebook)}`)
}

function namesOf({ cells }: Notebook): string {
  const names = cells.slice(0, 50).map(({ id }, index) => id ?? `cell-${index}`)
  return cells.length === 0 ? 'The notebook is empty.' : `Its cells are: ${names.join(', ')}.`
}

function newCell(notebook: Notebook, { source, cellType }: NotebookChange): Cell {
  if (!cellType) throw new Error('cell_type is missing: a new cell is "code" or "markdown".')
  const { nbformat = 4, nbformat_minor = 0 } = notebook
  const hasIds = nbformat > 4 || (nbformat === 4 && nbformat_minor >= 5)
  const id = hasIds ? { id: randomBytes(4).toString('hex') } : {}
  const run = cellType === 'code' ? { execution_count: null } : {}
  const outputs = cellType === 'code' ? { outputs: [] } : {}
  return { cell_type: cellType, ...run, ...id, metadata: {}, ...outputs, source: linesOf(source) }
}

/** What a code cell printed came from its old source, so it goes. */
function changedCell(cell: Cell, { source, cellType = cell.cell_type as 'code' }: NotebookChange): Cell {
  const { execution_count: _, outputs: __, ...rest } = cell
  const kept = cellType === 'code' ? { ...cell, execution_count: null, outputs: [] } : rest
  return { ...kept, cell_type: cellType, source: typeof cell.source === 'string' ? source : linesOf(source) }
}

/** The source as Jupyter keeps it: a list of lines, each with its line end. */
function linesOf(source: string): string[] {
  return source.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** The cell as JSON, indented as the notebook is, at the place where a cell stands or shall stand. */
function written(text: string, cell: Cell, place: Span): string {
  const indent = indentAt(text, place.start)
  if (indent === undefined) return JSON.stringify(cell)
  const unit = /^\s*\{\r?\n([ \t]+)/.exec(text)?.[1] ?? ' '
  return JSON.stringify(cell, null, unit).replaceAll('\n', newlineOf(text) + indent)
}

/** The white space before the place if the place begins its line. */
function indentAt(text: string, at: number): string | undefined {
  return /(?:^|\n)([ \t]*)$/.exec(text.slice(Math.max(0, at - 200), at))?.[1]
}

function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

interface Insertion {
  list: Span
  spans: Child[]
  at: number
  cell: Cell
}

function withInserted(text: string, { list, spans, at, cell }: Insertion): string {
  const [first] = spans
  if (!first) {
    const indent = /(?:^|\n)([ \t]+)[^\n]*$/.exec(text.slice(0, list.start))?.[1]
    if (indent === undefined) return splice(text, list, `[${JSON.stringify(cell)}]`)
    const newline = newlineOf(text)
    const inner = newline + indent.repeat(2)
    return splice(
      text,
      list,
      `[${inner}${JSON.stringify(cell, null, indent).replaceAll('\n', inner)}${newline}${indent}]`,
    )
  }
  const indent = indentAt(text, first.start)
  const separator = indent === undefined ? ', ' : `,${newlineOf(text)}${indent}`
  const json = written(text, cell, first)
  if (at === 0) return splice(text, { start: first.start, end: first.start }, json + separator)
  const { end } = spans[at - 1]
  return splice(text, { start: end, end }, separator + json)
}

function withoutChild(text: string, list: Span, spans: Child[], index: number): string {
  const next = spans[index + 1]
  if (next) return splice(text, { start: spans[index].start, end: next.start }, '')
  if (index > 0) return splice(text, { start: spans[index - 1].end, end: spans[index].end }, '')
  return splice(text, list, '[]')
}

function splice(text: string, { start, end }: Span, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}
