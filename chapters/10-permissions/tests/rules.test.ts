import { parseRule, RuleError, readRules } from '#10-permissions/rules.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'

/** The error that a rule earns. */
async function faultOf(text: string): Promise<RuleError> {
  let fault: unknown
  await errorOf(() => {
    try {
      return parseRule(text)
    } catch (error) {
      fault = error
      throw error
    }
  })
  expect(fault, 'a rule that cannot be read is a RuleError').toBeInstanceOf(RuleError)
  return fault as RuleError
}

describe('task 1: parseRule', () => {
  it.for(['Bash', 'mcp__github', 'mcp__github__get_*', 'mcp__*', 'toString', '__proto__', 'constructor'])(
    'reads %s as a rule about all calls',
    (text) => {
      expect(parseRule(text)).toEqual({ text, toolName: text, specifier: { type: 'any' } })
    },
  )

  it.for([
    ['Bash(npm test)', 'npm test'],
    ['Bash(npm test *)', 'npm test *'],
    ['Bash(npm test:*)', 'npm test *'],
    ['Bash(git:* push)', 'git:* push'],
    ['Bash(node -e "f(1)")', 'node -e "f(1)"'],
    ['Bash(echo (a) (b))', 'echo (a) (b)'],
    ['Bash( ls)', ' ls'],
  ])('reads %s as a command that looks like %j', ([text, pattern]) => {
    expect(parseRule(text)).toMatchObject({ toolName: 'Bash', specifier: { type: 'command', pattern } })
  })

  it('takes Bash(*) and WebFetch(*) for all calls', () => {
    expect(parseRule('Bash(*)').specifier).toEqual({ type: 'any' })
    expect(parseRule('WebFetch(*)').specifier).toEqual({ type: 'any' })
    expect(parseRule('Agent(*)').specifier).toEqual({ type: 'any' })
  })

  it.for([
    ['Read(./.env)', './.env'],
    ['Edit(//etc/**)', '//etc/**'],
    ['Write(~/notes/*.md)', '~/notes/*.md'],
    ['Glob(..foo/**)', '..foo/**'],
    ['MultiEdit(a)', 'a'],
  ])('reads %s as a path', ([text, pattern]) => {
    expect(parseRule(text).specifier).toEqual({ type: 'path', pattern })
  })

  it.for([
    ['WebFetch(domain:Example.COM)', 'example.com'],
    ['WebFetch(domain:*.example.com)', '*.example.com'],
    ['WebFetch(domain:example.com.)', 'example.com'],
    ['WebFetch(domain:bücher.example)', 'xn--bcher-kva.example'],
  ])('reads %s as a host', ([text, pattern]) => {
    expect(parseRule(text).specifier).toEqual({ type: 'domain', pattern })
  })

  it('reads parameters, and the one that goes without saying', () => {
    expect(parseRule('Agent(Explore)').specifier).toMatchObject({ type: 'parameter', name: 'subagent_type' })
    expect(parseRule('Task(Explore)').specifier, 'by its old name').toMatchObject({ name: 'subagent_type' })
    expect(parseRule('Agent(model:opus)').specifier).toEqual({ type: 'parameter', name: 'model', pattern: 'opus' })
    expect(parseRule('Agent(model:a\u2028b)').specifier, 'any character').toMatchObject({ pattern: 'a\u2028b' })
  })

  it('leaves blanks around a rule out, and nowhere else', () => {
    expect(parseRule('  Bash(ls)\n')).toMatchObject({ text: 'Bash(ls)', specifier: { pattern: 'ls' } })
  })

  it.for([
    ['', 0, /name/i],
    ['   ', 3, /name/i],
    ['(npm test)', 0, /name/i],
    ['Bash(npm test', 13, /\)/],
    ['Bash(npm test) ok', 17, /\)/],
    ['Bash (ls)', 4, /\(|end/],
    ['Bash)', 4, /\(|end/],
    ['Bash()', 5, /something|blank|empty/i],
    ['Bash(  )', 5, /something|blank|empty/i],
    ['  Bash(ls\0)', 9, /control/i],
    ['WebFetch(example.com)', 9, /domain:/],
    ['WebFetch(domain:)', 16, /host/],
    ['WebFetch(domain:https://example.com)', 16, /host/],
    ['WebFetch(domain:a..b)', 16, /host/],
    ['Read(!secrets)', 5, /!/],
    ['Read(a/../b)', 7, /\.\./],
    ['Edit([z-a].ts)', 5, /\[/],
    ['mcp__github(x)', 11, /nothing|none|\bno\b|without/i],
    ['Config(x)', 7, /parameter/i],
  ] as const)('says where %j goes wrong: at %i', async ([text, position, expected]) => {
    const fault = await faultOf(text)
    expect(fault.position, 'the position').toBe(position)
    expect(fault.expected, 'what was expected').toMatch(expected)
    expect(fault.message, 'the message names the rule').toContain(JSON.stringify(text))
    expect(fault.rule).toBe(text)
  })

  it('names the source of a rule among others that cannot be read', async () => {
    const rules = [
      { text: 'Bash(ls)', behavior: 'allow', source: 'user' },
      { text: 'Bash(ls', behavior: 'deny', source: 'policy' },
    ] as const
    const message = await errorOf(() => readRules(rules))
    expect(message).toContain('"Bash(ls"')
    expect(message).toContain('policy')
    expect(readRules(rules.slice(0, 1))[0].rule.toolName).toBe('Bash')
  })
})
