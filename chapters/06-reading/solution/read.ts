import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { lazySchema, semanticNumber } from '#03-contract/contract.ts'
import { buildTool } from '#05-build-tool/tool.ts'
import { chunkEncoding, chunksOf, type Encoding } from '../given/chunks.ts'
import { MAX_NOTEBOOK_BYTES, notebookBlocks } from '../given/notebook.ts'
import { imageBlock, imageTooLarge, MAX_IMAGE_BYTES } from '../given/read-image.ts'
import { MAX_PDF_FILE_BYTES, openPdf } from '../given/read-pdf.ts'
import { counted } from '../given/text.ts'
import { readLines } from './lines.ts'
import { type OpenedFile, openFile } from './open-file.ts'
import { MAX_PAGES, MAX_WHOLE_PAGES, parsePageRange } from './pages.ts'
import { showLines } from './show-lines.ts'

const DEFAULT_LIMIT = 2000
/** UTF-16 code units of the lines of one answer: room for 2,000 lines of usual length, about 64,000 tokens. */
const MAX_CHARS = 256 * 1024
/** Larger files get no hash in `readFileState`. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024

const readInput = lazySchema(() =>
  z.strictObject({
    file_path: z.string().min(1).describe('The file to read: absolute, or relative to the working directory.'),
    offset: semanticNumber(z.number().int().min(0).optional()).describe(
      'The first line to show, counted from 1. In a notebook: the first cell.',
    ),
    limit: semanticNumber(z.number().int().min(1).optional()).describe(
      `How many lines (in a notebook: cells) to show. ${DEFAULT_LIMIT} if left out.`,
    ),
    pages: z
      .string()
      .optional()
      .describe(`Only for PDFs: the pages to show, "5", "2-4" or "7-". At most ${MAX_PAGES} in one call.`),
  }),
)

type ReadInput = z.infer<ReturnType<typeof readInput>>

export interface ReadOutput {
  /** What was read, for people: `12 lines of a.ts`. */
  summary: string
  /** What was read, for the model. */
  content: string | Array<Anthropic.TextBlockParam | Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam>
  /** The SHA-256 of the file's bytes in hex, where all of it was shown. */
  hash?: string
}

/** Reads a file of the project, or a part of it: text, images, PDFs, notebooks. */
export const ReadTool = buildTool({
  name: 'Read',
  searchHint: 'read files, images, PDFs and notebooks',
  get inputSchema() {
    return readInput()
  },
  // An answer is bounded by Read itself. A file with the rest of it could only be read with Read.
  maxResultSizeChars: Infinity,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  interruptBehavior: () => 'cancel',
  toAutoClassifierInput: ({ file_path }) => file_path,
  description: async ({ file_path }) => `Read ${file_path ?? 'a file'}`,
  prompt: async () =>
    [
      'Reads a file: text, an image (PNG, JPEG, GIF, WebP), a PDF or a Jupyter notebook.',
      `Lines come as \`cat -n\` writes them: the number, a tab, the line. At most ${DEFAULT_LIMIT} lines are shown unless`,
      'limit says otherwise; long lines are cut. What is left out is said, with the offset to go on with.',
      `A PDF of more than ${MAX_WHOLE_PAGES} pages needs pages. For directories use Glob.`,
    ].join('\n'),

  async call({ file_path, ...part }, context): Promise<{ data: ReadOutput }> {
    const { signal } = context.abortController
    signal.throwIfAborted()
    const file = await openFile(file_path, context)
    try {
      const output = await readKind(file, { ...part, file: file_path, signal })
      const { hash } = output
      context.readFileState.set(file.realPath, hash === undefined ? file.record : { ...file.record, hash })
      return { data: output }
    } finally {
      await file.handle.close()
    }
  },

  mapToolResultToToolResultBlockParam: ({ content }, toolUseID) => ({
    type: 'tool_result',
    tool_use_id: toolUseID,
    content,
  }),
  renderToolUseMessage: ({ file_path = '', offset, limit, pages }) =>
    [
      file_path,
      ...Object.entries({ offset, limit, pages }).flatMap(([k, v]) => (v === undefined ? [] : `${k} ${v}`)),
    ].join(', '),
  renderToolResultMessage: ({ summary }) => summary,
})

/** What of a file is wanted, and how the file was called. */
interface Part extends Omit<ReadInput, 'file_path'> {
  file: string
  signal: AbortSignal
}

function readKind(opened: OpenedFile, part: Part): Promise<ReadOutput> {
  const { kind, record } = opened
  const { file } = part
  if (part.pages !== undefined && kind.type !== 'pdf') {
    throw new Error(`pages is for PDFs, and ${file} is none. Leave pages out; offset and limit choose lines.`)
  }
  switch (kind.type) {
    case 'binary':
      throw new Error(
        `${file} is a binary file of ${counted(record.size, 'byte')}: there is no text to read. Bash (file, xxd) can look into it.`,
      )
    case 'image':
      return readImage(opened, kind.mediaType, part)
    case 'pdf':
      return readPdf(opened, part)
    case 'text':
      return extname(file).toLowerCase() === '.ipynb' && record.size > 0
        ? readNotebook(opened, kind.encoding, part)
        : readText(opened, kind.encoding, part)
  }
}

async function readText({ handle, record }: OpenedFile, encoding: Encoding, part: Part): Promise<ReadOutput> {
  const { file, signal, limit = DEFAULT_LIMIT } = part
  const offset = Math.max(1, part.offset ?? 1)
  const hash = record.size <= MAX_HASHED_BYTES && offset === 1 ? createHash('sha256') : undefined
  const chunks = chunksOf(handle, encoding, { signal, onBytes: (bytes) => hash?.update(bytes) })
  const read = await readLines(chunks, { encoding: chunkEncoding(encoding), offset, limit, maxChars: MAX_CHARS })
  const isWhole = read.total !== undefined && !read.lines.some(({ isCut }) => isCut)
  return {
    summary: `${counted(read.lines.length, 'line')} of ${file}`,
    content: showLines(read, { offset, file }),
    hash: isWhole ? hash?.digest('hex') : undefined,
  }
}

async function readImage(
  opened: OpenedFile,
  mediaType: Parameters<typeof imageBlock>[1],
  { file, signal }: Part,
): Promise<ReadOutput> {
  if (opened.record.size > MAX_IMAGE_BYTES) throw imageTooLarge(opened.record.size, file)
  const bytes = await bytesOf(opened, signal)
  const content = [imageBlock(bytes, mediaType, file)]
  return { summary: `image ${file} (${counted(bytes.length, 'byte')})`, content, hash: hashOf(bytes) }
}

async function readPdf(opened: OpenedFile, { file, pages, signal }: Part): Promise<ReadOutput> {
  if (opened.record.size > MAX_PDF_FILE_BYTES) throw tooLarge(opened, 'a PDF', MAX_PDF_FILE_BYTES, file)
  const bytes = await bytesOf(opened, signal)
  const pdf = await openPdf(bytes, file)
  const range = parsePageRange(pages, pdf.pageCount, file)
  const shown = range.last - range.first + 1
  const isWhole = shown === pdf.pageCount
  const name = range.first === range.last ? `Page ${range.first}` : `Pages ${range.first}-${range.last}`
  return {
    summary: `${counted(shown, 'page')} of ${file}`,
    content: [{ type: 'text', text: `${name} of ${pdf.pageCount} of ${file}:` }, await pdf.blockOf(range)],
    hash: isWhole ? hashOf(bytes) : undefined,
  }
}

async function readNotebook(opened: OpenedFile, encoding: Encoding, part: Part): Promise<ReadOutput> {
  const { file, signal, limit = DEFAULT_LIMIT } = part
  if (opened.record.size > MAX_NOTEBOOK_BYTES) throw tooLarge(opened, 'a notebook', MAX_NOTEBOOK_BYTES, file)
  const bytes = await bytesOf(opened, signal)
  const text = new TextDecoder(encoding).decode(bytes)
  const offset = Math.max(1, part.offset ?? 1)
  const { blocks, cellCount, isWhole } = notebookBlocks(text, { file, offset, limit })
  return {
    summary: `notebook ${file} (${counted(cellCount, 'cell')})`,
    content: blocks,
    hash: isWhole ? hashOf(bytes) : undefined,
  }
}

/** All bytes of a file whose size has been looked at: no more than that are read, should it grow meanwhile. */
async function bytesOf({ handle, record }: OpenedFile, signal: AbortSignal): Promise<Buffer> {
  const bytes = Buffer.alloc(record.size)
  let filled = 0
  while (filled < bytes.length) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function tooLarge({ record }: OpenedFile, kind: string, max: number, file: string): Error {
  return new Error(
    `${file} is ${kind} of ${counted(record.size, 'byte')}, and at most ${counted(max, 'byte')} can be opened. Take a part of it out with Bash.`,
  )
}
