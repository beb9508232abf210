// An MCP server that does what servers should not: node faulty-server.mjs [fault]
//
//   exits       ends before it has said a word
//   mute        never answers anything, and is stubborn
//   endless     its list of tools has a next page, for ever
//   stubborn    ignores the end of its stdin, and SIGTERM
//   no-tools    has no tools, and says so
//   restless    says that its list has changed while it is asked for it, and then has one tool more
//   deaf        never answers when it is asked for its tools
//   moody       like restless, but refuses the second time that it is asked
//   overtaken   answers the first time that it is asked after the second
//   too-late    refuses the first time that it is asked before it answers the second
//
// Without a word it starts well, prints what it should not, and has the tools of TOOLS.
import { createInterface } from 'node:readline'

const fault = process.argv[2]
const object = { type: 'object' }

/** Name, what else the list says of it, and what a call gives: a result, or nothing at all. */
const TOOLS = [
  { name: 'echo', annotations: { readOnlyHint: true }, call: (args) => texts(`you said ${JSON.stringify(args)}`) },
  { name: 'Dockerfile problems scanner', call: () => texts('called as Dockerfile problems scanner') },
  { name: 'a.b/c', call: () => texts('called as a.b/c') },
  { name: 'a b c', call: () => texts('called as a b c') },
  { name: 'long'.repeat(30), call: () => texts('called as long, 30 times') },
  { name: 'Bash', call: () => texts('not the Bash that you know') },
  { name: 'twice', call: () => texts('the first of two') },
  { name: 'twice', call: () => texts('the second of two') },
  { name: 'no-root', inputSchema: { type: 'string' }, call: () => texts('never') },
  { name: 'either', inputSchema: { ...object, anyOf: [object, object] }, call: () => texts('never') },
  { name: 'odd-key', inputSchema: { ...object, properties: { 'a b': {} } }, call: () => texts('never') },
  { name: 'no-schema', inputSchema: undefined, call: () => texts('never') },
  { name: 'die', call: () => process.exit(3) },
  { name: 'silent', call: () => {} },
  { name: 'refuse', call: () => ({ error: { code: -32602, message: 'there is no such thing' } }) },
  { name: 'fail', call: () => ({ result: { ...texts('the disk is full').result, isError: true } }) },
  { name: 'nonsense', call: () => ({ result: { content: 'no list' } }) },
  { name: 'five-megabytes', call: () => texts('x'.repeat(5_000_000)) },
  { name: 'both', call: () => ({ result: { ...texts('short').result, structuredContent: { rows: 'y'.repeat(2_000_000) } } }) },
  { name: 'structured', call: () => ({ result: { content: [], structuredContent: { answer: 42 } } }) },
  { name: 'grow', call: grow },
]
let timesListed = 0
const listed = TOOLS.map(({ call, inputSchema = object, ...rest }) => ({ inputSchema, ...rest }))
delete listed.find(({ name }) => name === 'no-schema').inputSchema

if (fault === 'exits') {
  console.error('no licence found')
  process.exit(1)
}
if (fault === 'stubborn' || fault === 'mute') {
  process.on('SIGTERM', () => {})
  // Nobody can end it but SIGKILL. Where that never comes, it is not to stay for ever.
  setTimeout(() => process.exit(), 20_000)
}
// More than a pipe holds: a server whose stderr nobody reads waits here for ever.
process.stderr.write('noise\n'.repeat(50_000))
process.stdout.write('Welcome to the faulty server!\n{"half": \n')

createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line)
  if (fault === 'mute' || request.id === undefined) return
  const answer = answerTo(request)
  if (answer) send({ id: request.id, ...answer })
})

function answerTo({ id, method, params }) {
  if (method === 'initialize') {
    const capabilities = fault === 'no-tools' ? {} : { tools: { listChanged: true } }
    const { protocolVersion } = params
    return { result: { protocolVersion, capabilities, serverInfo: { name: 'faulty', version: '1.0.0' } } }
  }
  if (method === 'tools/list') return listFor(id, params?.cursor)
  if (method !== 'tools/call') return { error: { code: -32601, message: `no method ${method}` } }
  const tool = TOOLS.find(({ name }) => name === params.name)
  if (tool) return tool.call(params.arguments)
  return { error: { code: -32602, message: `no tool ${params.name}` } }
}

/** The first question after its tools that was not answered yet. */
let open

/** The answer to a question after its tools. Nothing: it comes later, or never. */
function listFor(id, cursor) {
  if (fault === 'deaf') return undefined
  if (fault === 'moody') {
    notify('notifications/tools/list_changed')
    return ++timesListed === 2 ? { error: { code: -32603, message: 'the index is locked' } } : { result: numbered() }
  }
  if (fault === 'overtaken' || fault === 'too-late') {
    timesListed++
    if (timesListed === 1) {
      open = { id, result: numbered() }
      return undefined
    }
    if (timesListed === 2 && fault === 'too-late') send({ id: open.id, error: { code: -32603, message: 'too late' } })
    send({ id, result: numbered() })
    if (timesListed === 2 && fault === 'overtaken') send(open)
    return undefined
  }
  return { result: pageOf(cursor) }
}

/** As many tools as it was asked for them. */
function numbered() {
  return { tools: Array.from({ length: timesListed }, (_, i) => ({ name: `tool-${i + 1}`, inputSchema: object })) }
}

/** Two pages; or one after the other, as long as somebody asks. */
function pageOf(cursor) {
  if (fault === 'endless') {
    const n = Number(cursor ?? 0)
    return { tools: [{ name: `tool-${n}`, inputSchema: object }], nextCursor: String(n + 1) }
  }
  if (fault === 'restless') {
    notify('notifications/tools/list_changed')
    timesListed++
    return numbered()
  }
  const half = Math.ceil(listed.length / 2)
  return cursor === 'more' ? { tools: listed.slice(half) } : { tools: listed.slice(0, half), nextCursor: 'more' }
}

/** Has one more tool from now on, and says so before it answers. */
function grow() {
  listed.push({ name: 'grown', inputSchema: object })
  notify('notifications/tools/list_changed')
  return texts('one more')
}

function texts(text) {
  return { result: { content: [{ type: 'text', text }] } }
}

function notify(method, params) {
  send({ method, params })
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
