import type { LookupAddress } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import zlib from 'node:zlib'
import { addressesOf, pageUrl, type Reach } from './page-url.ts'

export interface FetchLimits {
  /** How much of a page is read, in bytes, before and after decompression. */
  maxBytes: number
  /** How long all of it may take, in milliseconds. */
  timeoutMs: number
}

/** A page, or the other host that it has moved to. */
export type Fetched =
  | { type: 'page'; url: string; contentType: string; body: Buffer }
  | { type: 'moved'; url: string; to: string }

const MAX_REDIRECTS = 5

/**
 * Fetches a page. Redirects are followed on the same host alone; the address of another host is reported, for whoever
 * asked to decide on it. Every hop is checked, and connects to the very addresses that were checked: the name is not
 * looked up again, so it cannot have come to mean another machine in between.
 *
 * Throws an Error that names the address and what is wrong: a host that is not public, a status of 400 or more, too many
 * redirects, too large, too slow. Throws the signal's reason when it is aborted. No connection is left behind.
 */
export async function fetchPage(
  written: string,
  reach: Reach,
  options: FetchLimits & { signal: AbortSignal },
): Promise<Fetched> {
  const timeout = AbortSignal.timeout(options.timeoutMs)
  const signal = AbortSignal.any([options.signal, timeout])
  try {
    return await follow(pageUrl(written, reach), reach, { ...options, signal })
  } catch (error) {
    options.signal.throwIfAborted()
    if (timeout.aborted) throw new Error(`${written} took longer than ${options.timeoutMs} ms.`)
    throw error
  }
}

async function follow(start: URL, reach: Reach, options: FetchLimits & { signal: AbortSignal }): Promise<Fetched> {
  let url = start
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await request(url, await addressesOf(url, reach, options.signal), options.signal)
    const { statusCode = 0, statusMessage, headers } = response
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) {
      if (statusCode < 200 || statusCode >= 300) {
        response.destroy()
        throw new Error(`${url.href} answered ${statusCode} ${statusMessage}.`)
      }
      const body = await readBody(url, response, options.maxBytes)
      return { type: 'page', url: url.href, contentType: headers['content-type'] ?? '', body }
    }
    response.destroy()
    if (!URL.canParse(headers.location, url.href)) throw new Error(`${url.href} redirects to "${headers.location}".`)
    const to = pageUrl(new URL(headers.location, url), reach)
    if (to.host !== url.host) {
      await addressesOf(to, reach, options.signal)
      return { type: 'moved', url: url.href, to: to.href }
    }
    url = to
  }
  throw new Error(`${start.href} redirects more than ${MAX_REDIRECTS} times.`)
}

function request(url: URL, addresses: LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  const { get } = url.protocol === 'https:' ? https : http
  const headers = { accept: 'text/markdown, text/html, text/plain;q=0.9, */*;q=0.5', 'accept-encoding': 'identity' }
  return new Promise((resolve, reject) => {
    get(url, { agent: false, lookup: pinnedTo(addresses), signal, headers }, resolve).on('error', (error) =>
      reject(signal.aborted ? error : new Error(`${url.href} could not be reached: ${error.message || error.name}`)),
    )
  })
}

/** A look-up that always finds `addresses`, whatever it is asked for. */
function pinnedTo(addresses: LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    if (all) callback(null, addresses)
    else callback(null, addresses[0].address, addresses[0].family)
  }
}

const DECODERS: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
}

/** The whole body, decompressed. Throws as soon as it is larger than `maxBytes`, and lets go of the connection. */
async function readBody(url: URL, response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity'
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]() : undefined
  try {
    if (!decoder && encoding !== 'identity') throw new Error(`${url.href} is encoded as "${encoding}".`)
    if (decoder) response.on('error', (error) => (decoder as unknown as Readable).destroy(error)).pipe(decoder)
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of decoder ?? response) {
      size += chunk.length
      if (size > maxBytes) throw new Error(`${url.href} is larger than ${maxBytes} bytes.`)
      chunks.push(chunk as Buffer)
    }
    return Buffer.concat(chunks)
  } finally {
    response.destroy()
  }
}
