import type Anthropic from '@anthropic-ai/sdk'
import { readAnswer } from '#02-agent-loop/answer.ts'
import { describe, expect, it } from '#support/test.ts'
import { asSent, assistant, expectToContinue, result, text, use, user } from './messages.ts'

const thinking = { type: 'thinking', thinking: 'First I read the file.', signature: 'c2ln' }
/** The ways to say that the limit on tokens cut a call off. */
const WAS_CUT = /cut|limit|token|truncat|complete|ended|finish|shorter/i

function answer(content: object[], stop_reason: Anthropic.StopReason = 'tool_use'): Anthropic.Message {
  return { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason } as Anthropic.Message
}

describe('task 3: readAnswer', () => {
  it('finds the calls, in order, and keeps everything', () => {
    const blocks = [
      thinking,
      { ...text('Let me look.'), citations: [{ type: 'page_location', cited_text: 'Look' }] },
      { ...use('a', 'read', { path: 'x' }), caller: { type: 'direct' } },
      use('b', 'bash', { command: 'ls' }),
    ]
    const { content, calls } = readAnswer(answer(blocks), [user()])
    expect(content).toEqual(blocks)
    expect(asSent(calls)).toEqual([
      { id: 'a', name: 'read', input: { path: 'x' } },
      { id: 'b', name: 'bash', input: { command: 'ls' } },
    ])
  })

  it('finds no calls in an answer without any', () => {
    expect(readAnswer(answer([text('Done.\n')], 'end_turn'), [user()])).toEqual({
      content: [text('Done.\n')],
      calls: [],
    })
  })

  it('drops blank text blocks', () => {
    const { content } = readAnswer(answer([text('\n\n'), use('a'), text('')]), [user()])
    expect(content).toEqual([use('a')])
  })

  it('keeps nothing of an answer that is blank', () => {
    expect(readAnswer(answer([text(' ')], 'end_turn'), [user()]).content).toEqual([])
    expect(readAnswer(answer([], 'end_turn'), [user()]).content).toEqual([])
  })

  it('cuts the white space at the very end of a paused turn, and only there', () => {
    const last = { ...text(' Two. \n'), citations: [] }
    const { content } = readAnswer(answer([text('One. '), last], 'pause_turn'), [user()])
    expect(content).toEqual([text('One. '), { ...last, text: ' Two.' }])
  })

  it('cuts the white space at the end of a paused turn also when a blank text comes last', () => {
    const { content } = readAnswer(answer([text('One. '), text('Two. '), text('\n')], 'pause_turn'), [user()])
    expect(content).toEqual([text('One. '), text('Two.')])
  })

  it('tells two calls of one id apart', () => {
    const { content, calls } = readAnswer(answer([use('a', 'read'), use('a', 'bash')]), [user()])
    expect(calls.map(({ name }) => name)).toEqual(['read', 'bash'])
    expect(calls[0].id, 'the first one keeps it').toBe('a')
    expect(calls[1].id, 'two calls, one id').not.toBe('a')
    expect(content, 'the transcript has the ids of the calls').toEqual([use('a', 'read'), use(calls[1].id, 'bash')])
  })

  it('tells a call apart from one of an earlier answer', () => {
    const earlier = [user(), assistant(use('call_0')), user([result('call_0')])]
    const { content, calls } = readAnswer(answer([use('call_0')]), earlier)
    expect(calls[0].id).not.toBe('call_0')
    expect(content).toEqual([use(calls[0].id)])
  })

  it('keeps the name as it came for the call, and makes it legal for the transcript', () => {
    const { content, calls } = readAnswer(answer([use('a', 'functions.read')]), [user()])
    expect(calls[0].name).toBe('functions.read')
    expect(content).toEqual([use('a', expect.stringMatching(/^[a-zA-Z0-9_-]{1,128}$/) as unknown as string)])
  })

  it('takes a blank input for none', () => {
    const { content, calls } = readAnswer(answer([use('a', 'status', '')]), [user()])
    expect(asSent(calls)).toEqual([{ id: 'a', name: 'status', input: {} }])
    expect(content).toEqual([use('a', 'status', {})])
  })

  it('has a problem with the one call whose input cannot be read', () => {
    const { content, calls } = readAnswer(answer([use('a', 'read', '{"pa'), use('b', 'read', { path: 'x' })]), [user()])
    expect(calls[0].problem).toEqual(expect.stringContaining('{'))
    expect(calls[1].problem, 'its neighbour is fine').toBeUndefined()
    expect(content).toEqual([use('a'), use('b', 'read', { path: 'x' })])
  })

  it.for(['max_tokens', 'model_context_window_exceeded'] as const)(
    'does not trust the call that an answer ends with which stopped with %s',
    (stop) => {
      const { calls } = readAnswer(answer([use('a'), use('b', 'write', { path: 'x' }), text('')], stop), [user()])
      expect(calls[0].problem, 'the first call is whole').toBeUndefined()
      expect(calls[1].problem, 'the model must learn why').toEqual(expect.stringMatching(WAS_CUT))
    },
  )

  it('says of a call that cannot be read because it was cut off that it was cut off', () => {
    const { content, calls } = readAnswer(answer([use('a', 'write', '{"path": "x')], 'max_tokens'), [user()])
    expect(calls).toMatchObject([{ input: {}, problem: expect.stringMatching(WAS_CUT) }])
    expect(content).toEqual([use('a', 'write')])
  })

  it('trusts a call behind which a text was cut off', () => {
    const { calls } = readAnswer(answer([use('a'), text('Now I wi')], 'max_tokens'), [user()])
    expect(calls[0].problem).toBeUndefined()
  })

  it('trusts no call of an answer that was refused', () => {
    const { calls } = readAnswer(answer([use('a'), use('b')], 'refusal'), [user()])
    expect(calls.map(({ problem }) => typeof problem)).toEqual(['string', 'string'])
  })

  it('makes one that the API takes of an answer in which everything is wrong', () => {
    const blocks = [
      text(''),
      use('', ''),
      use('', 'a.b', null),
      use('x:1', 'read', 7),
      use('x:1', 'read', '{}'),
      text('\n'),
    ]
    const earlier = [user(), assistant(use('x_1')), user([result('x_1')])]
    const { content, calls } = readAnswer(answer(blocks), earlier)
    expect(calls).toHaveLength(4)
    expectToContinue([...earlier, assistant(...content), user(calls.map(({ id }) => result(id)))])
  })

  it('leaves the message and the conversation as they are', () => {
    const message = answer([text(''), use('a', 'a.b', '{}')])
    const earlier = [user(), assistant(use('a')), user([result('a')])]
    const before = structuredClone({ message, earlier })
    readAnswer(message, earlier)
    expect({ message, earlier }).toEqual(before)
  })
})
