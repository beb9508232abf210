import { existsSync, writeFileSync } from 'node:fs'
import { askHook, readCommandEnd } from '#11-pipeline/ask-hook.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import type { Workspace } from '#support/workspace.ts'
import { until, untilDead } from '../../08-bash/tests/processes.ts'
import type { CommandHook, HookInput } from '../given/hook-types.ts'
import { callWith, letTodoThrough, rows } from './calls.ts'

const exited = (code: number, stdout = '', stderr = '') => readCommandEnd({ type: 'exited', code, stdout, stderr })

function about(cwd: string, command = 'rm -rf x'): HookInput {
  return { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_1', cwd }
}

function ask(
  workspace: Workspace,
  command: string,
  { timeoutMs, ...setup }: { timeoutMs?: number; abortController?: AbortController } = {},
) {
  const hook: CommandHook = { command, timeoutMs }
  return askHook(callWith({ ...setup, cwd: workspace.root }), hook, about(workspace.root)).then(letTodoThrough)
}

describe('task 4: what a hook’s command says', () => {
  it('reads the JSON of a command that exits with 0', () => {
    expect(exited(0, '{"decision":"ask","reason":"Late."}\n')).toMatchObject({
      type: 'answered',
      behavior: 'ask',
      reason: 'Late.',
    })
    expect(exited(0, '{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"a":1}}}')).toMatchObject({
      behavior: 'allow',
      updatedInput: { a: 1 },
    })
  })

  it.for(rows(['', '\n', '  \n\n']))('takes $what on stdout for no opinion', ({ value }) => {
    const answer = exited(0, value)
    expect(answer).toMatchObject({ type: 'answered' })
    expect(answer).not.toHaveProperty('behavior', 'allow')
  })

  it('takes exit code 2 for a denial, with stderr as the reason', () => {
    expect(exited(2, '', 'No rm here.\n')).toMatchObject({ type: 'answered', behavior: 'deny', reason: 'No rm here.' })
  })

  it('takes exit code 2 for a denial whatever stands on stdout', () => {
    expect(exited(2, '{"decision":"allow"}')).toMatchObject({ type: 'answered', behavior: 'deny' })
  })

  it.for(
    rows([
      '{"decision":"all',
      'allowed',
      'debug\n{"decision":"deny"}',
      '[]',
      '"deny"',
      '{"decision":"perhaps"}',
      '{} {}',
      'null',
      'false',
      '0',
    ]),
  )('takes $what on stdout for a failure', ({ value }) => {
    expect(exited(0, value)).toMatchObject({ type: 'broken', message: expect.stringMatching(/\w/) })
  })

  it.for([1, 3, 126, 127, 255])('takes exit code %i for a failure, and tells stderr', (code) => {
    const outcome = exited(code, '{"decision":"allow"}', 'not found')
    expect(outcome).toMatchObject({ type: 'broken', message: expect.stringContaining('not found') })
    expect(outcome).toMatchObject({ message: expect.stringContaining(String(code)) })
  })

  it.for(
    rows([
      { type: 'killed' as const, signal: 'SIGSEGV' as const },
      { type: 'stopped' as const },
      { type: 'too_long' as const },
      { type: 'not_started' as const, message: 'ENOENT' },
    ]),
  )('takes $what for a failure', ({ value }) => {
    expect(readCommandEnd(value)).toMatchObject({ type: 'broken', message: expect.stringMatching(/\w/) })
  })

  it('gives the command its input as JSON on stdin, and starts it in the call’s folder', async ({ workspace }) => {
    expect(await ask(workspace, 'cat > seen.json')).toMatchObject({ type: 'answered' })
    expect(JSON.parse(await workspace.text('seen.json'))).toEqual(about(workspace.root))
  })

  it('lets a real command block', async ({ workspace }) => {
    const guard = `grep -q 'rm -rf' && { echo 'rm is not allowed' >&2; exit 2; }; exit 0`
    expect(await ask(workspace, guard)).toMatchObject({ behavior: 'deny', reason: 'rm is not allowed' })
  })

  it('fails when the program is not there', async ({ workspace }) => {
    expect(await ask(workspace, './no-such-guard --check')).toMatchObject({ type: 'broken' })
  })

  it('reads a command that never looks at its input', async ({ workspace }) => {
    expect(await ask(workspace, `printf '{"decision":"allow"}'`)).toMatchObject({ type: 'answered', behavior: 'allow' })
  })

  it('does not wait for what a command left behind', async ({ workspace }) => {
    const outcome = await ask(workspace, `sleep 300 & echo $! > pid; printf '{"reason":"quick"}'`)
    process.kill(Number(await workspace.text('pid')), 'SIGKILL')
    expect(outcome).toMatchObject({ type: 'answered', reason: 'quick' })
  })

  it('reads an answer that is large, and fails on one without an end', async ({ workspace }) => {
    writeFileSync(workspace.path('big.json'), JSON.stringify({ additionalContext: 'x'.repeat(300_000) }))
    expect(await ask(workspace, 'cat big.json')).toMatchObject({
      type: 'answered',
      note: expect.stringMatching(/^x{300000}$/),
    })
    expect(await ask(workspace, 'yes')).toMatchObject({ type: 'broken' })
  })
})

describe('given: a hook that is a command comes to an end', () => {
  it('fails at the time limit, and kills all that the command has started', async ({ workspace }) => {
    const outcome = await ask(workspace, 'sleep 300 & echo $! > pid; mv pid pid.txt; wait', { timeoutMs: 400 })
    expect(outcome).toMatchObject({ type: 'broken', message: expect.stringContaining('400') })
    if (existsSync(workspace.path('pid.txt'))) await untilDead([Number(await workspace.text('pid.txt'))])
  })

  it('kills the command when the call is aborted', async ({ workspace }) => {
    const abortController = new AbortController()
    const message = errorOf(() => ask(workspace, 'echo $$ > pid; mv pid pid.txt; sleep 300', { abortController }))
    await until('the command has begun', () => existsSync(workspace.path('pid.txt')))
    abortController.abort()
    expect(await message).toMatch(/abort/i)
    await untilDead([Number(await workspace.text('pid.txt'))])
  })

  it('starts no command for a call that is aborted', async ({ workspace }) => {
    const abortController = new AbortController()
    abortController.abort()
    expect(await errorOf(() => ask(workspace, 'touch started', { abortController }))).toMatch(/abort/i)
    expect(existsSync(workspace.path('started'))).toBe(false)
  })
})
