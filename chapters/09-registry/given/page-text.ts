const HTML = /^(text\/html|application\/xhtml\+xml)$/
const TEXT = /^(text\/.+|application\/(.+\+)?(json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson))$/

/**
 * A page as text for the model: HTML as Markdown, without scripts and styles; other text as it is.
 * Throws an Error that names the content type when it is not text.
 */
export async function pageText(url: string, contentType: string, body: Buffer): Promise<string> {
  const type = contentType.split(';')[0].trim().toLowerCase() || (body.includes(0) ? 'binary' : 'text/plain')
  if (!HTML.test(type) && !TEXT.test(type)) {
    throw new Error(`${url} is ${type}, and WebFetch reads text: HTML, Markdown, JSON and the like.`)
  }
  const text = decode(contentType, body, HTML.test(type))
  return HTML.test(type) ? toMarkdown(url, text) : text
}

/** Reads the bytes in the encoding that the header names, or else the page itself, or else as UTF-8. */
function decode(contentType: string, body: Buffer, isHtml: boolean): string {
  const named = /charset\s*=\s*["']?([\w.:-]+)/i
  const inPage = isHtml ? /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(body.toString('latin1', 0, 1024)) : null
  const encoding = (named.exec(contentType) ?? inPage)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(encoding).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

/** Loads the converter when it is first needed: most sessions fetch nothing. */
async function toMarkdown(url: string, html: string): Promise<string> {
  const { default: TurndownService } = await import('turndown')
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  turndown.remove(['script', 'style', 'noscript', 'iframe'])
  try {
    return turndown.turndown(html)
  } catch (error) {
    throw new Error(`The HTML of ${url} cannot be turned into Markdown: ${(error as Error).message}`)
  }
}
