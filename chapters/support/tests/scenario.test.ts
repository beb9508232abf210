import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copySample } from '#support/sample.ts'
import { DEFAULT_SCENARIO, findScenario, listScenarios, parseScenario } from '#support/scenario.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { play } from './play.ts'

const head = 'name: x\nabout: y\ntask: Do it.\nsample: price-list\n'
const withTurns = (turns: string) => `${head}turns:\n${turns}`

describe('a scenario file', () => {
  it('is read', () => {
    const scenario = parseScenario(withTurns('  - text: Hi\n    expect: a+\n  - stop: refusal\n'), 'x.yaml')
    expect(scenario).toMatchObject({ name: 'x', turns: [{ text: 'Hi', expect: ['a+'] }, { stop: 'refusal' }] })
  })

  it.for([
    ['YAML that does not parse', 'name: [\n', /^x\.yaml:\d: /],
    ['a key given twice', 'name: x\nname: x\n', /^x\.yaml:2: .*unique/],
    ['an alias that names nothing', 'name: *nobody\n', /^x\.yaml:1: .*nobody/],
    ['an empty file', '', /^x\.yaml:1: expected object, got null/],
    [
      'a missing field',
      'name: x\nabout: y\nsample: price-list\nturns: [{ text: a }]\n',
      /x\.yaml:1: task: expected string, got nothing/,
    ],
    ['a wrong type', withTurns('  - text: 5\n'), /x\.yaml:6: turns\.0\.text: expected string, got 5$/],
    [
      'a wrong type deep inside',
      withTurns('  - calls:\n      - name: Read\n        input: no\n'),
      /x\.yaml:8: turns\.0\.calls\.0\.input: expected record, got "no"/,
    ],
    [
      'an unknown key',
      withTurns('  - texts: a\n'),
      /x\.yaml:6: turns\.0\.texts: this key is unknown\. Did you mean "text"\? Expected one of for, /,
    ],
    ['an unknown key at the top', `${head}turn: []\n`, /x\.yaml:5: turn: this key is unknown\. Did you mean "turns"\?/],
    [
      'an unknown key in an error',
      withTurns('  - error: { status: 529, retry-after: 1 }\n'),
      /x\.yaml:6: turns\.0\.error\.retry-after: .*"retry_after"\?/,
    ],
    [
      'a word that is not in the list',
      withTurns('  - text: a\n    stop: max_token\n'),
      /x\.yaml:7: turns\.0\.stop: .*got "max_token"\. Did you mean "max_tokens"\?/,
    ],
    [
      'a pattern that does not compile',
      withTurns('  - text: a\n    expect: "("\n'),
      /x\.yaml:7: turns\.0\.expect\.0: expected a regular expression, got "\("/,
    ],
    ['no turns', `${head}turns: []\n`, /x\.yaml:5: turns: expected array to have >=1 items, got \[\]/],
    [
      'a turn with nothing in it',
      withTurns('  - pace: 5\n'),
      /x\.yaml:6: turns\.0: expected text, calls, stop, error or html, got none/,
    ],
    ['an answer beside html', withTurns('  - html: {}\n    text: a\n'), /x\.yaml:6: turns\.0: expected html alone/],
    [
      'an error beside a text, without its place',
      withTurns('  - error: { status: 529 }\n    text: a\n'),
      /turns\.0: expected error\.after/,
    ],
    [
      'an error inside of no message',
      withTurns('  - error: { status: 529, after: 2 }\n'),
      /turns\.0: expected text or calls/,
    ],
    [
      'a cut through no message',
      withTurns('  - cut_after: 2\n    html: {}\n'),
      /turns\.0: expected cut_after with text or calls/,
    ],
    [
      'two inputs of a call',
      withTurns('  - calls: [{ name: A, input: {}, json: "{}" }]\n'),
      /turns\.0: expected input or json/,
    ],
    [
      'a name that is not the file’s',
      withTurns('  - text: a\n').replace('name: x', 'name: z'),
      /x\.yaml:1: name: expected the file's name, "x", got "z"/,
    ],
    [
      'a sample that there isn’t',
      withTurns('  - text: a\n').replace('price-list', 'pricelist'),
      /x\.yaml:4: sample: expected one of .*got "pricelist"\. Did you mean "price-list"\?/,
    ],
    [
      'a sub-agent that the task would be taken for',
      withTurns('  - for: Do it\n    text: a\n'),
      /x\.yaml:6: turns\.0\.for: .*the task does not have/,
    ],
    [
      'a sub-agent that is known by a folder',
      withTurns("  - for: '{{cwd}}/a'\n    text: a\n"),
      /x\.yaml:6: turns\.0\.for: .*every copy of the sample/,
    ],
    [
      'a sub-agent that nobody asks',
      withTurns('  - for: Sing\n    text: a\n'),
      /x\.yaml:6: turns\.0\.for: .*"Sing", which no call has/,
    ],
  ] as const)('names the line and what is wrong: %s', async ([, text, message]) => {
    expect(await errorOf(() => parseScenario(text, 'x.yaml'))).toMatch(message)
  })

  it('has all of its faults told at once', async () => {
    const message = await errorOf(() => parseScenario('nam: x\nturns:\n  - txt: a\n  - calls: 5\n', 'x.yaml'))
    for (const field of ['name', 'about', 'task', 'sample', 'txt', 'calls']) expect(message).toContain(`${field}: `)
  })
})

describe('finding a scenario', () => {
  it('lists the default one first', () => {
    const names = listScenarios().map(({ name }) => name)
    expect(names[0]).toBe(DEFAULT_SCENARIO)
    expect(names.length).toBeGreaterThan(1)
  })

  it('finds one by its name, and by a path', async ({ workspace }) => {
    await workspace.write('mine/x.yaml', withTurns('  - text: Hi\n'))
    expect(findScenario(DEFAULT_SCENARIO).name).toBe(DEFAULT_SCENARIO)
    expect(findScenario('mine/x.yaml', workspace.root).turns).toEqual([{ text: 'Hi' }])
  })

  it('says what there is, and what may have been meant', async () => {
    const message = await errorOf(() => findScenario('find-a-bug'))
    expect(message).toContain('Did you mean "find-the-bug"?')
    expect(message).toContain('overloaded')
    expect(await errorOf(() => findScenario('../samples/x'))).toContain('There is no scenario "../samples/x"')
  })

  it('says that a file cannot be read', async ({ workspace }) => {
    expect(await errorOf(() => findScenario('gone.yaml', workspace.root))).toMatch(
      /gone\.yaml cannot be read: .*ENOENT/,
    )
  })
})

describe('a sample project', () => {
  it('is copied, and the copy removed', async () => {
    const { cwd, remove } = await copySample({ sample: 'price-list' })
    expect(existsSync(join(cwd, 'src/money.js'))).toBe(true)
    await remove()
    expect(existsSync(cwd)).toBe(false)
  })

  it('has a bug that its tests show', async () => {
    const { cwd, remove } = await copySample({ sample: 'price-list' })
    const { status, stdout } = spawnSync(process.execPath, ['--test'], { cwd, encoding: 'utf8' })
    await remove()
    expect(stdout).toMatch(/fail 3/)
    expect(status).toBe(1)
  })
})

describe('the scenarios, played with the real tools', () => {
  it.for(listScenarios().map(({ name }) => name))('%s comes to its end', async (name) => {
    const scenario = findScenario(name)
    const { outcome, said } = await play(scenario, { allow: ['Bash(node --test)'] })
    expect(outcome).toEqual({ type: 'finished' })
    expect(said).toBe(scenario.turns.at(-1)!.text)
  })

  it('find-the-bug has no call that fails', async () => {
    const { messages } = await play(findScenario('find-the-bug'), { allow: ['Bash(node --test)'] })
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    const results = blocks.filter((block) => block.type === 'tool_result')
    expect(results.map(({ is_error = false }) => is_error)).toEqual([false, false, false, false, false, false])
  })

  it('find-the-bug says so when the edit is not allowed', async () => {
    const { outcome, said } = await play(findScenario('find-the-bug'), { mode: 'default' })
    expect(outcome).toEqual({ type: 'finished' })
    expect(said).toMatch(/The file is not changed/)
  })

  it('find-the-bug says so when the tests may not run', async () => {
    const { said } = await play(findScenario('find-the-bug'))
    expect(said).toMatch(/have not seen the tests pass/)
  })
})

describe('docs/scenarios.md', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/scenarios.md', import.meta.url)), 'utf8')
  const [, text] = /^```yaml\n(name:[\s\S]*?)^```$/m.exec(page) ?? ['', '']

  it('describes a scenario that comes to its end', async () => {
    const scenario = parseScenario(text, 'line-count.yaml')
    const { outcome, said } = await play(scenario)
    expect(outcome).toEqual({ type: 'finished' })
    expect(said).toBe(scenario.turns.at(-1)!.text)
  })

  it.for([
    ['sample: price-list', 'sample: price-lst'],
    ['- text: I count', '- txt: I count'],
  ])('quotes what is said of %s made %s', async ([right, wrong]) => {
    const quoted = [...page.matchAll(/^line-count\.yaml:.*$/gm)].map(([line]) => line)
    expect(quoted).toContain(await errorOf(() => parseScenario(text.replace(right, wrong), 'line-count.yaml')))
  })
})
