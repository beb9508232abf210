/** A program that closes the server in the middle of a stream, and must end by itself then. */
import Anthropic from '@anthropic-ai/sdk'
import { startMessagesServer } from '#support/messages-server.ts'

const turns = [{ text: 'A long answer.', pace: 3_600_000 }]
const server = await startMessagesServer({ name: 'x', about: 'y', task: 'z', sample: 'price-list', turns })
const client = new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
const messages = [{ role: 'user' as const, content: 'Hi' }]
await client.messages.create({ model: 'scripted-large', max_tokens: 10, stream: true, messages })
await server.close()
console.log('closed')
