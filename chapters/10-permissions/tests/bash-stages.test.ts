import { mkdir, symlink } from 'node:fs/promises'
import { openBashCall } from '#10-permissions/bash-call.ts'
import {
  BASH_STAGES,
  judgeAllowRules,
  judgeAskRules,
  judgeDenyRules,
  judgeMode,
  judgeReading,
  judgeTargets,
} from '#10-permissions/bash-rules.ts'
import { describe, expect, it } from '#support/test.ts'
import { readCommand } from '../given/bash-parts.ts'
import type { PermissionContext, Verdict } from '../given/types.ts'
import { activeRules, type Rules, toolNamed, WORLD } from './setup.ts'

const Bash = toolNamed('Bash')

function callOf(line: string, rules: Rules = {}, context: Partial<PermissionContext> = {}) {
  return openBashCall(line, { tool: Bash, context: { ...WORLD, ...context }, rules: activeRules(rules) })
}

/** What the six stages say of a line, and which of them. */
function judged(
  line: string,
  rules: Rules = {},
  context: Partial<PermissionContext> = {},
): Verdict & { stage: string } {
  const call = callOf(line, rules, context)
  for (const stage of BASH_STAGES) {
    const verdict = stage.judge(call)
    if (verdict) return { ...verdict, stage: stage.name }
  }
  return expect.fail('the last stage must have a verdict')
}

/** Those lines of which the stages say something else. */
function wrong(
  lines: string[],
  behavior: string,
  rules: Rules = {},
  context: Partial<PermissionContext> = {},
): string[] {
  return lines.filter((line) => judged(line, rules, context).behavior !== behavior)
}

const NPM = { allow: ['Bash(npm test *)'] }
const RM = { deny: ['Bash(rm *)'] }

describe('task 4: deny rules and ask rules', () => {
  it('denies whatever part of a line a deny rule is about, in every mode', () => {
    const lines = ['rm x', 'npm test && rm x', 'cd src && ls | rm x', 'echo $(rm x)', 'while :; do rm x; done']
    for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const) {
      expect(wrong(lines, 'deny', { ...RM, allow: ['Bash'] }, { mode }), mode).toEqual([])
    }
  })

  it('denies what a careless look finds where nobody can read the line', () => {
    const lines = ['echo "unterminated; rm x', 'rm x\u200b', "echo 'a' \\\n; rm x", `${'true && '.repeat(100)}rm x`]
    expect(wrong([...lines, 'cat <<E\n$(rm x)\nE', `${'a'.repeat(20_000)}; rm x`], 'deny', RM)).toEqual([])
  })

  it('denies with the rule that did it', () => {
    expect(judgeDenyRules(callOf('ls && rm x', RM))).toMatchObject({
      behavior: 'deny',
      reason: { type: 'rule', rule: 'Bash(rm *)', source: 'user' },
      why: expect.stringContaining('rm x'),
    })
    expect(judgeDenyRules(callOf('ls', RM))).toBeUndefined()
  })

  it('denies a line whose continuation makes the command', () => {
    expect(judged('r\\\nm -rf x', RM).behavior).toBe('deny')
  })

  it('denies for the whole line', () => {
    expect(judged('curl x | sh', { deny: ['Bash(* | sh)'] }).behavior).toBe('deny')
    expect(judged('ls', { deny: ['Bash'] }).behavior).toBe('deny')
    expect(judged('ls', { deny: ['*'] }).behavior).toBe('deny')
  })

  it('denies a command that reads a file which Read is denied', () => {
    const lines = ['cat .env', 'grep x a/.env', 'cp .env x', 'cat < .env', 'cat src/../.env', 'python x.py .env']
    expect(wrong([...lines, 'cd a && cat .env', 'sudo cat .env'], 'deny', { deny: ['Read(.env)'] })).toEqual([])
    const home = ['cat ~/.ssh/id', 'cat $HOME/.ssh/id', 'head "$HOME"/.ssh/id', 'cat /home/u/.ssh/id']
    expect(wrong(home, 'deny', { deny: ['Read(~/.ssh/**)'] })).toEqual([])
    expect(judged('echo .env', { deny: ['Read(.env)'] }).behavior, 'a word that is no file').toBe('allow')
  })

  it('denies a command that writes a file which Edit is denied', () => {
    const lines = ['echo x > secrets/k', 'echo x >> secrets/k', 'tee secrets/k', 'cp a secrets/k', 'mv a secrets/k']
    const more = ['cd secrets && echo x > k', 'sed -i s/a/b/ secrets/k', 'ls &> secrets/k', 'sudo tee secrets/k']
    expect(wrong([...lines, ...more], 'deny', { allow: ['Bash'], deny: ['Edit(secrets/**)'] })).toEqual([])
    expect(judged('cat secrets/k', { deny: ['Edit(secrets/**)'] }).behavior, 'reading is no editing').toBe('allow')
  })

  it.skipIf(process.platform === 'win32')('denies by what a pattern or a link brings', async ({ workspace }) => {
    const world = { roots: [workspace.root], cwd: workspace.root }
    await workspace.write('.env', 'x')
    await symlink('.env', workspace.path('k'))
    expect(wrong(['cat .e*', 'cat k', 'cat < k'], 'deny', { deny: ['Read(.env)'] }, world)).toEqual([])
  })

  it('asks for an ask rule, whatever allows the line, in every mode', () => {
    const rules = { allow: ['Bash', 'Bash(git push origin x)'], ask: ['Bash(git push *)'] }
    const lines = ['git push origin x', 'ls && git push', 'git -C d push']
    for (const mode of ['default', 'bypassPermissions'] as const) {
      expect(wrong(lines, 'ask', rules, { mode }), mode).toEqual([])
    }
    expect(judged('ls -la', { ask: ['Bash(ls *)'] }).behavior, 'a command that only reads').toBe('ask')
    expect(judgeAskRules(callOf('ls', rules))).toBeUndefined()
  })

  it('asks about a rule that may be meant in what another shell is given', () => {
    const rules = { ...RM, allow: ['Bash'] }
    expect(
      wrong(["bash -c 'rm x'", 'sh -c "ls; rm x"', 'eval "rm x"', 'bash -c "sh -c \'rm x\'"'], 'ask', rules),
    ).toEqual([])
    expect(judged("bash -c 'rm x'", rules).reason).toMatchObject({ type: 'rule', rule: 'Bash(rm *)' })
    const files = { allow: ['Bash'], deny: ['Read(.env)'] }
    expect(wrong(["bash -c 'cat .env'", 'eval "cat < a; cd a; cat .env"'], 'ask', files)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('asks about a folder that holds what is denied', async ({ workspace }) => {
    const world = { roots: [workspace.root], cwd: workspace.root }
    await workspace.write('app/config/.env', 'x')
    await workspace.write('src/a.ts', 'x')
    await symlink('../app', workspace.path('src/far'))
    const rules = { allow: ['Bash'], deny: ['Read(.env)'] }
    const lines = [
      'grep -r x .',
      'grep -Rn x app',
      'rg x',
      'rg x app',
      'git grep x',
      'ls -a | xargs cat',
      'cp -r app b',
    ]
    const more = [
      'find . -name .e* -exec cat {} +',
      'sudo grep --recursive x',
      "bash -c 'rg x'",
      'grep -r x src',
      'tar c app',
    ]
    expect(wrong([...lines, ...more], 'ask', rules, world)).toEqual([])
    expect(wrong(lines, 'ask', rules, { ...world, mode: 'bypassPermissions' }), 'in every mode').toEqual([])
    expect(judged('grep -r x .', rules, world)).toMatchObject({ reason: { type: 'rule', rule: 'Read(.env)' } })
    expect(wrong(['grep -r x app/b', 'grep x src/a.ts', 'ls -R', 'find .'], 'allow', rules, world)).toEqual([])
    expect(wrong(['rm -rf app', 'mv app b'], 'ask', { allow: ['Bash'], deny: ['Edit(.env)'] }, world)).toEqual([])
    expect(wrong(['grep -r x .', 'rg x'], 'allow', { allow: ['Bash'] }, world), 'nothing is denied').toEqual([])
  })
})

describe('task 4: can it be parsed', () => {
  it('asks about what nobody can read, whatever the rules allow', () => {
    const lines = ['echo "unterminated', 'echo a\u200bb', 'if', 'cat <<E\n$(x)\nE']
    expect(wrong(lines, 'ask', { allow: ['Bash(echo *)', 'Bash(cat *)'] })).toEqual([])
    expect(judgeReading(callOf('echo "x', NPM))).toMatchObject({ behavior: 'ask', reason: { type: 'safety' } })
    expect(judgeReading(callOf('echo x', NPM))).toBeUndefined()
  })

  it('asks where only the shell can tell which program it is', () => {
    expect(wrong(['$X y', '$(echo rm) x', '{rm,-rf,x}'], 'ask', { allow: ['Bash'] })).toEqual([])
  })

  it('asks where a rule may be hidden in a word', () => {
    const rules = { allow: ['Bash'], deny: ['Bash(git push *)'] }
    expect(wrong(['git $X', 'curl x | sh', 'git "$(x)" origin'], 'ask', rules)).toEqual([])
    expect(judged('npm $X', rules).behavior, 'no rule is about npm').toBe('allow')
  })

  it('asks about git in a folder that the line has gone to', () => {
    expect(wrong(['cd a && git status', 'cd a; ls; git commit -m x'], 'ask', { allow: ['Bash(git *)'] })).toEqual([])
    expect(judged('git status').behavior).toBe('allow')
  })

  it('asks in bypassPermissions only where there is a rule that may be meant', () => {
    const mode = 'bypassPermissions'
    expect(judged('echo "x', {}, { mode }).behavior).toBe('allow')
    expect(judged('echo "x', RM, { mode }).behavior).toBe('ask')
    expect(judged('echo "x', { ask: ['Bash(git push *)'] }, { mode }).behavior, 'an ask rule').toBe('ask')
    expect(judged('cat .env; echo "x', { deny: ['Read(.env)'] }, { mode }).behavior, 'one about files').toBe('ask')
    expect(judged('echo "x', { allow: ['Bash', 'Read'] }, { mode }).behavior, 'one that allows').toBe('allow')
  })

  it('asks about a file that only the shell can tell where files are denied', () => {
    const rules = { allow: ['Bash'], deny: ['Read(.env)'] }
    expect(wrong(['cat $X', 'cat "$(ls)"', 'grep x < $X'], 'ask', rules)).toEqual([])
    expect(judged('cat $X', rules, { mode: 'bypassPermissions' }).behavior).toBe('ask')
    expect(judged('cat $X', { allow: ['Bash'], deny: ['Edit(a)'] }).behavior, 'it is not about reading').toBe('allow')
  })

  it('asks about a line that would take long to look through', () => {
    const files = (count: number) => `cat ${'a '.repeat(count)}`
    const many = [
      files(550),
      `${'cd a; '.repeat(5)}${files(100)}`,
      `cat ${'*/*/* '.repeat(11)}`,
      `npm test ${'x'.repeat(5_000)}`,
    ]
    expect(wrong([...many, `${'npm test; '.repeat(600)}ls`], 'ask', { allow: ['Bash'] })).toEqual([])
    expect(judged(many[0], { allow: ['Bash'] }).reason, 'no rule lifts that').toEqual({ type: 'safety' })
    expect(wrong([`${files(550)}; rm x`, `${files(5_000)}; rm x`], 'deny', RM), 'a careless look').toEqual([])
    expect(wrong([files(100), `${'npm test; '.repeat(9)}ls`], 'allow', NPM)).toEqual([])
    expect(readCommand("bash -c 'a'; ".repeat(21)), 'shells').toMatchObject({ handsOnUnseen: true })
  })

  it.skipIf(process.platform === 'win32')(
    'asks where an earlier cd has led out, or to another repository',
    async ({ workspace }) => {
      const world = { roots: [workspace.root], cwd: workspace.root }
      await mkdir(workspace.path('src'))
      await mkdir(workspace.path('.git'))
      await mkdir(workspace.path('vendor/lib/.git'), { recursive: true })
      await mkdir(workspace.path('bare/objects'), { recursive: true })
      await workspace.write('bare/HEAD', 'ref: x')
      await mkdir(workspace.path('../out'))
      const from = (folder: string) => ({ ...world, shellCwd: workspace.path(folder) })
      const rules = { allow: ['Bash(git *)', 'Bash(npm test *)'] }
      for (const folder of ['../out', '..']) {
        expect(wrong(['git status', 'ls', 'npm test', 'echo a'], 'ask', rules, from(folder)), folder).toEqual([])
        const back = { allow: ['Bash(cd *)'] }
        expect(wrong([`cd ${workspace.root}`], 'allow', back, from(folder)), 'it may go back').toEqual([])
      }
      for (const folder of ['vendor/lib', 'bare']) {
        expect(wrong(['git status', 'git commit -m x'], 'ask', rules, from(folder)), folder).toEqual([])
        expect(wrong(['ls', 'npm test'], 'allow', rules, from(folder)), folder).toEqual([])
      }
      for (const folder of ['.', 'src'])
        expect(wrong(['git status', 'ls'], 'allow', {}, from(folder)), folder).toEqual([])
      const open = { allow: ['Read(../out/**)', 'Bash(npm test *)'] }
      expect(wrong(['ls', 'npm test'], 'allow', open, from('../out')), 'a rule for Read opens the folder').toEqual([])
    },
  )
})

describe('task 4: where it writes', () => {
  it('asks about a target outside, which no rule for the command allows', () => {
    const lines = ['npm test > /etc/x', 'npm test >> ~/x', 'npm test 2> ../x', 'npm test > $X', 'npm test >| /etc/x']
    expect(
      wrong([...lines, 'npm test &> /etc/x', 'npm test < /etc/passwd', 'cd .. && npm test > x'], 'ask', NPM),
    ).toEqual([])
    expect(judgeTargets(callOf('npm test > /etc/x', NPM))).toMatchObject({ why: expect.stringContaining('/etc/x') })
    expect(judgeTargets(callOf('npm test > /etc/x', NPM))?.reason, 'a hook may answer that').toEqual({
      ...{ type: 'mode', mode: 'default' },
    })
  })

  it('has nothing against a target in the workspace, nor against none', () => {
    const lines = ['npm test > out.txt', 'npm test > /dev/null', 'npm test 2>&1', 'npm test < in.txt']
    expect(wrong(lines, 'allow', NPM)).toEqual([])
    expect(judged('npm test > /data/x', { allow: [...NPM.allow, 'Edit(//data/**)'] }).behavior).toBe('allow')
  })

  it('asks about a protected name, whatever the rules allow', () => {
    const lines = ['echo x > .git/config', 'touch .git/x', 'cp a .mcp.json', 'rm -rf .git', 'cd .claude && touch x']
    for (const mode of ['default', 'acceptEdits'] as const) {
      expect(wrong(lines, 'ask', { allow: ['Bash', 'Edit'] }, { mode }), mode).toEqual([])
    }
    expect(judged('touch .git/x', {}, { mode: 'bypassPermissions' }).behavior).toBe('allow')
    expect(judged('touch .git/x').reason).toEqual({ type: 'safety' })
  })

  it('asks about a removal that nobody wants unasked, in every mode', () => {
    const lines = ['rm -rf ~', 'rm -rf /', 'rm -rf /*', 'rm -rf ~/*', 'rm -rf "$HOME"', 'rm -rf /etc', 'rm -rf ..']
    const more = [
      'sudo rm -rf /',
      'rm -rf "$DIR"/*',
      'rm -rf $X',
      'echo "$(rm -rf ~)"',
      'cd / && rm -rf *',
      'rmdir /home',
    ]
    const hidden = ["bash -c 'rm -rf ~'", 'rm -rf .', 'rm -rf /srv/proj', 'rm -rf -- //', 'rm -rf a/../..']
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const) {
      expect(wrong([...lines, ...more, ...hidden], 'ask', { allow: ['Bash'] }, { mode }), mode).toEqual([])
    }
    expect(judged('rm -rf ~', { allow: ['Bash'] }).reason).toEqual({ type: 'safety' })
    expect(wrong(['rm -rf build', 'rm a/b', 'rm -rf /srv/proj/x'], 'allow', { allow: ['Bash(rm *)'] })).toEqual([])
  })
})

describe('task 4: allow rules', () => {
  it('allows a line each part of which is covered, or only reads', () => {
    const lines = ['npm test', 'npm test && npm test -- x', 'npm test | grep x', 'cd src && npm test', '(npm test; ls)']
    const more = [
      'npm test 2>&1 | tail -5',
      'npm test || true',
      'npm test # note',
      'npm test \\\n  --watch',
      'npm test &',
    ]
    expect(wrong([...lines, ...more, 'ls | xargs npm test'], 'allow', NPM)).toEqual([])
    expect(judgeAllowRules(callOf('npm test', NPM))).toMatchObject({
      reason: { type: 'rule', rule: 'Bash(npm test *)' },
    })
  })

  it('allows no line with a part that is not covered', () => {
    const joined = ['&&', '||', '|', '|&', '&', ';', '\n'].map((operator) => `npm test ${operator} curl x`)
    const more = ['npm test $(curl x)', 'npm test `curl x`', 'npm test <(curl x)', 'npm test # ok\ncurl x']
    expect(wrong([...joined, ...more], 'ask', NPM)).toEqual([])
    expect(judgeAllowRules(callOf('npm test && curl x', NPM))).toBeUndefined()
  })

  it('allows no part that reads outside the workspace without a rule of its own', () => {
    expect(wrong(['npm test | cat /etc/passwd', 'npm test; head ~/x', 'ls ..; npm test'], 'ask', NPM)).toEqual([])
    expect(judged('npm test | cat /etc/passwd', { allow: [...NPM.allow, 'Bash(cat *)'] }).behavior).toBe('allow')
  })

  it('allows no line that is more than its parts', () => {
    const lines = [
      'npm() { curl x; }; npm test',
      'PATH=/x; npm test',
      'export A=1; npm test',
      'if npm test; then ls; fi',
    ]
    expect(wrong([...lines, 'for i in a b; do npm test; done', 'alias npm=x; npm test'], 'ask', NPM)).toEqual([])
  })

  it('does not take what only reads for free where the line writes to a file', () => {
    expect(judged('npm test && echo x > a', NPM).behavior).toBe('ask')
    expect(judged('npm test && echo x > a', { allow: [...NPM.allow, 'Edit(a)'] }).behavior).toBe('allow')
  })

  it('allows by a rule for the whole line, word for word', () => {
    const rules = { allow: ['Bash(cd src && make)'] }
    expect(judged('cd src && make', rules).behavior).toBe('allow')
    expect(judged('cd src && make x', rules).behavior).toBe('ask')
    const loop = { allow: ['Bash(for i in \\*; do x; done)'] }
    expect(wrong(['for i in *; do x; done', ' for i in *; do x; done\n'], 'allow', loop), 'blanks, a star').toEqual([])
    expect(judged('for i in a; do x; done', loop).behavior, 'another word for the star').toBe('ask')
    expect(judged('while true; do x; done', { allow: ['Bash'] }).behavior, 'a rule for all of Bash').toBe('allow')
  })

  it('allows nothing in plan', () => {
    expect(judged('npm test', NPM, { mode: 'plan' }).behavior).toBe('ask')
    expect(judged('npm test', { allow: ['Bash'] }, { mode: 'plan' }).behavior).toBe('ask')
    expect(judged('ls', NPM, { mode: 'plan' }).behavior, 'it changes nothing').toBe('allow')
  })
})

describe('task 4: mode and read-only', () => {
  it('allows in every mode what changes nothing', () => {
    for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const) {
      expect(
        wrong(['ls -la', 'git status', 'cat a | grep b', 'find . -name x', 'cd src && ls'], 'allow', {}, { mode }),
      ).toEqual([])
    }
  })

  it('asks about a command that only reads, and writes to a file by a redirection', () => {
    for (const mode of ['default', 'plan', 'dontAsk'] as const) {
      expect(wrong(['echo x > a', 'ls >> a', 'cat a 2> b'], 'ask', {}, { mode }), mode).toEqual([])
    }
  })

  it('asks about a command that reads outside the workspace, unless a rule for Read allows it', () => {
    expect(wrong(['cat /etc/hosts', 'ls ..', 'cat ~/x', 'cd /tmp && ls', 'find / -name x'], 'ask')).toEqual([])
    expect(judged('cat /etc/hosts', { allow: ['Read(//etc/**)'] }).behavior).toBe('allow')
  })

  it('lets acceptEdits change files in the workspace, and nothing else', () => {
    const mode = 'acceptEdits'
    const lines = [
      'mkdir -p a/b',
      'touch a b',
      'rm -rf a',
      'mv a b',
      'cp -r a b',
      'sed -i s/a/b/ f',
      'echo x > a',
      'cat a > b',
    ]
    expect(wrong([...lines, 'mkdir a && touch a/b', 'cd src && touch a'], 'allow', {}, { mode })).toEqual([])
    const outside = [
      'touch ../a',
      'rm -rf ../x',
      'cp a /etc/b',
      'cp /etc/passwd a',
      'cd .. && touch a',
      'cd - && touch a',
    ]
    const odd = [
      'touch $X',
      'rm *.log',
      'cp -t /etc a',
      'sed -i s/a/b/e f',
      "echo x | sed 's/x/y/w .claude/s'",
      'ln -s /etc a',
    ]
    expect(wrong([...outside, ...odd, 'npm install', 'chmod 777 a', 'mkdir a; curl x'], 'ask', {}, { mode })).toEqual(
      [],
    )
    const more = [
      'touch() { mkdir x; }; touch a',
      'for f in a b; do touch c; done',
      'PATH=x; touch a',
      'if touch a; then ls; fi',
    ]
    expect(wrong(more, 'ask', {}, { mode }), 'more than its parts').toEqual([])
    const led = ['touch a > /etc/x', 'mkdir a 2> ../x', 'cat a > ~/x', 'touch a < /etc/passwd']
    expect(wrong(led, 'ask', {}, { mode }), 'a redirection that leads outside').toEqual([])
    expect(judged('mkdir a').behavior, 'in default').toBe('ask')
  })

  it('allows everything else in bypassPermissions, and asks in default', () => {
    expect(judgeMode(callOf('curl x', {}, { mode: 'bypassPermissions' })).behavior).toBe('allow')
    expect(judgeMode(callOf('curl x'))).toMatchObject({ behavior: 'ask', reason: { type: 'mode', mode: 'default' } })
  })

  it('suggests a rule for the one part that is open', () => {
    expect(judged('npm i').suggestion).toBe('Bash(npm i)')
    expect(judged('ls | sort && npm i', NPM).suggestion).toBe('Bash(npm i)')
    expect(judged('npm test && npm i', NPM).suggestion).toBe('Bash(npm i)')
  })

  it('suggests nothing where one rule would not do, or would do more', () => {
    const lines = ['npm i && npm x', 'npm i > a', 'for i in a; do npm i; done', 'echo $(npm i)', 'npm $X', 'rm -rf ~']
    expect(lines.filter((line) => judged(line).suggestion !== undefined)).toEqual([])
    expect(judged('npm i', {}, { mode: 'plan' }).suggestion, 'no rule allows anything in plan').toBeUndefined()
    expect(judged('git push', { ask: ['Bash(git push *)'] }).suggestion, 'no rule lifts an ask rule').toBeUndefined()
  })

  it('allows a line once its suggestion is a rule', () => {
    for (const line of ['npm i', 'npm test; FOO=1 npm i', 'rm *.log | cat', 'find . -delete', 'node -e "f(1)"']) {
      const { suggestion } = judged(line, NPM)
      expect(suggestion, line).toBeDefined()
      expect(judged(line, { allow: [...NPM.allow, suggestion!] }).behavior, line).toBe('allow')
    }
  })
})
