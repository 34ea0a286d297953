// Where a served org may not reach: its own machine and the networks around it, unless its operator allows them
// (completions 5). A studio on its owner's machine may reach whatever its owner may.
import { BlockList, isIP } from 'node:net'
import type { AddressRule } from './undici-outbound.ts'

const inside: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]

export interface AddressOptions {
  /** The server is on its owner's machine, for its owner. */
  own: boolean
  /** Names, addresses and networks (`10.1.0.0/16`) that the operator allows. */
  allowed: readonly string[]
}

export function addressRule({ own, allowed }: AddressOptions): AddressRule {
  if (own) return () => null
  const blocked = new BlockList()
  for (const [network, prefix, family] of inside) blocked.addSubnet(network, prefix, family)
  const open = new BlockList()
  for (const each of allowed) allow(open, each)
  return (address, name) => {
    // An IPv4 address in IPv6's clothes is that IPv4 address.
    const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
    const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
    if (!blocked.check(plain, family) || open.check(plain, family) || allowed.includes(name)) return null
    const led = name === address ? '' : ` (${name} leads there)`
    return `${address}${led} is inside of this server's network. Its operator can allow it with --allow-target`
  }
}

function allow(open: BlockList, given: string): void {
  const [address = '', prefix] = given.split('/')
  const version = isIP(address)
  if (version === 0) return
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (prefix === undefined) open.addAddress(address, family)
  else open.addSubnet(address, Number(prefix), family)
}
