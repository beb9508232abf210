import { answerFor } from '#05-build-tool/tool.ts'
import { createContext } from '#support/context.ts'
import { textOf, toolDispatch } from '#support/run-tool.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { ConfigTool, settingsOf } from '../given/config.ts'
import { SleepTool } from '../given/sleep.ts'
import { fits, wordsOf } from '../given/words.ts'

describe('given: words', () => {
  it('splits text and names into words', () => {
    expect(wordsOf('mcp__git-hub__createIssue')).toEqual(['mcp', 'git', 'hub', 'create', 'issue'])
    expect(wordsOf('Größe: 2 ÄPFEL, 2 äpfel')).toEqual(['größe', '2', 'äpfel'])
    expect(wordsOf(' - ')).toEqual([])
  })

  it('fits names to patterns', () => {
    const fitting = ['a', '*', 'a*', '*a', '*a*', 'a**']
    for (const pattern of fitting) expect(fits('a', pattern), pattern).toBe(true)
    for (const pattern of ['', 'b*', '*b', 'a*a', 'a.', '.', 'aa*']) expect(fits('a', pattern), pattern).toBe(false)
    expect(fits('a_b_c', 'a*b*c')).toBe(true)
    expect(fits('a_c_b', 'a*b*c')).toBe(false)
  })
})

describe('given: Sleep', () => {
  it('waits and says so', async () => {
    const run = toolDispatch([SleepTool], createContext('/'))
    expect(textOf(await run('Sleep', { duration_ms: '1' }, { id: 'a' }))).toContain('1')
  })

  it('wakes at once when it is aborted, before or while it waits', async () => {
    const controller = new AbortController()
    const run = toolDispatch([SleepTool], createContext('/'))
    const sleeping = run('Sleep', { duration_ms: 3_000_000 }, { id: 'a', signal: controller.signal })
    controller.abort(new Error('stop'))
    expect(await errorOf(() => sleeping)).toBe('stop')
    const again = () => run('Sleep', { duration_ms: 3_000_000 }, { id: 'a', signal: controller.signal })
    expect(await errorOf(again)).toBe('stop')
  })

  it.for([-1, 1.5, 3_600_001, 'soon', null])('refuses to wait for %s', async (duration_ms) => {
    const answer = await toolDispatch([SleepTool], createContext('/'))('Sleep', { duration_ms }, { id: 'a' })
    expect(answer).toMatchObject({ is_error: true, content: expect.stringContaining('duration_ms') })
  })
})

describe('given: Config', () => {
  it('reads a setting that nobody has set, sets it, and reads it again', async () => {
    const context = createContext('/')
    const run = toolDispatch([ConfigTool], context)
    const config = async (input: object) => textOf(await run('Config', input, { id: 'a' }))
    expect(await config({ setting: 'theme' })).toContain('dark')
    expect(await config({ setting: 'theme', value: 'light' })).toContain('light')
    expect(await config({ setting: 'verbose', value: 'true' })).toContain('true')
    expect(settingsOf(context.getAppState())).toMatchObject({ theme: 'light', verbose: true, language: 'English' })
  })

  it('names the settings there are when it is asked for another', async () => {
    for (const setting of ['colour', 'constructor', '__proto__', '']) {
      const answer = await toolDispatch([ConfigTool], createContext('/'))('Config', { setting }, { id: 'a' })
      expect(answer).toMatchObject({ is_error: true, content: expect.stringMatching(/theme.*verbose/) })
    }
  })

  it('refuses a value of the wrong kind, and changes nothing', async () => {
    const context = createContext('/')
    const run = toolDispatch([ConfigTool], context)
    for (const [setting, value] of Object.entries({ theme: 'blue', verbose: 'maybe', maxTurns: 0 })) {
      const answer = await run('Config', { setting, value }, { id: 'a' })
      expect(answer).toMatchObject({ is_error: true, content: expect.stringContaining(setting) })
    }
    expect(context.getAppState()).toEqual({})
  })

  it('reads as a read-only call, and asks before it writes', async () => {
    const context = createContext('/')
    expect(answerFor(ConfigTool, 'isReadOnly', { setting: 'theme' })).toBe(true)
    expect(answerFor(ConfigTool, 'isReadOnly', { setting: 'theme', value: 'light' })).toBe(false)
    const permission = await ConfigTool.checkPermissions({ setting: 'theme', value: 'light' }, context)
    expect(permission.behavior).toBe('ask')
  })
})
