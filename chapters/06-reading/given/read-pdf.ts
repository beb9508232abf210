import type Anthropic from '@anthropic-ai/sdk'
import type { PDFDocument } from '@cantoo/pdf-lib'
import { counted } from './text.ts'

/** A request may have 32 MB, and base64 writes three bytes as four. Some room is left for the conversation. */
export const MAX_PDF_BYTES = 20 * 1024 * 1024
/** The largest PDF that is taken apart: all of it is held in memory while pages are copied. */
export const MAX_PDF_FILE_BYTES = 64 * 1024 * 1024

/** Loaded when a PDF is read, since that takes longer than to load all other code of this chapter. */
const library = () => import('@cantoo/pdf-lib')

/** Pages of a document, both counted from 1, both included. */
export interface PageRange {
  first: number
  last: number
}

export interface Pdf {
  pageCount: number
  /** The pages as a document of their own. */
  blockOf(range: PageRange): Promise<Anthropic.DocumentBlockParam>
}

/** Opens a PDF. Throws an Error that names `file` when it is damaged, or locked with a password. */
export async function openPdf(bytes: Buffer, file: string): Promise<Pdf> {
  const pdf = await loadPdf(bytes, file)
  const pageCount = pagesOf(pdf)
  if (pageCount === 0) throw damaged(file)
  return {
    pageCount,
    async blockOf({ first, last }) {
      const data = last - first + 1 === pageCount ? bytes : await copyPages(pdf, { first, last }, file)
      if (data.length > MAX_PDF_BYTES) {
        throw new Error(
          `Pages ${first}-${last} of ${file} have ${counted(data.length, 'byte')}, and at most ${counted(MAX_PDF_BYTES, 'byte')} can be shown. Ask for fewer of its ${counted(pageCount, 'page')}.`,
        )
      }
      return {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: Buffer.from(data).toString('base64') },
      }
    },
  }
}

async function loadPdf(bytes: Buffer, file: string): Promise<PDFDocument> {
  const { EncryptedPDFError, PDFDocument } = await library()
  try {
    return await PDFDocument.load(bytes, { updateMetadata: false })
  } catch (error) {
    if (error instanceof EncryptedPDFError) {
      throw new Error(`${file} is encrypted: it needs a password. Ask for a copy without one.`)
    }
    throw damaged(file)
  }
}

/** 0 where the document has no list of pages. */
function pagesOf(pdf: PDFDocument): number {
  try {
    return pdf.getPageCount()
  } catch {
    return 0
  }
}

async function copyPages(pdf: PDFDocument, { first, last }: PageRange, file: string): Promise<Uint8Array> {
  const { PDFDocument } = await library()
  try {
    const part = await PDFDocument.create()
    const indexes = Array.from({ length: last - first + 1 }, (_, index) => first - 1 + index)
    for (const page of await part.copyPages(pdf, indexes)) part.addPage(page)
    return await part.save()
  } catch {
    throw damaged(file)
  }
}

function damaged(file: string): Error {
  return new Error(`${file} begins like a PDF but is damaged: its pages cannot be read.`)
}
