// Which addresses a served org must not reach: its own machine and the networks around it, unless its operator allows
// them. A studio on its owner's machine can reach everything that its owner can.
import { BlockList, isIP } from 'node:net'
import { embeddedIpv4 } from './embedded-ipv4.ts'
import type { AddressRule } from './guarded-lookup.ts'

type Network = readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6']

/** IPv4 that is not public unicast (IANA's registry of special-purpose addresses). */
const reservedNetworks: readonly Network[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['2001:2::', 48, 'ipv6'],
  ['2001:10::', 28, 'ipv6'],
  ['2001:20::', 28, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
]
/** IPv6 has public unicast addresses in only one range. */
const publicIpv6: Network = ['2000::', 3, 'ipv6']

export interface AddressOptions {
  /** Whether the server runs on its owner's machine, for its owner. */
  isOwnMachine: boolean
  /** Names, addresses and networks (`10.1.0.0/16`) that the operator allows. */
  allowed: readonly string[]
}

export function addressRule({ isOwnMachine, allowed }: AddressOptions): AddressRule {
  if (isOwnMachine) return () => null
  const blocked = listOf(reservedNetworks)
  const unicast = listOf([publicIpv6])
  const open = new BlockList()
  for (const each of allowed) allow(open, each)
  const isOpen = (address: string): boolean => open.check(address, familyOf(address))
  const isPublic = (address: string): boolean => {
    const family = familyOf(address)
    return !blocked.check(address, family) && (family === 'ipv4' || unicast.check(address, family))
  }
  return (address, name) => {
    if (allowed.includes(name) || isOpen(address)) return null
    // The address that an IPv6 address represents decides, not its notation.
    const inner = embeddedIpv4(address)
    const judged = inner.length > 0 ? inner : [address]
    if (judged.every((each) => isOpen(each) || isPublic(each))) return null
    const resolvedFrom = name === address ? '' : ` (${name} resolves to it)`
    return `${address}${resolvedFrom} is in this server's network. Its operator can allow it with --allow-target`
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

function listOf(networks: readonly Network[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix, family] of networks) list.addSubnet(network, prefix, family)
  return list
}

function allow(open: BlockList, given: string): void {
  const [address = '', prefix] = given.split('/')
  const version = isIP(address)
  if (version === 0) return
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (prefix === undefined) open.addAddress(address, family)
  else open.addSubnet(address, Number(prefix), family)
}
