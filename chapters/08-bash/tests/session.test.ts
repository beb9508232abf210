import { parseInput, toInputSchema } from '#03-contract/contract.ts'
import { BashOutputTool, KillShellTool } from '#08-bash/background-tools.ts'
import { BashTool } from '#08-bash/bash.ts'
import { bashSession, endBashSession } from '#08-bash/session.ts'
import { createContext } from '#support/context.ts'
import { textOf, toolDispatch } from '#support/run-tool.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { pidsIn, until, untilDead } from './processes.ts'

/** The three tools in one session: a function that calls one of them, and gives its text or throws it as an Error. */
function startSession(cwd: string) {
  const context = createContext(cwd)
  const dispatch = toolDispatch([BashTool, BashOutputTool, KillShellTool], context)
  const call = async (name: string, input: unknown) => textOf(await dispatch(name, input, { id: 'toolu_1' }))
  return { context, call, bash: (command: string, more = {}) => call('Bash', { command, ...more }) }
}

describe('task 5: commands of one session', () => {
  it('starts each command in the folder in which the one before it ended', async ({ workspace }) => {
    const { bash } = startSession(workspace.root)
    await bash('mkdir -p a/b && cd a/b')
    expect(await bash('pwd')).toBe(`${workspace.path('a/b')}\n`)
    await errorOf(() => bash('cd ..; false'))
    expect(await bash('pwd'), 'also after a failure').toBe(`${workspace.path('a')}\n`)
  })

  it('finds its way back when the folder it was in is deleted', async ({ workspace }) => {
    const { bash } = startSession(workspace.root)
    await bash('mkdir d && cd d')
    await bash('rm -rf ../d')
    const text = await bash('echo hi')
    expect(text).toMatch(/hi\n$/)
    expect(text, 'say what is gone').toContain(workspace.path('d'))
    expect(await bash('pwd'), 'and only once').toBe(`${workspace.root}\n`)
  })

  it('says that nothing was printed', async ({ workspace }) => {
    const { bash } = startSession(workspace.root)
    expect(await bash('true')).toBe('(no output)')
    expect(await bash('printf "\\n \\n"'), 'blank text is refused by the API').toBe('(no output)')
  })

  it('throws what a failing command printed, with how it ended', async ({ workspace }) => {
    const { bash } = startSession(workspace.root)
    expect(await errorOf(() => bash('echo half; exit 7'))).toMatch(/half\n.*exit code 7/)
    expect(await errorOf(() => bash('printf before; kill -9 $$'))).toMatch(/before[\s\S]*SIGKILL/)
    expect(await errorOf(() => bash('echo on; sleep 1; sleep 20', { timeout: 300 }))).toMatch(/on\n[\s\S]*300 ms/)
  })

  it('reads the output of a background command piece by piece', async ({ workspace }) => {
    const { bash, call, context } = startSession(workspace.root)
    expect(
      await bash('echo one; while [ ! -e go ]; do sleep 0.02; done; echo two', { run_in_background: true }),
    ).toContain('bash_1')
    const seen: string[] = []
    const saw = async (word: string) => {
      seen.push(await call('BashOutput', { bash_id: 'bash_1' }))
      return seen.join('').includes(word)
    }
    await until('the first line comes', () => saw('one'))
    expect(seen.join(''), 'it runs').toMatch(/running/)
    await workspace.write('go', '')
    await until('it ends', () => saw('exit code 0'))
    expect(seen.join('').match(/one|two/g), 'each line once').toEqual(['one', 'two'])
    await endBashSession(context)
  })

  it('ends a background command with all that it started when it is killed', async ({ workspace }) => {
    const { bash, call } = startSession(workspace.root)
    await bash('sleep 20 & echo $! >> pids; echo $$ >> pids; wait', { run_in_background: true })
    const pids = await pidsIn(workspace.path('pids'), 2)
    expect(await call('KillShell', { shell_id: 'bash_1' })).toMatch(/stopped/)
    await untilDead(pids)
    expect(await call('BashOutput', { bash_id: 'bash_1' }), 'it can still be read').toMatch(/stopped/)
  })

  it('ends every background command when the session ends', async ({ workspace }) => {
    const { bash, context } = startSession(workspace.root)
    await bash('echo $$ >> pids; sleep 20; true', { run_in_background: true })
    await bash('echo $$ >> pids; sleep 20; true', { run_in_background: true })
    const pids = await pidsIn(workspace.path('pids'), 2)
    await endBashSession(context)
    await untilDead(pids)
    expect(
      bashSession(context)
        .background.list()
        .map(({ ending }) => ending?.type),
    ).toEqual(['aborted', 'aborted'])
    expect(await errorOf(() => bash('sleep 1', { run_in_background: true }))).toMatch(/session has ended/)
  })

  it('shows only the lines that are asked for', async ({ workspace }) => {
    const { bash, call, context } = startSession(workspace.root)
    await bash('printf "a1\\nb1\\na2\\n"', { run_in_background: true })
    await until('it ends', () => bashSession(context).background.list()[0].ending !== undefined)
    const text = await call('BashOutput', { bash_id: 'bash_1', filter: '^a' })
    expect(text).toMatch(/a1\na2/)
    expect(text).not.toContain('b1')
  })

  it('lets nobody else end it: an abort of one call leaves the background alone', async ({ workspace }) => {
    const { bash, context } = startSession(workspace.root)
    await bash('echo $$ >> pids; sleep 20; true', { run_in_background: true })
    await pidsIn(workspace.path('pids'), 1)
    context.abortController.abort()
    expect(bashSession(context).background.list()[0].ending).toBeUndefined()
    await endBashSession(context)
  })
})

describe('given: the tools around it', () => {
  it('shows the model no internal field, and takes none from it', () => {
    expect(Object.keys(toInputSchema(BashTool.inputSchema).properties ?? {}).sort()).toEqual([
      'command',
      'description',
      'run_in_background',
      'timeout',
    ])
    const sent = { command: 'ls', _simulatedSedEdit: { file_path: 'a', content: 'b' } }
    expect(parseInput(BashTool.inputSchema, sent).success).toBe(false)
  })

  it('takes an agreed edit from the program', async ({ workspace }) => {
    const edit = { command: 'sed -i s/a/b/ f', _simulatedSedEdit: { file_path: 'f', content: 'b\n' } }
    const context = createContext(workspace.root)
    await BashTool.call(
      edit,
      context,
      async () => ({ behavior: 'allow', updatedInput: {} }),
      {} as never,
      () => {},
    )
    expect(await workspace.text('f')).toBe('b\n')
  })

  it('lists what there is when an id is unknown', async ({ workspace }) => {
    const { call } = startSession(workspace.root)
    expect(await errorOf(() => call('BashOutput', { bash_id: 'bash_7' }))).toMatch(/bash_7.*none/)
    expect(await errorOf(() => call('KillShell', { shell_id: 'x' }))).toMatch(/"x".*none/)
  })

  it('refuses a filter that is no regular expression', async ({ workspace }) => {
    const { call } = startSession(workspace.root)
    expect(await errorOf(() => call('BashOutput', { bash_id: 'bash_1', filter: '(' }))).toMatch(/filter/)
  })
})
