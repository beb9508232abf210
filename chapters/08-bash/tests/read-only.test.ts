import { checkWords, flagsIn } from '#08-bash/check-words.ts'
import { parseCommand, simpleCommands, type Word } from '#08-bash/parse.ts'
import { checkReadOnlyConstraints } from '#08-bash/read-only.ts'
import { describe, expect, it } from '#support/test.ts'
import { KINDS } from './cases.ts'

/** The words of every simple command in it. */
function wordsIn(command: string): Word[][] {
  const parsed = parseCommand(command)
  return parsed.trusted ? simpleCommands(parsed.root).map(({ words }) => words) : []
}

/** Those commands about which `behavior` is not the verdict. */
function wrong(commands: string[], verdict: 'allow' | 'ask', behavior: (command: string) => string): string[] {
  return commands.filter((command) => behavior(command) !== verdict)
}

/** What `checkWords` says, where there is something to say it of. */
function byWords(command: string): 'allow' | 'ask' {
  const words = wordsIn(command)
  const problems = words.map((list) => checkWords(list))
  return words.length > 0 && problems.every((problem) => problem === undefined) ? 'allow' : 'ask'
}

const byTree = (command: string) => checkReadOnlyConstraints({ command }).behavior
const kinds = (task: 3 | 4, verdict: 'allow' | 'ask') =>
  KINDS.filter((kind) => kind.task === task && kind.verdict === verdict).map(
    ({ what, commands }) => [what, commands] as const,
  )

describe('task 3: checkWords', () => {
  it.for(kinds(3, 'ask'))('finds a problem in %s', ([, commands]) => {
    expect(wrong(commands, 'ask', byWords), 'these would run unasked').toEqual([])
  })

  it.for(kinds(3, 'allow'))('finds no problem in %s', ([, commands]) => {
    expect(wrong(commands, 'allow', byWords), 'these would be asked about for nothing').toEqual([])
  })

  it('says which word is the problem', () => {
    expect(checkWords(wordsIn('rm -rf x')[0])).toContain('rm')
    expect(checkWords(wordsIn('sort --output=x f')[0])).toContain('--output')
    expect(checkWords(wordsIn('timeout 5 rm x')[0])).toContain('rm')
    expect(checkWords(wordsIn('git stash drop')[0])).toContain('drop')
    expect(checkWords(wordsIn('cat $HOME')[0])).toContain('$HOME')
  })

  it('finds a problem in no words at all', () => {
    expect(checkWords([])).toEqual(expect.any(String))
  })

  it('takes flags apart as they may be written', () => {
    const policy = { flags: '-l -a --long', values: '-n --lines', optional: '-U --color' }
    expect(flagsIn('-la', policy)?.flags).toEqual(['-l', '-a'])
    expect(flagsIn('--long', policy)?.flags).toEqual(['--long'])
    expect(flagsIn('-n5', policy)).toMatchObject({ flags: ['-n'], value: '5' })
    expect(flagsIn('-ln', policy)).toMatchObject({ flags: ['-l', '-n'], wantsValue: true })
    expect(flagsIn('--lines=a=b', policy)).toMatchObject({ flags: ['--lines'], value: 'a=b' })
    expect(flagsIn('--lines', policy)).toMatchObject({ flags: ['--lines'], wantsValue: true })
    expect(flagsIn('-U3', policy)).toMatchObject({ flags: ['-U'], value: '3' })
    expect(flagsIn('--color', policy)?.wantsValue, 'a value only where it is glued on').toBeFalsy()
    expect(flagsIn('-U', policy)?.flags).toEqual(['-U'])
    expect(flagsIn('-U', policy)?.wantsValue, 'short ones, too').toBeFalsy()
    expect(flagsIn('-lU', policy)?.wantsValue, 'and in a cluster').toBeFalsy()
  })

  it('knows no flag that is not written out in the list', () => {
    const policy = { flags: '-l --long', values: '-n --lines', optional: '--color' }
    expect(flagsIn('-l', policy), 'this one is').toBeDefined()
    for (const text of ['-x', '-lx', '-xl', '--lon', '--long=5', '--line=5', '--l', '--colo=x']) {
      expect(flagsIn(text, policy), text).toBeUndefined()
    }
  })

  it('takes flags of one dash as whole words where the policy says so', () => {
    const policy = { wholeWords: true as const, flags: '-print -a', values: '-name' }
    expect(flagsIn('-print', policy)?.flags).toEqual(['-print'])
    expect(flagsIn('-name', policy)).toMatchObject({ flags: ['-name'], wantsValue: true })
    for (const text of ['-delete', '-aa', '-pri', '-name=x']) expect(flagsIn(text, policy), text).toBeUndefined()
  })
})

describe('task 4: checkReadOnlyConstraints', () => {
  it.for(kinds(4, 'ask'))('asks about %s', ([, commands]) => {
    expect(wrong(commands, 'ask', byTree), 'these would run unasked').toEqual([])
  })

  it.for(kinds(4, 'allow'))('allows %s', ([, commands]) => {
    expect(wrong(commands, 'allow', byTree), 'these would be asked about for nothing').toEqual([])
  })

  it('says of whole commands what checkWords says of their words', () => {
    const words = KINDS.filter(({ task }) => task === 3)
    expect(words.flatMap(({ commands, verdict }) => wrong(commands, verdict, byTree))).toEqual([])
  })

  it('answers at once, and gives the person who is asked a reason', () => {
    expect(checkReadOnlyConstraints({ command: 'ls' })).toEqual({ behavior: 'allow' })
    const { reason } = checkReadOnlyConstraints({ command: 'ls && rm -rf x' }) as { reason: string }
    expect(reason, 'name what it is about').toContain('rm')
    const redirect = checkReadOnlyConstraints({ command: 'ls >> out.txt' })
    expect(redirect).toMatchObject({ behavior: 'ask', reason: expect.stringContaining('out.txt') })
    const loop = checkReadOnlyConstraints({ command: 'while true; do ls; done' })
    expect(loop).toMatchObject({ behavior: 'ask', reason: expect.stringContaining('while') })
  })

  it('is not worn out by a command that is made to be hard', () => {
    const hard = ['('.repeat(5000), '$('.repeat(3000), '{ '.repeat(4000), '"'.repeat(9999), 'a[$('.repeat(2000)]
    expect(wrong(hard, 'ask', byTree)).toEqual([])
    expect(byTree(`ls ${'a'.repeat(100)}`), 'an ordinary one is still allowed').toBe('allow')
  })
})
