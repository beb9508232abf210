import { type LookupAddress, promises } from 'node:dns'
import { isIP } from 'node:net'
import { untilAborted } from '../../02-agent-loop/given/until-aborted.ts'
import { isPublicAddress } from './public-address.ts'

/** Where pages may be fetched from. The defaults are right; tests put a server of their own in their place. */
export interface Reach {
  /** All addresses of a host. */
  resolve: (hostname: string) => Promise<LookupAddress[]>
  /** May this address be connected to? */
  isAllowed: (address: string) => boolean
  /** Whether `http:` becomes `https:`. */
  upgrade: boolean
}

export const PUBLIC_INTERNET: Reach = {
  resolve: (hostname) => promises.lookup(hostname, { all: true }),
  isAllowed: isPublicAddress,
  upgrade: true,
}

/**
 * The address of a page, ready to be fetched: `http:` or `https:`, without a name and a password, and with a host that
 * is not known to be out of reach. Every way to write an IPv4 address (`2130706433`, `0x7f.1`, `017700000001`) is read
 * as the four numbers that it stands for. Throws an Error that names what came and says what is wrong.
 */
export function pageUrl(written: string | URL, reach: Reach): URL {
  const shown = JSON.stringify(String(written))
  const url = URL.canParse(String(written)) ? new URL(written) : undefined
  if (!url) throw new Error(`${shown} is no address. Write all of it: https://example.com/page`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${shown} starts with ${url.protocol}, and only http: and https: can be fetched.`)
  }
  if (url.username || url.password) throw new Error(`${shown} has a user name or a password in it. Leave it out.`)
  const host = hostOf(url)
  if (/^(.*\.)?localhost\.?$/.test(host) || (isIP(host) && !reach.isAllowed(host))) throw notPublic(url, host)
  if (reach.upgrade) url.protocol = 'https:'
  return url
}

/**
 * The addresses to connect to for `url`. Throws unless every address that its host resolves to may be reached: one
 * private address among them is enough to refuse, since nobody can say which one a connection would take.
 */
export async function addressesOf(url: URL, reach: Reach, signal: AbortSignal): Promise<LookupAddress[]> {
  const host = hostOf(url)
  const family = isIP(host)
  if (family) return [{ address: host, family }]
  const addresses = await untilAborted(reach.resolve(host), signal).catch((error) => {
    signal.throwIfAborted()
    throw new Error(`The host ${host} was not found (${error.code ?? error.message}). Check the address.`)
  })
  if (addresses.length === 0) throw new Error(`The host ${host} has no address. Check the address.`)
  const refused = addresses.find(({ address }) => !reach.isAllowed(address))
  if (refused) throw notPublic(url, refused.address)
  return addresses
}

/** The host without the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function notPublic(url: URL, where: string): Error {
  return new Error(`Refused ${url.href}: ${where} is not on the public internet, and only public pages can be fetched.`)
}
