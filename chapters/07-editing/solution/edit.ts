import { buildTool, type ToolUseContext } from '#05-build-tool/tool.ts'
import { type FileChange, MAX_RESULT_CHARS, renderChange, toResultBlock } from '../given/change.ts'
import { assertWritableText, EDIT_PROMPT, type EditInput, editInput } from '../given/edit-input.ts'
import { bytesToSave, describeEdit, type PreparedEdit } from '../given/edit-result.ts'
import { spellFor } from '../given/line-ends.ts'
import { listLines } from '../given/say.ts'
import { suggestName, toTarget } from '../given/targets.ts'
import { encode, isBinary, lineNumbersOf, type Place, type TextFile, toTextFile } from '../given/text-file.ts'
import { assertSeen, recordWritten, takeSnapshot } from './freshness.ts'
import { explainMiss } from './near-misses.ts'
import { findPlaces, withoutOverlaps } from './places.ts'
import { save } from './save.ts'

/**
 * Works out an edit, and changes nothing. What cannot be done is an Error, in this order:
 *
 * 1. `old_string` and `new_string` are the same, as raw strings: there is nothing to change.
 * 2. The file is missing: says so, and suggests a near name. But if `old_string` is empty, the file shall be made.
 * 3. `old_string` is empty and the file is not, with `replace_all` too (`theEmptyPlace`).
 * 4. It is binary: says so, with its size in bytes.
 * 5. It has not been read, or has changed since (`assertSeen`). An empty file need not have been read to be filled.
 * 6. `old_string` is not found, or found more than once (`thePlaces`).
 * 7. Nothing would change: the file has the new text at the place already.
 *
 * The new text of each place is what `spellFor` makes of it.
 */
export async function prepareEdit(input: EditInput, context: ToolUseContext): Promise<PreparedEdit> {
  const { file_path, old_string: oldText, new_string: newText } = input
  assertWritableText(oldText, 'old_string')
  assertWritableText(newText, 'new_string')
  const target = await toTarget(context.cwd, file_path)
  // #region task 5: Refuse what cannot be done, in order. Then put the new text into the bytes.
  if (oldText === newText) throw new Error('old_string and new_string are the same: there is nothing to change.')
  const snapshot = await takeSnapshot(target)
  if (!snapshot) {
    if (oldText !== '') throw new Error(`${file_path} does not exist.${await suggestName(target)}`)
    return { target, snapshot, places: [], bytes: Buffer.from(newText) }
  }
  const file = toTextFile(snapshot.bytes)
  const emptyPlace = oldText === '' ? theEmptyPlace(file, file_path) : undefined
  if (isBinary(file)) throw new Error(`${file_path} is a binary file of ${file.bytes.length} bytes. Edit is for text.`)
  if (!emptyPlace) assertSeen(context, target, snapshot)
  const places = emptyPlace ? [emptyPlace] : thePlaces(file, input)
  const bytes = replaceAt(file, places, (place) => spellFor(file, place, { oldText, newText }))
  if (bytes.equals(file.bytes)) throw new Error(`Nothing would change in ${file_path}: it has the new text already.`)
  return { target, snapshot, places, bytes }
  // #endregion
}

/**
 * The place that an empty `old_string` stands for: all of an empty file. A byte order mark alone counts as empty, and the
 * place is behind it. Throws an Error that says that `old_string` is empty when the file has content.
 */
function theEmptyPlace({ bytes, bomLength }: TextFile, shown: string): Place {
  if (bytes.length > bomLength) {
    throw new Error(`old_string is empty, but ${shown} is not. Copy the text to replace from it, or use Write.`)
  }
  return { start: bomLength, end: bomLength }
}

/**
 * The places to replace: the only one, or, with `replace_all`, all that don't overlap.
 * Throws the Error of `explainMiss` when there is none; without `replace_all`, one that says how often `old_string` stands
 * there, and at which lines, when there are several. Each line is given once, however often the text begins in it.
 */
function thePlaces(file: TextFile, { file_path, old_string, replace_all }: EditInput): Place[] {
  // #region task 5: Count the places before you take one.
  const places = findPlaces(file, old_string)
  if (places.length === 0) throw new Error(explainMiss(file, old_string, file_path))
  if (replace_all) return withoutOverlaps(places)
  if (places.length > 1) {
    const lines = listLines([...new Set(lineNumbersOf(file, places))])
    throw new Error(
      `old_string stands ${places.length} times in ${file_path}, at ${lines}. Add lines around it until it is unique, or set replace_all.`,
    )
  }
  return places
  // #endregion
}

/** The file's bytes with each place replaced by `textFor(place)`. Every byte outside the places stays as it is. */
function replaceAt(file: TextFile, places: Place[], textFor: (place: Place) => string): Buffer {
  // #region task 5: Join what stands between the places and what comes in their stead.
  const parts: Buffer[] = []
  let done = 0
  for (const place of places) {
    parts.push(file.bytes.subarray(done, place.start), encode(file, textFor(place)))
    done = place.end
  }
  return Buffer.concat([...parts, file.bytes.subarray(done)])
  // #endregion
}

/**
 * Makes the edit: prepares it, writes it, and records the bytes that were saved. Says what happened.
 * Nothing is written once the call has been aborted, before it or while it prepares. Throws what `prepareEdit` and `save` throw.
 */
export async function editFile(input: EditInput, context: ToolUseContext): Promise<FileChange> {
  // #region task 5: Prepare, stop here if the call was aborted, save, record, and describe the edit.
  const prepared = await prepareEdit(input, context)
  const { target, snapshot } = prepared
  const bytes = bytesToSave(prepared, input, context)
  context.abortController.signal.throwIfAborted()
  await save(target, bytes, snapshot)
  await recordWritten(context, target, bytes)
  return describeEdit(prepared, bytes)
  // #endregion
}

export const EditTool = buildTool({
  name: 'Edit',
  searchHint: 'change part of a file by replacing exact text',
  maxResultSizeChars: MAX_RESULT_CHARS,
  get inputSchema() {
    return editInput()
  },
  prompt: async () => EDIT_PROMPT,
  description: async ({ file_path }) => `Edit ${file_path ?? 'a file'}`,
  userFacingName: (input) => (input?.old_string === '' ? 'Create' : 'Update'),
  async validateInput(input, context) {
    try {
      await prepareEdit(input, context)
      return { result: true }
    } catch (error) {
      return { result: false, message: error instanceof Error ? error.message : String(error) }
    }
  },
  call: async (input, context) => ({ data: await editFile(input, context) }),
  mapToolResultToToolResultBlockParam: toResultBlock,
  renderToolUseMessage: ({ file_path }) => file_path ?? '',
  renderToolResultMessage: renderChange,
})
