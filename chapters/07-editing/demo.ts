import { readFile, writeFile } from 'node:fs/promises'
import { agentLoop } from '#02-agent-loop/loop.ts'
import { toApiTool } from '#05-build-tool/tool.ts'
import { ReadTool } from '#06-reading/read.ts'
import { EditTool } from '#07-editing/edit.ts'
import { WriteTool } from '#07-editing/write.ts'
import { createContext } from '#support/context.ts'
import { toolDispatch } from '#support/run-tool.ts'
import { scriptedModel } from '#support/scripted-model.ts'
import { createWorkspace } from '#support/workspace.ts'

/** A small project. `shop.ini` comes from Windows: a byte order mark, and lines that end in \r\n. */
const workspace = await createWorkspace({
  'shop.ini': '\uFEFFname=Café\r\ncurrency=EUR\r\nprice=10\r\nprice=10\r\n',
  'log.ts': 'console.log("done");\n',
})

try {
  if (process.argv[2] === 'before') await showNaiveEdits()
  else await showAgent()
} finally {
  await workspace.remove()
}

/** The Edit that everybody writes first, and five edits that it gets wrong. */
async function showNaiveEdits(): Promise<void> {
  // #region naive
  async function edit(name: string, oldText: string, newText: string): Promise<string> {
    const text = await readFile(workspace.path(name), 'utf8')
    if (!text.includes(oldText)) return 'not found'
    await writeFile(workspace.path(name), text.replace(oldText, newText))
    return 'done'
  }
  // #endregion
  // #region edits
  const edits = [
    ['log.ts', '"done"', '"$& for $$5"'],
    ['shop.ini', 'currency=EUR\nprice=10', 'currency=USD\nprice=11'],
    ['shop.ini', 'price=10', 'price=11\nvat=2'],
    ['shop.ini', '', '; made by hand\n'],
  ]
  // #endregion
  for (const [name, oldText, newText] of edits) {
    console.log(`edit ${name}: ${JSON.stringify(oldText)} -> ${JSON.stringify(newText)}`)
    console.log(`    ${await edit(name, oldText, newText)}: ${quoted(await workspace.text(name))}`)
  }
  await writeFile(workspace.path('old.txt'), Buffer.from('caf\xe9=1\n', 'latin1'))
  console.log(`edit old.txt: "=1" -> "=2", where é is the single byte e9`)
  console.log(`    ${await edit('old.txt', '=1', '=2')}: bytes ${(await workspace.bytes('old.txt')).toString('hex')}`)
}

async function showAgent(): Promise<void> {
  const tools = [ReadTool, EditTool, WriteTool]
  const context = createContext(workspace.root)
  const edit = (old_string: string, new_string: string) => ({
    calls: [{ name: 'Edit', input: { file_path: 'shop.ini', old_string, new_string } }],
  })
  let edited = ''
  // #region agent
  const model = scriptedModel([
    edit('price=10', 'price=11'),
    { calls: [{ name: 'Read', input: { file_path: 'shop.ini' } }] },
    edit('price=10', 'price=11'),
    edit('currency = EUR', 'currency=USD'),
    edit('currency=EUR\nprice=10', 'currency=USD\nprice=$&11'),
    { calls: [{ name: 'Write', input: { file_path: 'docs/prices.md', content: '# Prices\n' } }] },
    async () => {
      edited = await workspace.text('shop.ini')
      await writeFile(workspace.path('shop.ini'), 'name=Somebody else\r\n')
      return edit('name=Café', 'name=Bar')
    },
    { text: 'Somebody else works on shop.ini. I stop here.' },
  ])
  const { messages } = await agentLoop({
    model,
    tools: await Promise.all(tools.map((tool) => toApiTool(tool, { tools }))),
    dispatch: toolDispatch(tools, context),
    messages: [{ role: 'user', content: 'Dollars, please, and a price of 11.' }],
    maxTurns: 9,
  })
  // #endregion
  for (const { content } of messages) for (const line of linesOf(content)) console.log(line)
  console.log(`What the one edit made of shop.ini: ${quoted(edited)}`)
}

/** A text in quotes, with its byte order mark to be seen. */
function quoted(text: string): string {
  return JSON.stringify(text).replace('\uFEFF', '\\ufeff')
}

function linesOf(content: string | object[]): string[] {
  if (typeof content === 'string') return [`user: ${content}`]
  return content.map((block: any) => {
    if (block.type === 'text') return `model: ${block.text}`
    if (block.type === 'tool_use') {
      const { file_path, ...rest } = block.input
      return `${block.name} ${file_path} ${Object.values(rest)
        .map((text) => JSON.stringify(text))
        .join(' -> ')}`.trim()
    }
    const text =
      typeof block.content === 'string' ? block.content : block.content.map((part: any) => part.text).join('')
    return wrapped(text.trimEnd()).replace(/^/gm, block.is_error ? '  ✗ ' : '    ')
  })
}

/** The text in lines of at most 74 characters. */
function wrapped(text: string): string {
  return text
    .replace(/(.{1,74})(?: |$)/gm, '$1\n')
    .replace(/\n\n/g, '\n')
    .trimEnd()
}
