import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MessagesApi, type ReceivedRequest, type ServerOptions } from './messages-server/api.ts'
import type { Scenario } from './scenario.ts'

export type { ReceivedRequest, ServerOptions } from './messages-server/api.ts'

export interface MessagesServer {
  /** For the client's `baseURL`. */
  url: string
  /** In the order in which they came. */
  requests: ReceivedRequest[]
  /** Ends every connection. Resolves when nothing of the server is left: no socket, no timer. */
  close(): Promise<void>
}

/**
 * Starts a server on this machine that speaks the Messages API and answers with the turns of a scenario, so that the
 * official client works without a model. It refuses what the API refuses.
 */
export async function startMessagesServer(scenario: Scenario, options: ServerOptions = {}): Promise<MessagesServer> {
  const api = new MessagesApi(scenario, options)
  const handled = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const work = api.handle(request, response).finally(() => handled.delete(work))
    handled.add(work)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: api.requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([closed, ...handled])
    },
  }
}
