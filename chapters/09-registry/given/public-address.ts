import { BlockList, isIP, isIPv4 } from 'node:net'

/** IPv4 ranges that are not on the public internet: https://www.iana.org/assignments/iana-ipv4-special-registry */
const SPECIAL_IPV4 = [
  ['0.0.0.0', 8], // this host, this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // between a provider and its customers (CGNAT)
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local: the clouds' metadata services
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
] as const

/** What is on the public internet in IPv6: this range and no other. It has no IPv4-mapped addresses in it. */
const GLOBAL_IPV6 = [['2000::', 3]] as const

/** Ranges of GLOBAL_IPV6 that are special all the same. */
const SPECIAL_IPV6 = [
  ['2001::', 23], // protocol assignments: Teredo among them, which wraps IPv4
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which wraps IPv4
  ['3fff::', 20], // documentation
] as const

const specialIpv4 = listOf(SPECIAL_IPV4, 'ipv4')
const globalIpv6 = listOf(GLOBAL_IPV6, 'ipv6')
const specialIpv6 = listOf(SPECIAL_IPV6, 'ipv6')

/** Whether an IP address is one of the public internet. Anything that is no address, or has a zone, is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  if (isIPv4(address)) return !specialIpv4.check(address, 'ipv4')
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
}

function listOf(ranges: ReadonlyArray<readonly [string, number]>, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family)
  return list
}
