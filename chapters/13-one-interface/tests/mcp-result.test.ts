import { toOutput } from '#13-one-interface/mcp-result.ts'
import { describe, expect, it } from '#support/test.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const text = (content: string) => ({ type: 'text' as const, text: content })
const image = (data: string, mimeType = 'image/png') => ({ type: 'image' as const, data, mimeType })
/** A PNG with `length` characters of base64: what stands behind its end is not looked at. */
const bigPng = (length: number) => PNG.replace(/=+$/, '').slice(0, 88) + 'A'.repeat(Math.floor((length - 88) / 4) * 4)

const contentOf = (result: Parameters<typeof toOutput>[0]) => toOutput(result).content

describe('task 5: a result for the model', () => {
  it('keeps the text, and nothing else of its blocks', () => {
    const annotated = { ...text('a'), annotations: { priority: 1 }, _meta: { secret: 1 } }
    expect(contentOf({ content: [annotated, text('b')] })).toEqual([text('a'), text('b')])
  })

  it('says once what comes as text and as structured content', () => {
    const structuredContent = { temperature: 33 }
    expect(contentOf({ content: [text('{"temperature":33}')], structuredContent })).toEqual([
      text('{"temperature":33}'),
    ])
  })

  it.for([
    ['no block', []],
    ['a blank text', [text(' \n')]],
  ] as const)('shows structured content as JSON where the content is %s', ([, content]) => {
    expect(contentOf({ content: [...content], structuredContent: { answer: [42] } })).toEqual([text('{"answer":[42]}')])
  })

  it('shows an image without structured content beside it', () => {
    const shown = contentOf({ content: [image(PNG)], structuredContent: { width: 1 } })
    expect(shown).toEqual([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }])
  })

  it('is an error only where the server says so', () => {
    expect(toOutput({ content: [text('a')], isError: true }).isError).toBe(true)
    expect(toOutput({ content: [text('a')] }).isError).toBe(false)
    expect(toOutput({ content: [text('Error!')], isError: false }).isError).toBe(false)
  })

  it('has nothing where there is nothing', () => {
    expect(contentOf({ content: [] })).toEqual([])
  })

  it('shows images up to a limit for all of them, and names the rest in their place', () => {
    const big = bigPng(2_000_000)
    const shown = contentOf({ content: [image(big), text('between'), image(big), image(big), image(PNG)] })
    expect(shown.map(({ type }) => type)).toEqual(['image', 'text', 'image', 'text', 'image'])
    expect(shown[3]).toMatchObject({ text: expect.stringMatching(/image\/png/) })
  })
})

describe('task 5: other kinds of content', () => {
  it('shows a picture that the API would refuse as a text that names it', () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
    expect(contentOf({ content: [image(svg, 'image/svg+xml')] })).toEqual([text(expect.stringMatching(/svg/) as never)])
  })

  it('says what kind of image it is by its bytes, whatever the server says', () => {
    expect(contentOf({ content: [image(PNG, 'image/jpeg')] })).toMatchObject([{ source: { media_type: 'image/png' } }])
  })

  it('names audio, links and bytes, and shows the text of a resource', () => {
    const shown = contentOf({
      content: [
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource_link', name: 'notes', uri: 'file:///notes.md', description: 'what was said' },
        { type: 'resource', resource: { uri: 'demo://text', mimeType: 'text/plain', text: 'the text' } },
        { type: 'resource', resource: { uri: 'demo://zip', mimeType: 'application/zip', blob: 'AAAA' } },
        { type: 'resource', resource: { uri: 'demo://png', mimeType: 'image/png', blob: PNG } },
      ],
    })
    expect(shown.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'text', 'image'])
    const said = shown.map((block) => (block.type === 'text' ? block.text : ''))
    expect(said[0]).toMatch(/audio\/wav/)
    expect(said[1]).toMatch(/notes.*file:\/\/\/notes\.md.*what was said/)
    expect(said[2]).toMatch(/demo:\/\/text[\s\S]*the text/)
    expect(said[3]).toMatch(/demo:\/\/zip.*application\/zip/)
  })
})
