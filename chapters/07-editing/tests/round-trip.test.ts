import fc from 'fast-check'
import { describe, expect, it } from '#support/test.ts'
import type { Workspace } from '#support/workspace.ts'
import { isBinary, linesView, toTextFile, typedView } from '../given/text-file.ts'
import { startSession } from './session.ts'

const RUNS = { seed: 20_240, numRuns: 30 }

/** Text with all that is hard about it: line ends of each kind, accents, pairs, `$&`, what looks like a byte order mark. */
const hardText = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', ' ', '\t', 'a', 'b', 'é', 'e\u0301', '👍', '$&', '“', '\uFEFF', '\ud55c'),
      fc.string({ unit: 'binary', maxLength: 3 }).filter((text) => !text.includes('\0')),
    ),
    { minLength: 1, maxLength: 24 },
  )
  .map((parts) => parts.join(''))

/** Bytes before and after the text: any but NUL, which would make it a binary file. */
const anyBytes = fc.uint8Array({ min: 1, maxLength: 6 })

interface Case {
  bytes: Buffer
  /** Text that stands in the file once, also for a reader who sees no difference between line ends, or forms of letters. */
  part: string
}

const editCase = fc
  .tuple(fc.boolean(), anyBytes, hardText, anyBytes, fc.nat(), fc.nat())
  .map(([bom, before, text, after, from, length]): Case => {
    const letters = [...text]
    const start = from % letters.length
    const part = letters.slice(start, start + 1 + (length % (letters.length - start))).join('')
    const mark = Buffer.from(bom ? '\uFEFF' : '')
    return { bytes: Buffer.concat([mark, before, Buffer.from(text), after]), part }
  })
  .filter(({ bytes, part }) => {
    const file = toTextFile(bytes)
    const { text } = linesView(file)
    const wanted = part.replaceAll('\r\n', '\n')
    const once =
      isOnce(typedView(file).text, part) &&
      isOnce(text, wanted) &&
      isOnce(text.normalize('NFC'), wanted.normalize('NFC'))
    return file.encoding === 'utf8' && !isBinary(file) && once
  })

/** Whether `part` stands in the text in one place, also if places may overlap. */
function isOnce(text: string, part: string): boolean {
  return text.includes(part) && text.indexOf(part) === text.lastIndexOf(part)
}

async function inSession(workspace: Workspace, { bytes }: Case) {
  const session = startSession(workspace)
  await workspace.write('f', bytes)
  await session.read('f')
  return session
}

/** Runs the property, and fails with the smallest file and part for which it does not hold. */
async function check(property: fc.IAsyncProperty<[Case]>): Promise<void> {
  const { failed, errorInstance, counterexample } = await fc.check(property, RUNS)
  if (!failed) return
  const { message } = errorInstance as Error
  if (message.startsWith('TODO')) throw errorInstance
  const [{ bytes, part }] = counterexample!
  expect.fail(
    `with the file ${JSON.stringify(bytes.toString('latin1'))} and the part ${JSON.stringify(part)}: ${message}`,
  )
}

describe('task 5: for any file and any part that stands in it once', () => {
  it('an edit and the edit back leave every byte as it was', async ({ workspace }) => {
    const property = fc.asyncProperty(editCase, async (example) => {
      const { edit } = await inSession(workspace, example)
      await edit('f', example.part, '⟦new⟧')
      await edit('f', '⟦new⟧', example.part)
      expect(await workspace.bytes('f')).toEqual(example.bytes)
    })
    await check(property)
  })

  it('so do they with a new text of several lines', async ({ workspace }) => {
    const property = fc.asyncProperty(editCase, async (example) => {
      const { edit } = await inSession(workspace, example)
      await edit('f', example.part, '⟦new\nlines⟧')
      await edit('f', '⟦new\nlines⟧', example.part)
      expect(await workspace.bytes('f')).toEqual(example.bytes)
    })
    await check(property)
  })

  it('so do they for a model, which writes every line end as \\n', async ({ workspace }) => {
    const property = fc.asyncProperty(editCase, async (example) => {
      const part = example.part.replaceAll('\r\n', '\n')
      fc.pre(!part.includes('\r'))
      const { edit } = await inSession(workspace, example)
      await edit('f', part, '⟦new⟧')
      await edit('f', '⟦new⟧', part)
      expect(await workspace.bytes('f')).toEqual(example.bytes)
    })
    await check(property)
  })

  it('an edit changes no byte outside the place', async ({ workspace }) => {
    const property = fc.asyncProperty(editCase, async (example) => {
      const { edit } = await inSession(workspace, example)
      await edit('f', example.part, '⟦new⟧')
      const [before, after] = splitAt(await workspace.bytes('f'), Buffer.from('⟦new⟧'))
      expect(example.bytes.subarray(0, before.length)).toEqual(before)
      expect(example.bytes.subarray(example.bytes.length - after.length)).toEqual(after)
      expect(example.bytes.length - before.length - after.length).toBeLessThanOrEqual(4 * example.part.length + 8)
    })
    await check(property)
  })
})

function splitAt(bytes: Buffer, part: Buffer): [Buffer, Buffer] {
  const at = bytes.indexOf(part)
  expect(at, 'the new text must stand in the file').not.toBe(-1)
  return [bytes.subarray(0, at), bytes.subarray(at + part.length)]
}
