import { createHash } from 'node:crypto'
import type { ToolUseContext } from '#05-build-tool/tool.ts'
import { diffOf, type FileChange, otherNamesNote } from './change.ts'
import type { EditInput } from './edit-input.ts'
import { count, listLines } from './say.ts'
import { editTakenBack, rememberEdit } from './take-back.ts'
import type { Snapshot, Target } from './targets.ts'
import { lineNumbersOf, type Place, toTextFile } from './text-file.ts'

/** An edit that is sure to work, unless the world changes: what is there, and what shall be. */
export interface PreparedEdit {
  target: Target
  /** What was read; undefined where the file is to be made. */
  snapshot: Snapshot | undefined
  /** What is replaced, in bytes of the snapshot, in order. Empty where the file is to be made. */
  places: Place[]
  /** The file's bytes after the edit. */
  bytes: Buffer
}

/**
 * What to save: the prepared bytes. But an edit that takes the last one back puts back the very bytes that stood at the
 * place, so that editing and editing back leaves the file as it was.
 */
export function bytesToSave(prepared: PreparedEdit, input: EditInput, context: ToolUseContext): Buffer {
  const { target, snapshot, places } = prepared
  if (!snapshot || places.length !== 1) {
    rememberEdit(context, target.path, undefined)
    return prepared.bytes
  }
  const { old_string: oldText, new_string: newText } = input
  const [{ start, end }] = places
  const back = editTakenBack(context, target.path, { oldText, newText, hash: snapshot.record.hash })
  const isSamePlace = back?.start === start && back.end === end
  const before = snapshot.bytes.subarray(0, start)
  const after = snapshot.bytes.subarray(end)
  const bytes = isSamePlace ? Buffer.concat([before, back.bytes, after]) : prepared.bytes
  const replaced = { start, end: bytes.length - after.length, bytes: Buffer.from(snapshot.bytes.subarray(start, end)) }
  rememberEdit(context, target.path, { oldText, newText, hash: sha256(bytes), ...replaced })
  return bytes
}

/** What the model and people are told of an edit that has been made. */
export function describeEdit({ target, snapshot, places }: PreparedEdit, bytes: Buffer): FileChange {
  const { shown } = target
  const diff = diffOf(shown, snapshot?.bytes, bytes)
  if (!snapshot) return { filePath: shown, summary: `Created ${shown} (${count(bytes.length, 'byte')}).`, diff }
  const lines = listLines([...new Set(lineNumbersOf(toTextFile(snapshot.bytes), places))])
  const summary = `Edited ${shown}: replaced ${count(places.length, 'place')}, at ${lines}.${otherNamesNote(snapshot)}`
  return { filePath: shown, summary, diff }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
