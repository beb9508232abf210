/** Where a value stands in a JSON text: from `start` up to `end`. */
export interface Span {
  start: number
  end: number
}

export type Child = Span & { key: string | undefined }

/** The values in the object or the list at `span` of a JSON text that is known to be valid. `key` is a field's name. */
export function childrenOf(text: string, span: Span): Child[] {
  const isObject = text[span.start] === '{'
  const children: Child[] = []
  let at = afterSpace(text, span.start + 1)
  while (at < span.end - 1) {
    let key: string | undefined
    if (isObject) {
      const keyEnd = endOf(text, at)
      key = JSON.parse(text.slice(at, keyEnd))
      at = afterSpace(text, afterSpace(text, keyEnd) + 1)
    }
    const end = endOf(text, at)
    children.push({ key, start: at, end })
    at = afterSpace(text, afterSpace(text, end) + 1)
  }
  return children
}

/** The value that the whole text is. */
export function rootOf(text: string): Span {
  const start = afterSpace(text, 0)
  return { start, end: endOf(text, start) }
}

function endOf(text: string, start: number): number {
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]|[^\s,:{}[\]"]+/gy
  let depth = 0
  let at = start
  do {
    token.lastIndex = at
    const found = token.exec(text)
    if (!found) at++
    else {
      if (/^[{[]/.test(found[0])) depth++
      else if (/^[}\]]/.test(found[0])) depth--
      at = token.lastIndex
    }
  } while (depth > 0 && at < text.length)
  return at
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (/\s/.test(text[at] ?? '')) at++
  return at
}
