import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createContext } from '#support/context.ts'
import { textOf, toolDispatch } from '#support/run-tool.ts'
import { it as base, describe, errorOf, expect } from '#support/test.ts'
import type { Reach } from '../given/page-url.ts'
import { isPublicAddress } from '../given/public-address.ts'
import { createWebFetch, WebFetchTool } from '../given/web-fetch.ts'

const LOCAL: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }]

interface Site {
  server: Server
  port: number
  /** What the server does. The test says it. */
  answer: RequestListener
  /** The paths that were asked for. */
  asked: string[]
}

/** A real server on this machine, for each test that asks for `{ site }`. */
const it = base.extend<{ site: Site }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures it needs from this pattern
  site: async ({}, use) => {
    const server = createServer((request, response) => {
      site.asked.push(`${request.headers.host} ${request.url}`)
      site.answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const site: Site = { server, port: (server.address() as AddressInfo).port, answer: () => {}, asked: [] }
    await use(site)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  },
})

/** Names under `.test` lead to this machine, which is allowed, and to nothing else. */
const TEST_REACH: Reach = {
  resolve: async (host) => {
    if (host.endsWith('.test')) return LOCAL
    throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  },
  isAllowed: (address) => address === '127.0.0.1',
  upgrade: false,
}

async function fetched(url: string, { reach = {}, maxBytes = 10_000, timeoutMs = 60_000, signal }: FetchOptions = {}) {
  const tool = createWebFetch({ reach: { ...TEST_REACH, ...reach }, limits: { maxBytes, timeoutMs } })
  const run = toolDispatch([tool], createContext('/'))
  return textOf(await run('WebFetch', { url }, { id: 'a', signal }))
}

interface FetchOptions {
  reach?: Partial<Reach>
  maxBytes?: number
  timeoutMs?: number
  signal?: AbortSignal
}

const send =
  (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body)
  }

const redirect =
  (to: (path: string) => string): RequestListener =>
  (request, response) => {
    response.writeHead(302, { location: to(request.url!) }).end()
  }

describe('given: WebFetch reads pages', () => {
  it('turns HTML into Markdown, without scripts and styles', async ({ site }) => {
    site.answer = send('<style>p{}</style><h1>Tides</h1><p>High at <b>noon</b>.</p><script>evil()</script>')
    const text = await fetched(`http://docs.test:${site.port}/a`)
    expect(text).toContain('# Tides\n\nHigh at **noon**.')
    expect(text).not.toMatch(/evil|p\{/)
  })

  it('gives other text as it is', async ({ site }) => {
    site.answer = send('{"a": "<b>"}', { 'content-type': 'application/problem+json; charset=utf-8' })
    expect(await fetched(`http://docs.test:${site.port}/a`)).toContain('{"a": "<b>"}')
  })

  it('reads the encoding that the header or the page names', async ({ site }) => {
    site.answer = send(Buffer.from('Gr\xfc\xdfe', 'latin1'), { 'content-type': 'text/plain; charset=iso-8859-1' })
    expect(await fetched(`http://docs.test:${site.port}/a`)).toContain('Grüße')
    site.answer = send(Buffer.from('<meta charset="latin1"><p>Gr\xfc\xdfe</p>', 'latin1'))
    expect(await fetched(`http://docs.test:${site.port}/a`)).toContain('Grüße')
  })

  it('reads a compressed page', async ({ site }) => {
    site.answer = send(gzipSync('<p>packed</p>'), { 'content-encoding': 'gzip' })
    expect(await fetched(`http://docs.test:${site.port}/a`)).toContain('packed')
  })

  it('says that a page has no text', async ({ site }) => {
    site.answer = send('')
    expect(await fetched(`http://docs.test:${site.port}/a`)).toContain('(no text)')
  })

  it.for(['image/png', 'application/pdf', 'application/octet-stream'])(
    'refuses a page of %s',
    async (type, { site }) => {
      site.answer = send('x', { 'content-type': type })
      expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`))).toContain(type)
    },
  )

  it('tells the status when the server has no page', async ({ site }) => {
    site.answer = (_request, response) => response.writeHead(404).end('gone')
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`))).toContain('404')
  })

  it('tells that a host is not there, and that nobody listens', async ({ site }) => {
    expect(await errorOf(() => fetched('http://nowhere.example/a'))).toMatch(/nowhere\.example.*ENOTFOUND/)
    site.server.close()
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`))).toMatch(/docs\.test.*ECONNREFUSED/)
  })
})

describe('given: WebFetch keeps to its limits', () => {
  it('stops reading a page that never ends, and lets go of the server', async ({ site }) => {
    const closed = new Promise((resolve) => {
      site.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' })
        const writing = setInterval(() => response.write('x'.repeat(5_000)), 1)
        response.on('close', () => {
          clearInterval(writing)
          resolve('closed')
        })
      }
    })
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`))).toContain('10000 bytes')
    expect(await closed).toBe('closed')
  })

  it('counts what comes out of a compressed page', async ({ site }) => {
    site.answer = send(gzipSync('x'.repeat(1_000_000)), { 'content-encoding': 'gzip' })
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`))).toContain('10000 bytes')
  })

  it('tells that a server cut the page off, and that what it packed is broken', async ({ site }) => {
    site.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' }).write('x', () => {
        response.destroy()
      })
    }
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`))).toMatch(/./)
    site.answer = send('no gzip', { 'content-encoding': 'gzip' })
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`))).toMatch(/./)
  })

  it('ends when the time is up: while it waits for the host, the server, or the rest of the page', async ({ site }) => {
    const never = { resolve: () => new Promise<never>(() => {}) }
    expect(await errorOf(() => fetched('http://docs.test/a', { reach: never, timeoutMs: 20 }))).toContain('20 ms')
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`, { timeoutMs: 20 }))).toContain('20 ms')
    site.answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).write('a')
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`, { timeoutMs: 50 }))).toContain('50 ms')
  })

  it('ends at once when the call is aborted', async ({ site }) => {
    const controller = new AbortController()
    site.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('a', () => controller.abort(new Error('stop')))
    }
    const { signal } = controller
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`, { signal }))).toBe('stop')
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/a`, { signal }))).toBe('stop')
  })
})

describe('given: WebFetch follows redirects', () => {
  it('follows them on the same host', async ({ site }) => {
    const page = send('<p>here</p>')
    const move = redirect((path) => (path === '/0' ? '/1' : `http://docs.test:${site.port}/2`))
    site.answer = (request, response) => (request.url === '/2' ? page : move)(request, response)
    expect(await fetched(`http://docs.test:${site.port}/0`)).toMatch(/\/2 .*here/s)
    expect(site.asked.map((line) => line.split(' ')[1])).toEqual(['/0', '/1', '/2'])
  })

  it('reports another host, and does not go there', async ({ site }) => {
    site.answer = redirect(() => `http://other.test:${site.port}/b`)
    expect(await fetched(`http://docs.test:${site.port}/a`)).toContain(`http://other.test:${site.port}/b`)
    expect(site.asked).toEqual([`docs.test:${site.port} /a`])
  })

  it('takes another port for another host', async ({ site }) => {
    site.answer = redirect(() => 'http://docs.test:1/b')
    expect(await fetched(`http://docs.test:${site.port}/a`)).toContain('http://docs.test:1/b')
  })

  it('gives up after five', async ({ site }) => {
    site.answer = redirect((path) => `/${Number(path.slice(1)) + 1}`)
    expect(await errorOf(() => fetched(`http://docs.test:${site.port}/0`))).toMatch(/redirects more than 5/)
    expect(site.asked).toHaveLength(6)
  })

  it.for(['http://10.0.0.1/', 'http://[::1]/', 'http://localhost/', 'file:///etc/passwd', 'http://inside.example/'])(
    'refuses a redirect to %s',
    async (to, { site }) => {
      site.answer = redirect(() => to)
      const resolve: Reach['resolve'] = async (host) =>
        host === 'inside.example' ? [{ address: '10.1.2.3', family: 4 }] : LOCAL
      const message = await errorOf(() => fetched(`http://docs.test:${site.port}/a`, { reach: { resolve } }))
      expect(message).toMatch(/not on the public internet|only http/)
    },
  )

  it('looks at the addresses of the host anew at each redirect', async ({ site }) => {
    site.answer = redirect(() => '/next')
    const answers = [LOCAL, [{ address: '10.1.2.3', family: 4 }]]
    const resolve = async () => answers.shift()!
    const message = await errorOf(() => fetched(`http://docs.test:${site.port}/a`, { reach: { resolve } }))
    expect(message).toContain('10.1.2.3')
    expect(site.asked).toHaveLength(1)
  })
})

describe('given: WebFetch goes nowhere but to the public internet', () => {
  it.for([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://0.0.0.0/',
    'http://0/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[::127.0.0.1]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[ff02::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://localhost:3000/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'https://user@127.0.0.1/',
    'https://user:secret@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'example.com',
    'http://',
    ' ',
  ])('refuses %s before anything is asked', async (url) => {
    const refused = await WebFetchTool.validateInput({ url }, createContext('/'))
    expect(refused).toMatchObject({ result: false, message: expect.stringMatching(/./) })
  })

  it.for(['https://example.com/a?b#c', 'http://example.com:8080/', 'https://1.1.1.1/', 'https://[2606:4700::1111]/'])(
    'has nothing against %s',
    async (url) => {
      expect(await WebFetchTool.validateInput({ url }, createContext('/'))).toEqual({ result: true })
    },
  )

  it('knows the edges of what is public', () => {
    const yes =
      '1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.167.0.1 223.255.255.255'
    const no = '10.0.0.0 10.255.255.255 100.127.255.255 169.254.0.0 172.16.0.0 192.168.255.255 198.19.255.255 239.0.0.1'
    for (const address of [...yes.split(' '), '2001:4860:4860::8888', '2606:4700::1']) {
      expect(isPublicAddress(address), address).toBe(true)
    }
    for (const address of [
      ...no.split(' '),
      '2001:db8::1',
      '2001::1',
      'fd00:ec2::254',
      'fe80::1%eth0',
      'a.example',
      '',
    ]) {
      expect(isPublicAddress(address), address).toBe(false)
    }
  })

  it.for<[string, string[]]>([
    ['a private address', ['10.0.0.1']],
    ['a private address among public ones', ['1.1.1.1', '192.168.0.1']],
    ['loopback in IPv6', ['::1']],
    ['an IPv4-mapped address', ['::ffff:10.0.0.1']],
    ['no address at all', []],
  ])('refuses a name that resolves to %s', async ([, addresses]) => {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const reach = { resolve, isAllowed: isPublicAddress }
    expect(await errorOf(() => fetched('http://docs.test:1/a', { reach }))).toMatch(/not on the public|no address/)
  })

  it('connects to the address that was checked: the name is looked up once', async ({ site }) => {
    site.answer = send('<p>checked</p>')
    let lookups = 0
    const resolve = async () => (lookups++ === 0 ? LOCAL : [{ address: '127.0.0.2', family: 4 }])
    expect(await fetched(`http://docs.test:${site.port}/a`, { reach: { resolve } })).toContain('checked')
    expect([lookups, site.asked]).toEqual([1, [`docs.test:${site.port} /a`]])
  })

  it('asks by https even where the address says http', async ({ site }) => {
    site.answer = send('plain')
    const message = await errorOf(() => fetched(`http://docs.test:${site.port}/a`, { reach: { upgrade: true } }))
    expect(message).toContain(`https://docs.test:${site.port}/a`)
    expect(site.asked).toEqual([])
  })
})
