import type Anthropic from '@anthropic-ai/sdk'
import { repairTranscript } from '#02-agent-loop/repair.ts'
import { describe, expect, it } from '#support/test.ts'
import { asSent, assistant, expectToContinue, interruptedResult, result, text, use, user } from './messages.ts'

const calls = assistant(text('Let me look.'), use('a'), use('b'), use('c'))

function repair(messages: Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  return asSent(repairTranscript(messages))
}

describe('task 4: repairTranscript', () => {
  it('returns a conversation that is in order as it is', () => {
    const cached = { ...result('b'), cache_control: { type: 'ephemeral' as const } }
    const failed = { ...result('c', 'disk full'), is_error: true }
    const messages = [user(), calls, user([result('a'), cached, failed, text('Go on.')]), assistant(text('Done. '))]
    expect(repair(messages)).toEqual(messages)
    expect(repair([])).toEqual([])
  })

  it('answers the calls that the conversation ends with', () => {
    const repaired = repair([user(), calls])
    expect(repaired.slice(0, 2)).toEqual([user(), calls])
    expect(repaired[2]).toMatchObject({
      role: 'user',
      content: [interruptedResult('a'), interruptedResult('b'), interruptedResult('c')],
    })
    expectToContinue(repaired)
  })

  it('keeps the result that is there and interrupts the other calls, in call order', () => {
    const repaired = repair([user(), calls, user([result('b', 'fine')])])
    expect(repaired[2]?.content).toMatchObject([
      interruptedResult('a'),
      { tool_use_id: 'b', content: 'fine' },
      interruptedResult('c'),
    ])
    expectToContinue(repaired)
  })

  it('puts the results before what the user said', () => {
    const said = repair([user(), assistant(use('a')), user('Stop!')])
    expect(said[2]?.content).toMatchObject([interruptedResult('a'), text('Stop!')])
    const behind = repair([user(), assistant(use('a')), user([text('Here:'), result('a')])])
    expect(behind[2]?.content).toEqual([result('a'), text('Here:')])
  })

  it('puts the results in call order', () => {
    const repaired = repair([user(), calls, user([result('c'), result('b'), result('a')])])
    expect(repaired[2]?.content).toEqual([result('a'), result('b'), result('c')])
  })

  it('finds results that came in several user messages', () => {
    const repaired = repair([user(), assistant(use('a'), use('b')), user([result('a')]), user([result('b')])])
    expect(repaired[2]?.content).toEqual([result('a'), result('b')])
    expectToContinue(repaired)
  })

  it('keeps the first result of a call that has two', () => {
    const repaired = repair([user(), assistant(use('a')), user([result('a', 'one'), result('a', 'two')])])
    expect(repaired[2]?.content).toEqual([result('a', 'one')])
  })

  it('drops a result whose call is gone, and the message when nothing is left of it', () => {
    const messages = [
      user([result('x'), text('Hi')]),
      assistant(text('One.')),
      user([result('y')]),
      assistant(text('Two.')),
    ]
    const repaired = repair(messages)
    expect(repaired).toEqual([user([text('Hi')]), assistant(text('One.'), text('Two.'))])
    expectToContinue(repaired)
  })

  it('drops a result that comes a turn too late, and interrupts its call', () => {
    const messages = [user(), assistant(use('a')), user('?'), assistant(text('Well.')), user([result('a'), text('!')])]
    const repaired = repair(messages)
    expect(repaired[2]?.content).toMatchObject([interruptedResult('a'), text('?')])
    expect(repaired[4]?.content).toEqual([text('!')])
    expectToContinue(repaired)
  })

  it('drops blank texts and says (no output) for blank results', () => {
    const blank = { ...result('b'), content: [text('')] }
    const repaired = repair([
      user(),
      assistant(text(''), use('a'), use('b')),
      user([result('a', ''), blank, text('\n')]),
      assistant(text(' ')),
    ])
    expect(repaired).toEqual([
      user(),
      assistant(use('a'), use('b')),
      user([result('a', '(no output)'), result('b', '(no output)')]),
    ])
  })

  it('changes neither the array nor a message', () => {
    const messages: Anthropic.MessageParam[] = [
      user(),
      calls,
      user([text(''), result('b')]),
      user([result('x')]),
      assistant(use('d')),
      user([text('Stop')]),
      assistant(use('e')),
      user([result('e', '')]),
    ]
    const before = structuredClone(messages)
    repairTranscript(messages)
    expect(messages).toEqual(before)
  })
})
