import { scriptedModel } from '#support/scripted-model.ts'
import { describe, errorOf, expect, it } from '#support/test.ts'

const request = { messages: [{ role: 'user' as const, content: 'Hi' }] }

describe('the scripted model', () => {
  it('answers with its turns, one after the other', async () => {
    const model = scriptedModel([{ text: 'one', calls: [{ name: 'read', input: { a: 1 } }] }, { text: 'two' }])
    expect(model.remaining).toBe(2)
    const first = await model(request)
    expect(first).toMatchObject({ role: 'assistant', stop_reason: 'tool_use' })
    expect(first.content).toMatchObject([
      { type: 'text', text: 'one' },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { a: 1 } },
    ])
    expect(await model(request)).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text', text: 'two' }] })
    expect(model.remaining).toBe(0)
  })

  it('numbers the calls over the whole script, and leaves out the ids that are given', async () => {
    const call = { name: 'read', input: {} }
    const model = scriptedModel([{ calls: [call, { ...call, id: 'toolu_2' }] }, { calls: [call] }])
    expect((await model(request)).content).toMatchObject([{ id: 'toolu_1' }, { id: 'toolu_2' }])
    expect((await model(request)).content).toMatchObject([{ id: 'toolu_3' }])
  })

  it('stops for the reason that is given', async () => {
    const model = scriptedModel([{ text: 'cut', stop: 'max_tokens' }])
    expect((await model(request)).stop_reason).toBe('max_tokens')
  })

  it('makes a turn from the request', async () => {
    const model = scriptedModel([({ messages }) => ({ text: `${messages.length} message` })])
    expect((await model(request)).content).toMatchObject([{ text: '1 message' }])
  })

  it('keeps each request as it was at that moment', async () => {
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const model = scriptedModel([{ text: 'one' }, { text: 'two' }])
    await model({ messages })
    messages.push({ role: 'user', content: 'again' })
    await model({ messages })
    expect(model.requests.map((request) => request.messages.length)).toEqual([1, 2])
  })

  it('refuses a request that the API would refuse', async () => {
    const model = scriptedModel([{ text: 'one' }])
    expect(await errorOf(() => model({ messages: [] }))).toMatch(/^400 messages/)
  })

  it('says that the script is at its end', async () => {
    const model = scriptedModel([{ text: 'one' }])
    await model(request)
    expect(await errorOf(() => model(request))).toContain('The script has 1 turns')
  })

  it("rejects with the signal's reason, before and while it thinks", async () => {
    const model = scriptedModel([() => new Promise<never>(() => {}), { text: 'two' }])
    const controller = new AbortController()
    const answer = model(request, { signal: controller.signal })
    controller.abort(new Error('stop'))
    expect(await errorOf(() => answer)).toBe('stop')
    expect(await errorOf(() => model(request, { signal: controller.signal }))).toBe('stop')
    expect(model.requests, 'a request that is aborted before it is sent is none').toHaveLength(1)
  })
})
