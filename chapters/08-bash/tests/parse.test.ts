import { parseCommand, simpleCommands } from '#08-bash/parse.ts'
import { describe, expect, it } from '#support/test.ts'

function commandsIn(command: string) {
  const parsed = parseCommand(command)
  return parsed.trusted ? simpleCommands(parsed.root) : expect.fail(parsed.reason)
}

const valuesIn = (command: string) => commandsIn(command).map(({ words }) => words.map(({ value }) => value))

describe('given: parseCommand and simpleCommands', () => {
  it('finds the commands of lists, pipelines, loops, functions and substitutions', () => {
    const command = 'a 1 && b | c; for x in y; do d; done; f() { g; }; echo "$(h 2)" `i` <(j)'
    expect(valuesIn(command).map(([name]) => name)).toEqual(['a', 'b', 'c', 'd', 'g', 'echo', 'h', 'i', 'j'])
  })

  it('takes quotes and backslashes away, and keeps what they hid', () => {
    expect(valuesIn(`a 'b c' "d \\" e" f\\ g h'i'"j" ''`)).toEqual([['a', 'b c', 'd " e', 'f g', 'hij', '']])
  })

  it('gives no value where only the shell could tell', () => {
    const [, ...words] = commandsIn('a $b "$b" `c` {d,e} ~ $\'f\' <(g) h=~')[0].words
    expect(words.map(({ value }) => value)).toEqual(words.map(() => undefined))
  })

  it('tells a pattern from quoted stars', () => {
    expect(commandsIn(`a *.ts "*.ts" \\*.ts '[a]' [a]`)[0].words.map(({ glob }) => glob)).toEqual([
      false,
      true,
      false,
      false,
      false,
      true,
    ])
  })

  it('keeps assignments and redirections apart from the words', () => {
    const [command] = commandsIn('A=1 B=2 c d 2>&1 > out < in')
    expect(command.assignments).toEqual(['A=1', 'B=2'])
    expect(command.words.map(({ value }) => value)).toEqual(['c', 'd'])
    expect(command.redirects.map(({ descriptor, operator, target }) => [descriptor, operator, target?.value])).toEqual([
      ['2', '>&', '1'],
      [undefined, '>', 'out'],
      [undefined, '<', 'in'],
    ])
  })

  it.for([
    ['', 'nothing'],
    ['echo "', 'an open quote'],
    ['ls\u200b', 'an invisible character'],
    ['ls\rx', 'a carriage return'],
    ['r\\\nm x', 'two lines joined'],
    ['echo a\\\tb', 'a blank that the parser skips'],
    ['ls > a b', 'an argument behind a redirection'],
    ['ls 0>&1', 'a descriptor that may be an argument'],
    ['x'.repeat(10_001), 'too much to read'],
  ])('does not trust what is read in two ways: %j (%s)', ([command]) => {
    expect(parseCommand(command).trusted).toBe(false)
  })

  it('holds no memory of the parser: a thousand trees are plain data', () => {
    const trees = Array.from({ length: 1000 }, () => parseCommand('a | b && c'))
    expect(structuredClone(trees[999])).toEqual(trees[0])
  })
})
