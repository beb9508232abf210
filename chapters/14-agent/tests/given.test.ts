import { readFile } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import Anthropic, { APIConnectionError, APIError } from '@anthropic-ai/sdk'
import { EditTool } from '#07-editing/edit.ts'
import type { ResultUpdate } from '#11-pipeline/run-tool-use.ts'
import type { ApiError } from '#support/messages-server/api-error.ts'
import { Script } from '#support/messages-server/script.ts'
import type { Turn } from '#support/scenario.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { drawTimeline, Timeline } from '../../12-streaming-executor/given/timeline.ts'
import type { QueuedCall } from '../../12-streaming-executor/given/types.ts'
import { BrokenAnswer } from '../given/broken-answer.ts'
import { Channel } from '../given/channel.ts'
import { startSession } from '../given/session.ts'
import { closingLine, whose } from '../given/terminal/closing-line.ts'
import { clean, columnsOf, cutTo, wrap } from '../given/terminal/columns.ts'
import { explainFailure } from '../given/terminal/explain-failure.ts'
import { readFlags } from '../given/terminal/flags.ts'
import { RunView } from '../given/terminal/run-view.ts'
import { Screen } from '../given/terminal/screen.ts'
import { waitingForAnswer } from '../given/terminal/waiting-for-answer.ts'
import type { AgentEvent } from '../given/types.ts'
import { echo } from './stage.ts'

describe('given: a terminal', () => {
  it('counts columns, not letters', () => {
    expect(['abc', 'é', '日本', '😀', 'e\u0301', '👨‍👩‍👧'].map(columnsOf)).toEqual([3, 1, 4, 2, 1, 2])
  })

  it('breaks lines at blanks, and long words where it must', () => {
    expect(wrap('one two three', 10)).toEqual(['one two', 'three'])
    expect(wrap('- a point that goes on', 12)).toEqual(['- a point', '  that goes', '  on'])
    expect(wrap('abcdefghijklmnop', 10)).toEqual(['abcdefghij', 'klmnop'])
    expect(wrap('日本日本日本', 10)).toEqual(['日本日本日', '本'])
    expect(wrap('a\n\nb', 10)).toEqual(['a', '', 'b'])
  })

  it('lets no text move the cursor, ring, or turn itself round', () => {
    expect(clean('a\x1b[2Jb\x07c\x9bd\u202ee\r\nf\tg')).toBe('a\ufffd[2Jb\ufffdc\ufffdd\ufffde\nf  g')
  })

  it('cuts a line to its columns', () => {
    expect(cutTo('日本語です', 6)).toBe('日本…')
    expect(cutTo('short', 6)).toBe('short')
  })

  it('prints above the lines that change', () => {
    let out = ''
    const write = (text: string) => {
      out += text
    }
    const screen = new Screen({ write, isTTY: true, columns: 40 })
    screen.show(['working'])
    screen.print('done')
    expect(out).toBe('working\n\x1b[1A\r\x1b[Jdone\nworking\n')
    expect(screen.width).toBe(39)
  })

  it('knows without a terminal of no lines that change, and breaks none', () => {
    let out = ''
    const write = (text: string) => {
      out += text
    }
    const screen = new Screen({ write })
    screen.show(['working'])
    screen.print('done')
    expect(out).toBe('done\n')
    expect(screen.width).toBe(Number.POSITIVE_INFINITY)
  })
})

/** A view in so many columns, and the lines that it has written. */
function viewIn(columns: number) {
  let out = ''
  const write = (text: string) => {
    out += text
  }
  const screen = new Screen({ write, isTTY: true, columns })
  const permissions = { cwd: '/work/here' } as any
  const view = new RunView({ text: screen, log: screen }, { tools: [EditTool, echo()], permissions })
  return { view, lines: () => stripVTControlCharacters(out).replaceAll('\r', '').split('\n') }
}

function queued(name: string, input: object): QueuedCall {
  const block: Anthropic.ToolUseBlock = { type: 'tool_use', id: 'a', name, input, caller: { type: 'direct' } }
  return { place: 0, block, message: {} as Anthropic.Message, isSafe: true, state: 'queued' }
}

describe('given: what a person sees of a run', () => {
  const call = queued('Edit', {
    file_path: '/work/here/src/a-rather-long-name-of-a-file.js',
    old_string: 'a',
    new_string: 'b',
  })
  const data = { filePath: 'x', summary: 'Edited x.', diff: `--- x\n+++ x\n@@ -1 +1 @@\n-${'a'.repeat(90)}\n+b\n` }
  const block: Anthropic.ToolResultBlockParam = { type: 'tool_result', tool_use_id: 'a', content: 'Edited x.' }
  const result: ResultUpdate = { type: 'result', toolUseID: 'a', block, end: { type: 'returned', data } }
  const events: AgentEvent[] = [
    { type: 'turn', turn: 1 },
    { type: 'text', text: 'I change the file, since the word in it is ' },
    { type: 'text', text: 'wrong.\n\nNow ' },
    { type: 'queued', call },
    { type: 'started', call },
    {
      type: 'progress',
      call,
      update: { type: 'progress', toolUseID: 'a', data: { type: 'x', text: `${'y'.repeat(99)}\n` } },
    },
    { type: 'answered', call, result },
    {
      type: 'not_run',
      call: { id: 'b', name: 'Echo', input: {}, problem: 'Not run: the call was cut off by the limit on tokens.' },
    },
    { type: 'retry', attempt: 1, delayMs: 1500, error: new Error('Overloaded, and a long explanation of that') },
    { type: 'text', text: 'x'.repeat(100) },
  ]

  it.for([40, 80, 200])('keeps within %i columns', (columns) => {
    const { view, lines } = viewIn(columns)
    for (const event of events) view.take(event)
    view.endLine()
    expect(lines().filter((line) => columnsOf(line) >= columns)).toEqual([])
  })

  it('names the call from the folder on, and shows the diff', () => {
    const { view, lines } = viewIn(80)
    for (const event of events) view.take(event)
    expect(lines()).toContain('● Update src/a-rather-long-name-of-a-file.js')
    expect(lines()).toContain('    +b')
  })

  it('shows a call of a tool that there is not, and one that did not parse', () => {
    const { view, lines } = viewIn(80)
    view.take({ type: 'not_run', call: { id: 'a', name: 'Nope\x1b', input: { n: 1 }, problem: 'Unknown.' } })
    view.take({ type: 'not_run', call: { id: 'b', name: 'Edit', input: null, problem: 'No object.' } })
    expect(lines()).toEqual(expect.arrayContaining(['● Nope\ufffd {"n":1}', '  └ Unknown.', '  └ No object.']))
  })
})

describe('given: that the model is asked again', () => {
  it.for<[string, unknown, string]>([
    [
      'what the server said, without its JSON',
      APIError.generate(529, { type: 'error', error: { message: 'Overloaded' } }, undefined, new Headers()),
      'Overloaded',
    ],
    [
      'no page',
      APIError.generate(502, undefined, '<h1>Bad\nGateway</h1>', new Headers({ 'content-type': 'text/html' })),
      'a web page came in place of an answer',
    ],
    ['a line that broke', new BrokenAnswer('The answer broke off.\nReally.'), 'The answer broke off.'],
    ['whatever else', 'odd', 'odd'],
  ])('shows %s', ([, error, why]) => {
    const { view, lines } = viewIn(80)
    view.take({ type: 'retry', attempt: 1, delayMs: 0, error })
    view.take({ type: 'retry', attempt: 4, delayMs: 2500, error })
    expect(lines()).toEqual(
      expect.arrayContaining([`↻ asking again now (1st try): ${why}`, `↻ asking again in 2.5 s (4th try): ${why}`]),
    )
  })
})

describe('given: when a call ran', () => {
  it.for([
    ['deny', 'Wait │··········✗'],
    ['allow', 'Wait │·········▓✗'],
  ] as const)('shows the time of a question as waiting, with the answer %s', async ([behavior, line]) => {
    let time = 0
    const timeline = new Timeline(() => time)
    const call = { ...queued('Wait', {}), isSafe: false }
    const result = { block: { is_error: true } } as ResultUpdate
    timeline.record({ type: 'queued', call })
    timeline.record({ type: 'started', call })
    const answer = behavior === 'deny' ? { behavior, message: 'no' } : { behavior, updatedInput: {} }
    const person = async () => {
      time = 9
      return answer
    }
    const ask = waitingForAnswer(
      person,
      () => timeline,
      () => time,
    )
    expect(await ask({ toolUseID: 'a' } as any, {} as any)).toBe(answer)
    time = 10
    timeline.record({ type: 'answered', call, result })
    expect(drawTimeline(timeline.bars, { scale: 1 }).split('\n')[0]).toBe(line)
    expect(await ask({ toolUseID: 'of a sub-agent' } as any, {} as any)).toBe(answer)
  })
})

describe('given: what went wrong, in words', () => {
  const server = { baseURL: 'http://here', model: 'a-model' }
  const failure = (status: number, type = 'application/json') =>
    APIError.generate(status, { error: { message: 'said' } }, undefined, new Headers({ 'content-type': type }))

  const endOfScenario = (turns: Turn[]) => {
    const script = new Script({ name: 'greeting', about: 'x', task: 'x', sample: 'price-list', turns })
    try {
      script.take({ messages: [{ role: 'user', content: 'more' }] } as Anthropic.MessageCreateParams)
    } catch (error) {
      return APIError.generate(400, (error as ApiError).toBody('req_1'), undefined, new Headers())
    }
  }

  it.for<[string, unknown, RegExp]>([
    ['a wrong key', failure(401), /key \(401: said\).*ANTHROPIC_API_KEY/],
    ['a model that there is not', failure(404), /no model "a-model".*--model/],
    ['a busy server', failure(529), /529.*again/],
    ['too many requests', failure(429), /429.*[Ww]ait/],
    ['a wrong request', failure(400), /refuses.*400: said/],
    ['a word after the end of a scenario', endOfScenario([]), /^The scenario greeting is over.*\/quit leaves\.$/],
    [
      'a word that no turn of a scenario is for',
      endOfScenario([{ text: 'Yes.', when: 'pass 7' }]),
      /^The scenario greeting is over.*\/quit leaves\. .*: more$/,
    ],
    ["a proxy's error page", failure(502, 'text/html'), /web page.*ANTHROPIC_BASE_URL/],
    ['a page in place of an answer', new BrokenAnswer('… not with a stream of the Messages API.'), /web page/],
    [
      'no server',
      new APIConnectionError({ cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }),
      /ECONNREFUSED/,
    ],
    ['whatever else', new Error('odd'), /^odd$/],
  ])('says what to do about %s', ([, error, words]) => {
    expect(explainFailure(error, server)).toMatch(words)
  })
})

describe('given: flags, session, closing line', () => {
  it('reads its flags', () => {
    const mcp = 'fs=npx server "my dir" .'
    const flags = readFlags(['--task', 'do it', '--mode', 'plan', '--deny', 'Bash(rm *)', '--mcp', mcp])
    expect(flags).toMatchObject({ task: 'do it', print: false, mode: 'plan' })
    expect(flags.rules).toEqual([{ text: 'Bash(rm *)', behavior: 'deny', source: 'cli' }])
    expect(flags.servers).toEqual([{ name: 'fs', command: 'npx', args: ['server', 'my dir', '.'] }])
  })

  it.for([
    ['--mode', 'yolo'],
    ['--mcp', 'files'],
    ['--nothing', 'x'],
  ])('refuses %s %s', async (words) => {
    expect(await errorOf(() => readFlags(words))).toContain(words[0] === '--mode' ? words[1] : words[0])
  })

  it('adds a rule for the rest of a session, and leaves no file of it', async ({ workspace }) => {
    const client = new Anthropic({ apiKey: 'test' })
    const options = { client, maxTokens: 1, cwd: workspace.root, mode: 'default' as const, rules: [], warn: () => {} }
    const session = await startSession(options)
    const context = session.contextFor(new AbortController())
    const input = { command: 'npm test' }
    const bash = session.tools.find(({ name }) => name === 'Bash')!
    const decide = () => session.canUseTool(bash, input, context, {} as Anthropic.Message)
    expect((await decide()).behavior).toBe('ask')
    session.allow('Bash(npm test)')
    expect((await decide()).behavior).toBe('allow')
    await session.close()
    expect(await errorOf(() => readFile(context.resultsDir))).toContain('ENOENT')
  })

  it('refuses a rule that cannot be read, before anything is started', async ({ workspace }) => {
    const rules = [{ text: 'Bash((', behavior: 'allow' as const, source: 'cli' as const }]
    const client = new Anthropic({ apiKey: 'test' })
    const start = () =>
      startSession({ client, maxTokens: 1, cwd: workspace.root, mode: 'default', rules, warn: () => {} })
    expect(await errorOf(start)).toContain('Bash((')
  })

  it('says what it took, and whose code it was', () => {
    const usage = { input: 1000, cacheRead: 2500, cacheWrite: 500, output: 70 }
    const own = { own: [1, 2, 3, 5], ours: [4, 6, 7] }
    expect(closingLine({ turns: 1, usage, ms: 2345 }, own)).toBe(
      '1 turn · 4,000 tokens in (2,500 of them cached), 70 out · 2.3 s · on your own code in chapters 1–3, 5, on ours in 4, 6–7',
    )
    expect(whose({ own: [], ours: [1, 2] })).toMatch(/our code in all 2/)
    expect(whose({ own: [1, 2], ours: [] })).toMatch(/your own code in all 2/)
  })

  it('hands on what is pushed, before, while and after somebody reads', async () => {
    const channel = new Channel<number>()
    channel.push(1)
    const read: number[] = []
    const done = (async () => {
      for await (const item of channel.read()) read.push(item)
    })()
    await new Promise(setImmediate)
    channel.push(2)
    channel.push(3)
    channel.close()
    await done
    expect(read).toEqual([1, 2, 3])
  })
})
