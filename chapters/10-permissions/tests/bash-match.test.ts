import fc from 'fast-check'
import { commandFits, isCovered, isStruck, suggestRule } from '#10-permissions/bash-match.ts'
import { describe, expect, it } from '#support/test.ts'
import { type Part, readCommand } from '../given/bash-parts.ts'
import { activeRule, ended } from './setup.ts'

function partsOf(line: string): Part[] {
  const command = readCommand(line)
  return command.readable ? command.parts : expect.fail(`the test's command cannot be read: ${command.reason}`)
}

const struck = (rule: string, line: string) => partsOf(line).some((part) => isStruck(activeRule(rule).rule, part))
const covered = (rule: string, line: string) => partsOf(line).every((part) => isCovered(activeRule(rule).rule, part))

describe('task 2: matching commands', () => {
  it.for([
    ['npm test', 'npm test', true],
    ['npm test', 'npm test -- x', false],
    ['npm test *', 'npm test', true],
    ['npm test *', 'npm test --watch', true],
    ['npm test *', 'npm testx', false],
    ['ls *', 'lsof', false],
    ['ls*', 'lsof', true],
    ['npm run test*', 'npm run test src/a.ts', true],
    ['git * main', 'git push origin main', true],
    ['git * main', 'git main', false],
    ['* --version', 'node --version', true],
    ['*', '', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a b', false],
    ['a*b*c', 'abc', true],
    ['git:* push', 'git push', false],
    ['rm \\*', 'rm *', true],
    ['rm \\*', 'rm a', false],
    ['rm \\* *', 'rm * b', true],
    ['a.c', 'abc', false],
    ['echo *', 'echo a\nb', true],
  ] as const)('with the pattern %j and the command %j says %s', ([pattern, command, fits]) => {
    expect(commandFits(pattern, command)).toBe(fits)
  })

  it.for([
    ['git * main', 'git checkout main', true],
    ['git * main', 'git push origin main', false],
    ['* --version', 'node --version', true],
    ['* --version', 'rm -rf x --version', false],
    ['git * main *', 'git push origin main', false],
    ['git * main *', 'git push origin main -f', false],
    ['git * main *', 'git checkout main', true],
    ['git * main *', 'git checkout main a b', true],
    ['npm run test*', 'npm run test src/a.ts', true],
    ['npm * *', 'npm run a b c', true],
    ['a*b*c', 'a b c', false],
    ['a*b*c', 'axbbxc', true],
  ] as const)('with each star but one at the end within a word, %j and %j say %s', ([pattern, command, fits]) => {
    expect(commandFits(pattern, command, { inWord: true })).toBe(fits)
  })

  it('covers by a star within one word, and strikes by a star over many', () => {
    expect(covered('Bash(git * main)', 'git checkout main')).toBe(true)
    expect(covered('Bash(git * main)', 'git push origin main')).toBe(false)
    expect(struck('Bash(git * main)', 'git push origin main')).toBe(true)
  })

  it('takes no time over a pattern that is made to be hard', () => {
    const stars = `${'a*'.repeat(2_000)}b`
    expect(ended(() => commandFits(stars, 'a'.repeat(10_000)))).toBe(false)
    expect(ended(() => commandFits(stars, 'a'.repeat(10_000), { inWord: true }))).toBe(false)
    expect(ended(() => commandFits(`${'a*'.repeat(2_000)}`, 'a'.repeat(10_000)))).toBe(true)
  })

  it.for([
    ['as it is', 'rm -rf x'],
    ['alone', 'rm'],
    ['behind other commands', 'cd src && ls | rm x'],
    ['in a list of thirty', `${'true && '.repeat(30)}rm x`],
    ['in quotes', "'rm' x; r\\m x; r''m x"],
    ['with its folder', '/bin/rm x'],
    ['behind variables', 'A=1 B=2 rm x'],
    ['in a substitution', 'echo "$(rm x)"'],
    ['in backquotes', 'echo `rm x`'],
    ['in a process substitution', 'cat <(rm x)'],
    ['in a loop', 'for f in *; do rm $f; done'],
    ['in a function', 'f() { rm x; }; f'],
    ['behind sudo', 'sudo -u root rm x'],
    ['behind env', 'env -i A=1 rm x'],
    ['behind timeout', 'timeout -s KILL 5 rm x'],
    ['behind two of these', 'sudo nice -n 5 rm x'],
    ['behind xargs with options', 'ls | xargs -n1 rm'],
    ['behind find', 'find . -exec rm {} +'],
    ['behind a thousand variables', `env ${'A=1 '.repeat(1_000)}rm x`],
  ])('strikes a command %s', ([, line]) => {
    expect(struck('Bash(rm *)', line), line).toBe(true)
  })

  it('strikes git push behind options of git', () => {
    for (const line of ['git push', 'git -C d push', 'git --no-pager -c a=b push origin']) {
      expect(struck('Bash(git push *)', line), line).toBe(true)
    }
    expect(struck('Bash(git push *)', 'git commit -m push')).toBe(false)
  })

  it('strikes nothing else', () => {
    for (const line of ['echo rm x', 'rmdir x', 'grep -r rm .', 'ls ./rm', 'git rm x']) {
      expect(struck('Bash(rm *)', line), line).toBe(false)
    }
    expect(struck('Read(rm *)', 'rm x'), 'a rule about another tool').toBe(false)
    expect(struck('Bash', 'anything'), 'a rule about all of Bash').toBe(true)
  })

  it.for([
    ['more blanks', 'npm \t  test   -- x'],
    ['a quoted argument', 'npm test "a  b"'],
    ['nohup', 'nohup npm test'],
    ['a time limit', 'timeout -k 5 10s npm test'],
    ['nice and time', 'time nice -n 10 npm test'],
    ['stdbuf and command', 'stdbuf -oL command npm test'],
    ['xargs without options', 'xargs npm test'],
    ['a harmless variable', 'NODE_ENV=test CI=1 npm test'],
  ])('covers a command with %s', ([, line]) => {
    expect(covered('Bash(npm test *)', line), line).toBe(true)
  })

  it.for([
    ['another variable', 'LD_PRELOAD=./x.so npm test'],
    ['PATH', 'PATH=/tmp/evil npm test'],
    ['NODE_OPTIONS', 'NODE_OPTIONS=--require=./x npm test'],
    ['a variable that runs a command', 'NODE_ENV=$(id) npm test'],
    ['sudo', 'sudo npm test'],
    ['env', 'env npm test'],
    ['another shell', "bash -c 'npm test'"],
    ['its name in quotes', '"npm" test'],
    ['a backslash in its name', 'n\\pm test'],
    ['a folder before its name', './npm test'],
    ['xargs with an option', 'xargs -n1 npm test'],
  ])('does not cover a command with %s', ([, line]) => {
    expect(covered('Bash(npm test *)', line), line).toBe(false)
  })

  it('covers words as they are quoted, and no others that look alike without the quotes', () => {
    expect(covered('Bash(git log a b)', "git log 'a b'")).toBe(false)
    expect(covered("Bash(git log 'a b')", "git log 'a b'")).toBe(true)
    expect(covered("Bash(git log 'a b' *)", "git  log 'a b' -p")).toBe(true)
    expect(covered('Bash(git log a b *)', "git log 'a b' -p")).toBe(false)
    expect(covered('Bash(git * main)', 'git "push origin" main')).toBe(false)
  })

  it('covers programs that run or destroy what they are given by their whole text only', () => {
    for (const line of ['watch ls', 'setsid x', 'ionice x', 'flock f x', 'find . -delete', 'find . -exec rm {} +']) {
      const [name] = line.split(' ')
      expect(covered(`Bash(${name} *)`, line), line).toBe(false)
      expect(covered(`Bash(${line})`, line), `${line}, word for word`).toBe(true)
    }
    expect(covered('Bash(find *)', 'find . -name x'), 'a find that only looks').toBe(true)
    expect(covered('Bash(watch* *)', 'watch ls'), 'a star anywhere').toBe(false)
  })

  it('covers a command with variables by its whole text', () => {
    expect(covered('Bash(FOO=1 npm x)', 'FOO=1  npm x')).toBe(true)
    expect(covered('Bash(FOO=1 npm x)', 'FOO=2 npm x')).toBe(false)
  })

  it('covers everything by a rule for all of Bash, and nothing by one for another tool', () => {
    expect(covered('Bash', 'PATH=/x sudo watch y')).toBe(true)
    expect(covered('Read(npm test)', 'npm test')).toBe(false)
  })

  it('suggests a rule that covers the command', () => {
    for (const line of ['npm test', 'rm -rf *.log', 'FOO=1 npm x', 'find . -delete', 'node -e "f(1)"', 'watch ls']) {
      const [part] = partsOf(line)
      const suggested = suggestRule(part)
      expect(suggested, line).toMatch(/^Bash\(.+\)$/)
      expect(covered(suggested!, line), `${suggested} covers ${line}`).toBe(true)
    }
  })

  it('suggests nothing wider than the command', () => {
    const [part] = partsOf('rm *.log')
    const rule = suggestRule(part)!
    for (const line of ['rm a.log', 'rm -rf x.log', 'rm *.log b', 'rm *']) expect(covered(rule, line), line).toBe(false)
  })

  it('suggests nothing where only the shell can tell what would run', () => {
    for (const line of ['rm $X', 'rm "$(ls)"', 'A=$(x) npm y', 'A=$X npm y', 'A=`x` npm y', 'rm ~/x', 'ls \\*']) {
      expect(suggestRule(partsOf(line)[0]), line).toBeUndefined()
    }
    expect(suggestRule(partsOf('echo a:*')[0]) ?? 'Bash(echo a:\\*)', 'it may be escaped').toBe('Bash(echo a:\\*)')
  })

  it('suggests, whatever the words are, a rule that covers them and no other command', () => {
    const word = fc.stringMatching(/^[a-z][a-z*?:().,-]{0,5}$/)
    const line = fc.array(
      word.map((text) => `'${text}'`),
      { minLength: 1, maxLength: 3 },
    )
    for (const [words, others] of fc.sample(fc.tuple(line, line), { seed: 10, numRuns: 200 })) {
      const [one, other] = [`x ${words.join(' ')}`, `x ${others.join(' ')}`]
      const rule = suggestRule(partsOf(one)[0])
      if (rule === undefined) continue
      expect(covered(rule, one), `${rule} covers ${one}`).toBe(true)
      expect(covered(rule, other), `${rule} and ${other}`).toBe(one === other)
    }
  })
})
