import { z } from 'zod'
import { lazySchema } from '#03-contract/contract.ts'
import { buildTool, type ToolUseContext } from '#05-build-tool/tool.ts'
import { diffOf, type FileChange, MAX_RESULT_CHARS, renderChange, toResultBlock } from '../given/change.ts'
import { assertWritableText } from '../given/edit-input.ts'
import { changeNotebook } from '../given/notebook.ts'
import { suggestName, toTarget } from '../given/targets.ts'
import { assertSeen, recordWritten, takeSnapshot } from './freshness.ts'
import { save } from './save.ts'

const notebookEditInput = lazySchema(() =>
  z.strictObject({
    notebook_path: z.string().describe('The notebook (.ipynb): an absolute path, or one from the working directory.'),
    cell_id: z
      .string()
      .optional()
      .describe('The cell: its id, or cell-0 for the first one. With insert: the one before the new cell, or none.'),
    new_source: z.string().describe('The source of the cell. Empty with delete.'),
    cell_type: z.enum(['code', 'markdown']).optional().describe('Needed with insert. Otherwise the type stays.'),
    edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('replace if left out.'),
  }),
)

type NotebookEditInput = z.infer<ReturnType<typeof notebookEditInput>>

const PROMPT = `Replaces, inserts or deletes one cell of a Jupyter notebook.

- The notebook must have been read with Read before, and not have changed since.
- A code cell that is replaced loses its outputs: they came from the old source.`

const BOM = '\uFEFF'

/** Throws an Error when the notebook cannot be changed so. */
async function prepareNotebookEdit(input: NotebookEditInput, context: ToolUseContext) {
  const { notebook_path, cell_id, new_source, cell_type, edit_mode = 'replace' } = input
  assertWritableText(new_source, 'new_source')
  const target = await toTarget(context.cwd, notebook_path)
  const snapshot = await takeSnapshot(target)
  if (!snapshot) throw new Error(`${notebook_path} does not exist.${await suggestName(target)}`)
  if (!target.path.endsWith('.ipynb')) throw new Error(`${notebook_path} is no notebook (.ipynb). Use Edit.`)
  assertSeen(context, target, snapshot)

  const whole = snapshot.bytes.toString('utf8')
  if (!Buffer.from(whole).equals(snapshot.bytes)) throw new Error(`${notebook_path} is not valid UTF-8.`)
  const bom = whole.startsWith(BOM) ? BOM : ''
  const { text, done } = changeNotebook(whole.slice(bom.length), notebook_path, {
    cellId: cell_id,
    source: new_source,
    cellType: cell_type,
    mode: edit_mode,
  })
  return { target, snapshot, done, bytes: Buffer.from(bom + text) }
}

async function editNotebook(input: NotebookEditInput, context: ToolUseContext): Promise<FileChange> {
  const { target, snapshot, done, bytes } = await prepareNotebookEdit(input, context)
  context.abortController.signal.throwIfAborted()
  await save(target, bytes, snapshot)
  await recordWritten(context, target, bytes)
  const { shown } = target
  return { filePath: shown, summary: `${done} in ${shown}.`, diff: diffOf(shown, snapshot.bytes, bytes) }
}

export const NotebookEditTool = buildTool({
  name: 'NotebookEdit',
  searchHint: 'change the cells of a Jupyter notebook',
  maxResultSizeChars: MAX_RESULT_CHARS,
  get inputSchema() {
    return notebookEditInput()
  },
  prompt: async () => PROMPT,
  description: async ({ notebook_path }) => `Edit ${notebook_path ?? 'a notebook'}`,
  async validateInput(input, context) {
    try {
      await prepareNotebookEdit(input, context)
      return { result: true }
    } catch (error) {
      return { result: false, message: error instanceof Error ? error.message : String(error) }
    }
  },
  call: async (input, context) => ({ data: await editNotebook(input, context) }),
  mapToolResultToToolResultBlockParam: toResultBlock,
  renderToolUseMessage: ({ notebook_path }) => notebook_path ?? '',
  renderToolResultMessage: renderChange,
})
