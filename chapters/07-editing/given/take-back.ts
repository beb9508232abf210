import type { ToolUseContext } from '#05-build-tool/tool.ts'

/** An edit of one place, and what would undo it. */
export interface DoneEdit {
  oldText: string
  newText: string
  /** The file's hash after it. */
  hash: string
  /** Where the new bytes are, and the old bytes that stood there. */
  start: number
  end: number
  bytes: Buffer
}

/** The last edit of each file, by real path, for as long as the session's readFileState lives. */
const lastEdits = new WeakMap<object, Map<string, DoneEdit>>()

/** Remembers an edit, or forgets the last one. */
export function rememberEdit({ readFileState }: Context, path: string, edit: DoneEdit | undefined): void {
  const edits = lastEdits.get(readFileState) ?? new Map<string, DoneEdit>()
  lastEdits.set(readFileState, edits)
  if (edit) edits.set(path, edit)
  else edits.delete(path)
}

/**
 * The edit that this one takes back: the last one of this file, with old and new text exchanged, and the file still as
 * that one left it. Its bytes can be put back, line ends and all, which no text says that is written with `\n`.
 */
export function editTakenBack({ readFileState }: Context, path: string, edit: Texts): DoneEdit | undefined {
  const last = lastEdits.get(readFileState)?.get(path)
  const isReverse = last?.oldText === edit.newText && last.newText === edit.oldText && last.hash === edit.hash
  return isReverse ? last : undefined
}

type Context = Pick<ToolUseContext, 'readFileState'>
type Texts = Pick<DoneEdit, 'oldText' | 'newText' | 'hash'>
