import { mkdir, symlink } from 'node:fs/promises'
import { createCanUseTool, decide } from '#10-permissions/decide.ts'
import { createContext } from '#support/context.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import type { PermissionContext, PermissionDecision } from '../given/types.ts'
import { BASH_CASES, CALL_CASES } from './cases.ts'
import { inputOf, type Rules, settings, toolNamed, WORLD } from './setup.ts'

function decided(tool: string, about: string, rules: Rules = {}, context: Partial<PermissionContext> = {}) {
  return decide(toolNamed(tool), inputOf(tool, about), { ...WORLD, rules: settings(rules), ...context })
}

async function behaviorOf(decision: Promise<PermissionDecision>): Promise<string> {
  return (await decision).behavior
}

describe('task 5: decide', () => {
  it.for(CALL_CASES)('says %s of %s %j: %s', async ([behavior, tool, about, , rules, context]) => {
    expect(await behaviorOf(decided(tool, about, rules, context))).toBe(behavior)
  })

  it.for(BASH_CASES)('says %s of the command %j: %s', async ([behavior, command, , rules, context]) => {
    expect(await behaviorOf(decided('Bash', command, rules, context))).toBe(behavior)
  })

  it('lets a deny rule of any source deny, whatever the others allow', async () => {
    for (const source of ['user', 'project', 'local', 'policy', 'session', 'cli'] as const) {
      for (const other of ['user', 'project', 'policy'] as const) {
        const rules = [...settings({ allow: ['Bash(npm x)'] }, other), ...settings({ deny: ['Bash(npm *)'] }, source)]
        for (const order of [rules, rules.toReversed()]) {
          expect(await behaviorOf(decided('Bash', 'npm x', {}, { rules: order })), `${source} ${other}`).toBe('deny')
        }
      }
    }
  })

  it('lets no rule of a repository allow that nobody trusts', async () => {
    for (const source of ['project', 'local'] as const) {
      const context = (trusted: boolean) => ({ rules: settings({ allow: ['Bash'] }, source), trusted })
      expect(await behaviorOf(decided('Bash', 'npm x', {}, context(false))), source).toBe('ask')
      expect(await behaviorOf(decided('Bash', 'npm x', {}, context(true))), source).toBe('allow')
    }
    const own = { rules: settings({ allow: ['Bash'] }, 'user'), trusted: false }
    expect(await behaviorOf(decided('Bash', 'npm x', {}, own)), "the user's own rule").toBe('allow')
  })

  it('lets a repository that nobody trusts deny and ask', async () => {
    for (const source of ['project', 'local'] as const) {
      const context = (rules: Rules) => ({ rules: settings(rules, source), trusted: false })
      expect(await behaviorOf(decided('Bash', 'ls', {}, context({ deny: ['Bash(ls *)'] }))), source).toBe('deny')
      expect(await behaviorOf(decided('Bash', 'ls', {}, context({ ask: ['Bash(ls *)'] }))), source).toBe('ask')
    }
  })

  it('refuses to decide anything while a rule cannot be read', async () => {
    const message = await errorOf(() => decided('Read', 'a.ts', { deny: ['Bash(rm'] }))
    expect(message).toContain('"Bash(rm"')
    expect(message).toContain('user')
    const unread = { rules: settings({ allow: ['Bash(x'] }, 'local'), trusted: false }
    expect(await errorOf(() => decided('Read', 'a.ts', {}, unread)), 'one that does not apply').toContain('"Bash(x"')
  })

  it('denies in dontAsk what would be a question', async () => {
    const mode = 'dontAsk'
    expect(await behaviorOf(decided('Bash', 'npm x', {}, { mode }))).toBe('deny')
    expect(await behaviorOf(decided('Bash', 'ls', { ask: ['Bash(ls *)'] }, { mode })), 'by a rule').toBe('deny')
    expect(await behaviorOf(decided('Edit', '.git/x', { allow: ['Edit'] }, { mode })), 'for safety').toBe('deny')
    expect(await behaviorOf(decided('Bash', 'ls', {}, { mode })), 'what only reads').toBe('allow')
    expect(await behaviorOf(decided('Bash', 'npm x', { allow: ['Bash(npm x)'] }, { mode }))).toBe('allow')
    const denied = (await decided('Bash', 'npm x', {}, { mode })) as { message: string }
    expect(denied.message).toMatch(/dontAsk/)
    const pushed = await decided('Bash', 'git push', { ask: ['Bash(git push *)'] }, { mode })
    expect(pushed, 'it says why there was a question').toMatchObject({
      message: expect.stringContaining('Bash(git push *)'),
      decisionReason: { type: 'rule', rule: 'Bash(git push *)' },
    })
    expect(
      pushed.trace.map(({ outcome }) => outcome),
      'the question, and what came of it',
    ).toEqual(['pass', 'ask', 'deny'])
    expect((await decided('Bash', 'rm -rf ~', {}, { mode })).decisionReason).toEqual({ type: 'safety' })
  })

  it("counts the tool's own deny and ask, and takes its allow for no objection", async () => {
    const own = (behavior: string) =>
      toolNamed('Config', {
        checkPermissions: async (input: any) => ({ behavior, message: 'own', updatedInput: input }) as any,
      })
    const run = (behavior: string, rules: Rules, context: Partial<PermissionContext> = {}) =>
      behaviorOf(decide(own(behavior), {}, { ...WORLD, rules: settings(rules), ...context }))
    expect(await run('deny', { allow: ['Config'] })).toBe('deny')
    expect(await run('ask', { allow: ['Config'] })).toBe('ask')
    expect(await run('allow', {})).toBe('ask')
    expect(await run('allow', { allow: ['Config'] })).toBe('allow')
    expect(await run('ask', { deny: ['Config'] }), 'the stricter counts').toBe('deny')
    expect(await run('deny', { ask: ['Config'] })).toBe('deny')
    expect(await run('deny', {}, { mode: 'bypassPermissions' })).toBe('deny')
    expect(await run('nonsense', { allow: ['Config'] }), 'nonsense is no yes').toBe('ask')
  })

  it('lets the stages have the word where the tool is as strict, and notes what the tool says', async () => {
    const own = (behavior: string) =>
      toolNamed('Config', { checkPermissions: async () => ({ behavior, message: 'own words' }) as any })
    const run = (behavior: string, rules: Rules) => decide(own(behavior), {}, { ...WORLD, rules: settings(rules) })
    for (const behavior of ['ask', 'deny'] as const) {
      const both = await run(behavior, { [behavior]: ['Config'] })
      expect(both.decisionReason, behavior).toEqual({ type: 'rule', rule: 'Config', source: 'user' })
      const milder = await run(behavior, { allow: ['Config'] })
      expect(milder.decisionReason, behavior).toEqual({ type: 'tool' })
      for (const { trace } of [both, milder]) {
        expect(trace.at(-1), 'the last step').toMatchObject({
          outcome: behavior,
          why: expect.stringContaining('own words'),
        })
      }
      expect(
        milder.trace.some(({ outcome }) => outcome === 'allow'),
        'and the stage that allowed',
      ).toBe(true)
    }
    const without = await decided('Config', '', { allow: ['Config'] })
    expect(without.trace.at(-1), 'no objection leaves no step').toMatchObject({ outcome: 'allow' })
  })

  it('gives the tool’s own check the input and the context of the call', async () => {
    const seen: unknown[][] = []
    const asked = toolNamed('Config', {
      checkPermissions: async (...all: unknown[]) => {
        seen.push(all)
        return { behavior: 'allow', updatedInput: {} } as any
      },
    })
    const toolContext = createContext('/elsewhere')
    await decide(asked, { a: 1 }, { ...WORLD, toolContext })
    await decide(asked, { a: 2 }, WORLD)
    expect(seen[0]).toEqual([{ a: 1 }, toolContext])
    expect(seen[0][1], 'the very same').toBe(toolContext)
    expect(seen[1], 'an empty one without').toMatchObject([{ a: 2 }, { cwd: WORLD.cwd }])
  })

  it('asks about a tool whose own check throws', async () => {
    const broken = toolNamed('Config', { checkPermissions: () => Promise.reject(new Error('broken')) })
    const decision = await decide(broken, {}, { ...WORLD, rules: settings({ allow: ['Config'] }) })
    expect(decision).toMatchObject({ behavior: 'ask', message: expect.stringContaining('broken') })
  })

  it('says what only the mode asks about, so that a hook may answer that and nothing else', async () => {
    const reasonOf = async (about: string, rules: Rules = {}) => (await decided('Bash', about, rules)).decisionReason
    expect(await reasonOf('npm x')).toEqual({ type: 'mode', mode: 'default' })
    expect(await reasonOf('git push', { ask: ['Bash(git push *)'] })).toMatchObject({ type: 'rule' })
    expect(await reasonOf('rm -rf ~')).toEqual({ type: 'safety' })
    const asking = toolNamed('Config', { checkPermissions: async () => ({ behavior: 'ask', message: 'sure?' }) as any })
    const both = await decide(asking, {}, WORLD)
    expect(both.decisionReason, 'the tool asks, and so does the mode').toEqual({ type: 'tool' })
  })

  it('allows the input as it came', async () => {
    const input = { command: 'ls', extra: 1 }
    const decision = await decide(toolNamed('Bash'), input, WORLD)
    expect(decision).toMatchObject({ behavior: 'allow', updatedInput: input })
  })

  it('writes out the home folder in the input that it allows', async () => {
    const decision = await decided('Read', '~/notes/a.md', { allow: ['Read(~/notes/**)'] })
    expect(decision).toMatchObject({ behavior: 'allow', updatedInput: { file_path: '/home/u/notes/a.md' } })
  })

  it('names the tool and the reason in what it tells the model or the person', async () => {
    const denied = (await decided('Bash', 'ls && rm x', { deny: ['Bash(rm *)'] })) as { message: string }
    for (const word of ['Bash', 'rm x', 'Bash(rm *)']) expect(denied.message).toContain(word)
    const asked = (await decided('Write', '.git/x')) as { message: string }
    for (const word of ['Write', '.git']) expect(asked.message).toContain(word)
  })

  it('tells the stages that it went through, and the rule that decided', async () => {
    const { trace } = await decided('Bash', 'npm x', { allow: ['Bash(npm *)'] })
    expect(trace.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'pass', 'pass', 'allow'])
    expect(trace.at(-1)).toMatchObject({ stage: 'allow rules', rule: 'Bash(npm *)', source: 'user' })
    const denied = await decided('Bash', 'npm x', { deny: ['Bash'] })
    expect(denied.trace).toMatchObject([{ stage: 'deny rules', outcome: 'deny', rule: 'Bash' }])
    const files = await decided('Edit', 'a.ts', {}, { mode: 'dontAsk' })
    expect(files.trace.at(-1), 'what dontAsk makes of it').toMatchObject({ outcome: 'deny' })
    expect(files.trace.every(({ why, stage }) => why !== '' && stage !== '')).toBe(true)
  })

  it('suggests the narrowest rule that would allow the call', async () => {
    const suggested = async (tool: string, about: string) => ((await decided(tool, about)) as any).suggestion
    expect(await suggested('Read', '/data/a[1]*.txt')).toBe('Read(//data/a\\[1]\\*.txt)')
    expect(await suggested('Edit', 'src/a.ts')).toBe('Edit(//srv/proj/src/a.ts)')
    expect(await suggested('Write', 'src/a.ts')).toBe('Edit(//srv/proj/src/a.ts)')
    expect(await suggested('WebFetch', 'https://Example.com:8080/x')).toBe('WebFetch(domain:example.com)')
    expect(await suggested('mcp__github__get', '')).toBe('mcp__github__get')
    for (const [tool, about] of [
      ['Edit', '.git/x'],
      ['Read', '~root/x'],
      ['WebFetch', 'https://a@b/'],
    ] as const) {
      expect(await suggested(tool, about), `${tool} ${about}`).toBeUndefined()
    }
  })

  it('allows a call once its suggestion is a rule', async () => {
    const calls = [
      ['Read', '/data/a[1]*.txt'],
      ['Write', 'src/a.ts'],
      ['WebFetch', 'https://example.com/'],
      ['mcp__a__b', ''],
    ]
    for (const [tool, about] of [...calls, ['Bash', 'npm run "a b"'], ['NotebookEdit', 'a.ipynb']]) {
      const { suggestion } = (await decided(tool, about)) as { suggestion: string }
      expect(await behaviorOf(decided(tool, about, { allow: [suggestion] })), `${tool} ${suggestion}`).toBe('allow')
    }
  })

  it.skipIf(process.platform === 'win32')('judges files by where their links lead', async ({ workspace }) => {
    const world = { roots: [workspace.root], cwd: workspace.root, home: workspace.path('../home') }
    await mkdir(workspace.path('docs'))
    await symlink('/etc/hosts', workspace.path('docs/link'))
    await symlink(workspace.path('../home/.ssh'), workspace.path('k'))
    await symlink('.git', workspace.path('g'))
    const say = (tool: string, path: string, rules: Rules, mode = 'acceptEdits' as const) =>
      behaviorOf(decided(tool, path, rules, { ...world, mode }))
    expect(await say('Edit', 'docs/link', { allow: ['Edit(docs/**)'] })).toBe('ask')
    expect(await say('Write', 'k/config', { allow: ['Edit(k/**)'], deny: ['Edit(~/.ssh/**)'] })).toBe('deny')
    expect(await say('Read', 'k/id', { deny: ['Read(~/.ssh/**)'] })).toBe('deny')
    expect(await say('Read', 'docs/link', {})).toBe('ask')
    expect(await say('Write', 'k/new/deep', {})).toBe('ask')
    expect(await say('Write', 'g/config', { allow: ['Edit'] })).toBe('ask')
    expect(await say('Write', 'docs/a', {})).toBe('allow')
  })

  it('looks at a folder that a search names, and at a pattern that climbs out', async () => {
    const search = async (input: Record<string, unknown>, rules: Rules = {}) =>
      behaviorOf(decide(toolNamed('Glob'), input, { ...WORLD, rules: settings(rules) }))
    expect(await search({ pattern: 'src/**/*.ts' })).toBe('allow')
    expect(await search({ pattern: '../**/*.env', path: '/srv/proj' })).toBe('ask')
    expect(await search({ pattern: '/etc/*' })).toBe('ask')
    expect(await search({ pattern: '*/../../x' })).toBe('ask')
    expect(await search({ pattern: '*', path: '/data' })).toBe('ask')
    expect(await search({ pattern: '*', path: 'secrets' }, { deny: ['Read(secrets/**)'] })).toBe('deny')
  })

  it('asks about a search of texts in a folder that holds what is denied', async ({ workspace }) => {
    await workspace.write('app/.env', 'x')
    await workspace.write('src/a.ts', 'x')
    const world = { ...WORLD, roots: [workspace.root], cwd: workspace.root }
    const search = (tool: string, input: Record<string, unknown>, rules: Rules) =>
      behaviorOf(decide(toolNamed(tool), { pattern: 'x', ...input }, { ...world, rules: settings(rules) }))
    const rules = { allow: ['Grep', 'Read'], deny: ['Read(.env)'] }
    expect(await search('Grep', {}, rules), 'without a path').toBe('ask')
    expect(await search('Grep', { path: 'app' }, rules)).toBe('ask')
    expect(await search('Grep', { path: 'app/.env' }, rules)).toBe('deny')
    expect(await search('Grep', { path: 'src' }, rules)).toBe('allow')
    expect(await search('Grep', {}, {}), 'nothing is denied').toBe('allow')
    expect(await search('Grep', {}, { deny: ['Edit(.env)'] }), 'a rule about edits').toBe('allow')
    expect(await search('Glob', {}, rules), 'names only').toBe('allow')
  })

  it('takes a tool by an old name and an alias, and a server’s tool by its own name only', async () => {
    const say = (tool: ReturnType<typeof toolNamed>, rules: Rules) =>
      behaviorOf(decide(tool, {}, { ...WORLD, rules: settings(rules) }))
    expect(await say(toolNamed('Agent'), { deny: ['Task'] })).toBe('deny')
    expect(await say(toolNamed('Agent'), { allow: ['Task'] })).toBe('allow')
    expect(await say(toolNamed('Notes', { aliases: ['Memo'] }), { deny: ['Memo'] })).toBe('deny')
    expect(await say(toolNamed('mcp__a__b', { aliases: ['Read'] }), { allow: ['Read'] })).toBe('ask')
    expect(await say(toolNamed('mcp__a__b', { aliases: ['Read'] }), { deny: ['Read'] })).toBe('deny')
  })

  it('asks canUseTool’s question from the folder where the shell is', async () => {
    const canUseTool = createCanUseTool(() => ({ ...WORLD, rules: settings({ deny: ['Edit(secrets/**)'] }) }))
    const bash = { cwd: '/srv/proj/secrets' }
    const context = createContext('/srv/proj', { getAppState: () => ({ bash }) })
    const answer = await canUseTool(toolNamed('Bash'), { command: 'echo x > k' }, context, {} as any)
    expect(answer.behavior).toBe('deny')
    const elsewhere = createContext('/srv/proj', { getAppState: () => ({ bash: { cwd: '/srv/proj' } }) })
    expect((await canUseTool(toolNamed('Bash'), { command: 'echo x > k' }, elsewhere, {} as any)).behavior).toBe('ask')
    const outside = createContext('/srv/proj', { getAppState: () => ({ bash: { cwd: '/srv/other' } }) })
    const git = await canUseTool(toolNamed('Bash'), { command: 'git status' }, outside, {} as any)
    expect(git, 'out of the workspace').toMatchObject({ behavior: 'ask', decisionReason: { type: 'safety' } })
  })
})
