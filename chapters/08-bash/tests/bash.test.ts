import { BashTool, inputProblem } from '#08-bash/bash.ts'
import { describe, expect, it } from '#support/test.ts'

describe('task 5: Bash', () => {
  it('has nothing against an ordinary command', () => {
    expect(inputProblem('ls', false)).toBeUndefined()
    expect(inputProblem('rm -rf x', false), 'whether it may run is decided elsewhere').toBeUndefined()
  })

  it('refuses a blank command', () => {
    expect(inputProblem('', false)).toMatch(/empty|blank/i)
    expect(inputProblem(' \n\t', true)).toMatch(/empty|blank/i)
  })

  it('refuses a command with a NUL', () => {
    expect(inputProblem('ls\0x', false)).toMatch(/NUL|null/i)
    expect(inputProblem('ls\0x', true)).toMatch(/NUL|null/i)
  })

  it('refuses a command that is too long to hand over, and says how long it is and may be', () => {
    const long = `echo ${'é'.repeat(60_000)}`
    expect(inputProblem(long, false), 'counted in bytes').toMatch(/120005/)
    expect(inputProblem(long, false)).toMatch(/100000/)
    expect(inputProblem(long, true), 'the background takes no more').toMatch(/100000/)
    expect(inputProblem(`echo ${'x'.repeat(60_000)}`, false)).toBeUndefined()
  })

  it('refuses a command that only waits, unless it goes to the background', () => {
    expect(inputProblem('sleep 60', false)).toMatch(/run_in_background/)
    expect(inputProblem('sleep 60', true)).toBeUndefined()
    expect(inputProblem('while :; do sleep 1; done', true)).toBeUndefined()
  })

  it('is read-only for what the syntax tree knows to be, and for nothing else', () => {
    expect(BashTool.isReadOnly({ command: 'ls | head' })).toBe(true)
    expect(BashTool.isReadOnly({ command: 'ls | sh' })).toBe(false)
    expect(BashTool.isDestructive({ command: 'ls | head' })).toBe(false)
  })

  it('is not read-only in the background: something stays there', () => {
    expect(BashTool.isReadOnly({ command: 'ls' }), 'in the foreground it is').toBe(true)
    expect(BashTool.isReadOnly({ command: 'ls', run_in_background: true })).toBe(false)
  })

  it('runs beside others only if it is read-only and stays in its folder', () => {
    expect(BashTool.isConcurrencySafe({ command: 'git status' })).toBe(true)
    expect(BashTool.isConcurrencySafe({ command: 'npm test' })).toBe(false)
    expect(BashTool.isConcurrencySafe({ command: 'cd src && ls' }), 'the next call would start there').toBe(false)
  })
})
