import { getEventListeners } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { describe, errorOf, expect, it } from '#support/test.ts'
import { errorText } from '../given/error-text.ts'
import { sdkModel } from '../given/models.ts'
import { append } from '../given/transcript.ts'
import { untilAborted } from '../given/until-aborted.ts'
import { assistant, text, user } from './messages.ts'

describe('given: untilAborted', () => {
  it('settles as the work does, and leaves no listener behind', async () => {
    const { signal } = new AbortController()
    expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done')
    expect(await untilAborted('done', undefined)).toBe('done')
    expect(await errorOf(() => untilAborted(Promise.reject(new Error('failed')), signal))).toBe('failed')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it("rejects with the signal's reason, before and while the work goes on", async () => {
    const controller = new AbortController()
    const work = untilAborted(new Promise(() => {}), controller.signal)
    controller.abort(new Error('stop'))
    expect(await errorOf(() => work)).toBe('stop')
    expect(await errorOf(() => untilAborted(Promise.resolve('done'), controller.signal))).toBe('stop')
  })
})

describe('given: errorText', () => {
  it.for<[string, unknown, string]>([
    ['an Error', new Error('disk full'), 'disk full'],
    ['a string', 'disk full', 'disk full'],
    ['an object', { code: 'ENOENT' }, 'ENOENT'],
    ['an object that has no text', Object.create(null), 'threw'],
    ['nothing', undefined, 'undefined'],
    ['an Error without a message', new TypeError(''), 'TypeError'],
  ])('has words for %s', ([, thrown, named]) => {
    expect(errorText(thrown)).toContain(named)
    expect(errorText(thrown)).not.toContain('\n')
  })

  it('does not throw for something that cannot be shown', () => {
    const trap = () => {
      throw new Error('no')
    }
    expect(errorText(new Proxy({}, { getPrototypeOf: trap }))).toMatch(/\S/)
  })
})

describe('given: append', () => {
  it('adds a message as it is', () => {
    expect(append([user('Hi')], assistant(text('Yes?')))).toEqual([user('Hi'), assistant(text('Yes?'))])
  })

  it('leaves out blank text blocks, and messages that are blank', () => {
    expect(append([user('Hi')], assistant(text(' '), text('Yes?')))).toEqual([user('Hi'), assistant(text('Yes?'))])
    expect(append([user('Hi')], assistant(text(' ')))).toEqual([user('Hi')])
    expect(append([user('Hi')], user(' '))).toEqual([user('Hi')])
  })

  it('makes one message of two with the same role, and changes neither', () => {
    const before = [user('Hi')]
    expect(append(before, user([text('there')]))).toEqual([user([text('Hi'), text('there')])])
    expect(before).toEqual([user('Hi')])
  })
})

describe('given: sdkModel', () => {
  it('sends the request to the Messages API and returns its answer', async () => {
    const bodies: string[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      bodies.push(`${request.method} ${request.url} ${body}`)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ role: 'assistant', content: [text('Hello.')], stop_reason: 'end_turn' }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const client = new Anthropic({ baseURL, apiKey: 'none' })
      const model = sdkModel(client, { model: 'some-model', maxTokens: 100, system: 'Be brief.' })
      expect(await model({ messages: [user('Hi')], tools: [] }, {})).toMatchObject({ content: [text('Hello.')] })
      expect(bodies[0]).toContain('POST /v1/messages')
      const sent = JSON.parse(bodies[0].slice(bodies[0].indexOf('{')))
      expect(sent).toEqual({
        model: 'some-model',
        max_tokens: 100,
        system: 'Be brief.',
        messages: [user('Hi')],
        tools: [],
      })
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
