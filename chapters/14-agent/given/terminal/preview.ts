import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ToolUseContext } from '#05-build-tool/tool.ts'
import { prepareEdit } from '#07-editing/edit.ts'
import type { Question } from '#11-pipeline/run-tool-use.ts'
import { diffOf } from '../../../07-editing/given/change.ts'
import type { EditInput } from '../../../07-editing/given/edit-input.ts'

/** What a call would change, as a unified diff: nobody says yes to a file's name. Undefined where nobody can tell. */
export async function previewOf({ tool, input }: Question, context: ToolUseContext): Promise<string | undefined> {
  try {
    if (tool.name === 'Edit') {
      const { target, snapshot, bytes } = await prepareEdit(input as unknown as EditInput, context)
      return diffOf(target.shown, snapshot?.bytes, bytes)
    }
    if (tool.name === 'Write') {
      const { file_path, content } = input as { file_path: string; content: string }
      const before = await readFile(resolve(context.cwd, file_path)).catch(() => undefined)
      return diffOf(file_path, before, Buffer.from(content))
    }
  } catch {
    // What cannot be prepared fails when it is run, and says why.
  }
  return undefined
}
