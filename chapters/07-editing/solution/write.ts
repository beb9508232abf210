import { z } from 'zod'
import { lazySchema } from '#03-contract/contract.ts'
import { buildTool, type ToolUseContext } from '#05-build-tool/tool.ts'
import {
  diffOf,
  type FileChange,
  MAX_RESULT_CHARS,
  otherNamesNote,
  renderChange,
  toResultBlock,
} from '../given/change.ts'
import { assertWritableText } from '../given/edit-input.ts'
import { contentFor } from '../given/line-ends.ts'
import { count } from '../given/say.ts'
import { type Snapshot, toTarget } from '../given/targets.ts'
import { assertSeen, recordWritten, takeSnapshot } from './freshness.ts'
import { save } from './save.ts'

const writeInput = lazySchema(() =>
  z.strictObject({
    file_path: z.string().describe('The file to write: an absolute path, or one from the working directory.'),
    content: z.string().describe('All that the file shall have in it.'),
  }),
)

interface WriteInput {
  file_path: string
  content: string
}

const PROMPT = `Creates a file, or replaces the whole content of one.

- An existing file must have been read whole with Read before, and not have changed since.
- To change a part of a file, use Edit.
- Folders that are missing are made.`

/** Throws an Error when the file cannot be written. A new file needs no Read. */
async function prepareWrite({ file_path, content }: WriteInput, context: ToolUseContext) {
  assertWritableText(content, 'content')
  const target = await toTarget(context.cwd, file_path)
  const snapshot = await takeSnapshot(target)
  if (snapshot) assertSeen(context, target, snapshot, { whole: true })
  return { target, snapshot, bytes: contentFor(snapshot?.bytes, content) }
}

async function writeFile(input: WriteInput, context: ToolUseContext): Promise<FileChange> {
  const { target, snapshot, bytes } = await prepareWrite(input, context)
  context.abortController.signal.throwIfAborted()
  await save(target, bytes, snapshot)
  await recordWritten(context, target, bytes)
  return {
    filePath: target.shown,
    summary: summaryOf(target.shown, snapshot, bytes),
    diff: diffOf(target.shown, snapshot?.bytes, bytes),
  }
}

function summaryOf(shown: string, snapshot: Snapshot | undefined, bytes: Buffer): string {
  const size = count(bytes.length, 'byte')
  return snapshot
    ? `Replaced the content of ${shown} (${size}).${otherNamesNote(snapshot)}`
    : `Created ${shown} (${size}).`
}

export const WriteTool = buildTool({
  name: 'Write',
  searchHint: 'create a file or replace all of it',
  maxResultSizeChars: MAX_RESULT_CHARS,
  get inputSchema() {
    return writeInput()
  },
  prompt: async () => PROMPT,
  description: async ({ file_path }) => `Write ${file_path ?? 'a file'}`,
  async validateInput(input, context) {
    try {
      await prepareWrite(input, context)
      return { result: true }
    } catch (error) {
      return { result: false, message: error instanceof Error ? error.message : String(error) }
    }
  },
  call: async (input, context) => ({ data: await writeFile(input, context) }),
  mapToolResultToToolResultBlockParam: toResultBlock,
  renderToolUseMessage: ({ file_path }) => file_path ?? '',
  renderToolResultMessage: renderChange,
})
