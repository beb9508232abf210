import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { EditTool } from '#07-editing/edit.ts'
import { NotebookEditTool } from '#07-editing/notebook-edit.ts'
import { WriteTool } from '#07-editing/write.ts'
import { createContext } from '#support/context.ts'
import { textOf, toolDispatch } from '#support/run-tool.ts'
import type { Workspace } from '#support/workspace.ts'

/** What a model can do with files in one session. An error result is thrown, as an Error with its text. */
export interface Session {
  context: ReturnType<typeof createContext>
  /** Records the file as Read does; with `part`, as when only some of its lines were read. */
  read(name: string, options?: { part?: boolean }): Promise<void>
  edit(file_path: string, old_string: string, new_string: string, options?: { replace_all?: boolean }): Promise<string>
  write(file_path: string, content: string): Promise<string>
  notebookEdit(input: Record<string, unknown>): Promise<string>
}

export function startSession(workspace: Workspace): Session {
  const context = createContext(workspace.root)
  const dispatch = toolDispatch([EditTool, WriteTool, NotebookEditTool], context)
  const run = async (name: string, input: unknown) => textOf(await dispatch(name, input, { id: 'toolu_1' }))
  return {
    context,
    async read(name, { part = false } = {}) {
      const path = workspace.path(name)
      const { mtimeMs, size } = await stat(path)
      const hash = createHash('sha256')
        .update(await readFile(path))
        .digest('hex')
      context.readFileState.set(path, part ? { mtimeMs, size } : { mtimeMs, size, hash })
    },
    edit: (file_path, old_string, new_string, options) =>
      run('Edit', { file_path, old_string, new_string, ...options }),
    write: (file_path, content) => run('Write', { file_path, content }),
    notebookEdit: (input) => run('NotebookEdit', input),
  }
}
