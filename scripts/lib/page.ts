import { marked, type Token, type Tokens } from 'marked'
import { FRONT_MATTER } from './lesson.ts'

export interface Fence {
  /** The fence as it stands in the page, with its back-ticks. */
  raw: string
  /** The first word behind the back-ticks. */
  language: string
  /** What follows it. */
  attributes: string
  body: string
}

/** Every fenced block of a page, in order. */
export function fencesOf(text: string): Fence[] {
  return tokensOf(text)
    .filter((token): token is Tokens.Code => token.type === 'code' && /^\s*(`{3,}|~{3,})/.test(token.raw))
    .map((token) => {
      const [language, ...attributes] = (token.lang ?? '').split(' ')
      return { raw: token.raw.trimEnd(), language, attributes: attributes.join(' '), body: token.text }
    })
}

/** Where every link and picture of a page points. */
export function linksOf(text: string): string[] {
  return tokensOf(text)
    .filter((token): token is Tokens.Link => token.type === 'link' || token.type === 'image')
    .map((token) => token.href)
}

/** The anchors that the page's headings make, as GitHub names them. */
export function anchorsOf(text: string): string[] {
  return tokensOf(text)
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ text }) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    )
}

/** The words of a page without its code. */
export function proseOf(text: string): string {
  return fencesOf(text)
    .reduce((rest, fence) => rest.replace(fence.raw, ''), text)
    .replace(/`[^`\n]*`/g, '')
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  marked.walkTokens(marked.lexer(text.replace(FRONT_MATTER, '')), (token) => {
    tokens.push(token)
  })
  return tokens
}
