import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { runAgent } from '#14-agent/agent.ts'
import { usageOf } from '#14-agent/usage.ts'
import { startMessagesServer } from '#support/messages-server.ts'
import { copySample } from '#support/sample.ts'
import { findScenario, type Scenario } from '#support/scenario.ts'
import { describe, expect, it } from '#support/test.ts'
import type { PermissionMode, PermissionRule } from '../../10-permissions/given/types.ts'
import { blocksOf } from '../given/blocks.ts'
import { startSession } from '../given/session.ts'
import { checkConversation, play, textOf } from './stage.ts'

/** Plays a scenario with the real tools in a copy of its sample, as `npm run agent` does, with nobody there to ask. */
async function perform(scenario: Scenario, more: { mode?: PermissionMode; allow?: string[] } = {}) {
  const { cwd, remove } = await copySample(scenario)
  const server = await startMessagesServer(scenario, { cwd, pace: 0 })
  const client = new Anthropic({ apiKey: 'offline', baseURL: server.url })
  const { mode = 'acceptEdits', allow = [] } = more
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((behavior) =>
    (scenario.permissions?.[behavior] ?? []).map((text): PermissionRule => ({ text, behavior, source: 'cli' })),
  )
  for (const text of allow) rules.push({ text, behavior: 'allow', source: 'cli' })
  const { features } = scenario
  const session = await startSession({ client, maxTokens: 1_000, cwd, mode, rules, features, warn: () => {} })
  try {
    const result = await play(
      runAgent({
        client,
        model: 'scripted-large',
        maxTokens: 1_000,
        system: 'You are a coding agent.',
        messages: [{ role: 'user', content: scenario.task }],
        context: session.contextFor(new AbortController()),
        canUseTool: session.canUseTool,
        wait: async () => {},
      }),
    )
    checkConversation(result.messages)
    expect(result.outcome, 'the run should end well').toEqual({ type: 'finished' })
    const read = (name: string) => readFile(join(cwd, name), 'utf8')
    return { ...result, requests: server.requests, text: textOf(result.events), money: await read('src/money.js') }
  } finally {
    await session.close()
    await server.close()
    await remove()
  }
}

/** The same scenario, lighter: the tests run in one process in place of two, and nobody sleeps for long. */
function light(name: string): Scenario {
  const text = JSON.stringify(findScenario(name)).replaceAll('node --test', RUN_TESTS)
  return JSON.parse(text.replaceAll(/("duration_ms":|Waited )800/g, '$180'))
}

const RUN_TESTS = 'node test/order.test.js'

function resultsOf(messages: Anthropic.MessageParam[]): Anthropic.ToolResultBlockParam[] {
  return messages.flatMap(blocksOf).filter((block) => block.type === 'tool_result')
}

describe('task 5: the whole agent, with real tools and a scripted model', () => {
  it('finds a bug, mends it and runs the tests', async () => {
    const { text, money, turns } = await perform(light('find-the-bug'), { allow: [`Bash(${RUN_TESTS})`] })
    expect(money).toContain('Math.round')
    expect(text).toContain('All 7 tests pass')
    expect(turns).toBe(5)
  })

  it('does without what nobody is there to allow', async () => {
    const { messages, money } = await perform(light('find-the-bug'), { mode: 'default' })
    expect(money).toContain('Math.floor')
    expect(resultsOf(messages).at(-1)).toMatchObject({ is_error: true, content: expect.stringMatching(/Edit/) })
  })

  it.for(['overloaded', 'cut-connection', 'max-tokens', 'refused-call', 'sub-agent', 'parallel'])(
    'leaves a valid conversation behind the scenario %s',
    async (name) => {
      const { messages } = await perform(light(name), { allow: ['Agent', `Bash(${RUN_TESTS})`, 'Write'] })
      expect(messages.at(-1)?.role).toBe('assistant')
    },
  )
})

describe('task 5: what the cache is good for', () => {
  const script = (calls: number): Scenario => ({
    name: 'cached',
    about: 'many calls',
    task: 'Read it.',
    sample: 'price-list',
    turns: [
      ...[calls, 1, calls].map((count) => ({
        calls: Array.from({ length: count }, (_, i) => ({
          name: 'Read',
          input: { file_path: 'README.md', limit: i + 1 },
        })),
      })),
      { text: 'Done.' },
    ],
  })

  it.for([1, 40])('reads all that was sent before from the cache, with %i calls in an answer', async (calls) => {
    const { requests, usage } = await perform(script(calls))
    const counts = requests.map((request) => usageOf(request.usage ?? {}))
    expect(counts[0].cacheRead).toBe(0)
    for (const [i, { cacheRead, input }] of counts.entries()) {
      if (i > 0) expect(cacheRead, `request ${i + 1}`).toBe(counts[i - 1].cacheRead + counts[i - 1].cacheWrite)
      expect(input, 'nothing is sent that is not marked').toBe(0)
    }
    expect(usage.cacheRead).toBe(counts.reduce((sum, { cacheRead }) => sum + cacheRead, 0))
  })
})
