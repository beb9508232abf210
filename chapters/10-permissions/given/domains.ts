import { domainToASCII } from 'node:url'

/**
 * The host of an address as rules know it: in lower case, in ASCII (punycode), without a dot at the end; or undefined
 * where it has none that can be trusted. A browser and a fetch library read an odd address in two ways, so what is odd
 * (a control character, a blank, a backslash, a name or password before the host) is no host.
 */
export function hostOf(url: string): string | undefined {
  if (/[\p{Cc}\s\\]/u.test(url) || !URL.canParse(url)) return undefined
  const { protocol, username, password, hostname } = new URL(url)
  if (!/^https?:$/.test(protocol) || username || password) return undefined
  return hostname.replace(/\.$/, '') || undefined
}

/** Every host that somebody may read in an address: what a rule that denies looks at. */
export function anyHostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined
}

/** A rule's host, written as `hostOf` writes them, or undefined where it is none. Stars stand for parts of it. */
export function readDomain(written: string): string | undefined {
  if (written === '*') return written
  const parts = written.replace(/\.$/, '').split('.')
  const ascii = parts.map((part) => (/^(?:\*|[\w*-]+)$/.test(part) ? part.toLowerCase() : domainToASCII(part)))
  const isHost = ascii.every((part) => part !== '' && /^[\w*-]+$/.test(part))
  return isHost ? ascii.join('.') : undefined
}

/**
 * Whether a host fits a rule's: `example.com` is that host alone; in `*.example.com` the star at the start is one or more
 * names, so it is every host below, and not example.com itself; any other star stays within one name. `*` alone is every
 * host. A host fits from its first character to its last: `notexample.com` is no `example.com`, nor is `example.com.evil`.
 */
export function domainFits(host: string, pattern: string): boolean {
  if (pattern === '*') return true
  const [first, ...rest] = pattern.split('.')
  const inName = (part: string) => part.replaceAll('*', '[^.]*')
  const start = first === '*' ? '[^.]+(?:\\.[^.]+)*' : inName(first)
  return new RegExp(`^${[start, ...rest.map(inName)].join('\\.')}$`).test(host)
}
