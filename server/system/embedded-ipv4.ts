// The IPv4 address in an IPv6 address, so that a rule about one also applies to the other.
import { isIPv6 } from 'node:net'

/**
 * Mapped, compatible, translated, NAT64 and 6to4 addresses contain one address; Teredo contains its server's and,
 * inverted, its client's. Empty for other IPv6 addresses, and for anything else.
 */
export function embeddedIpv4(address: string): string[] {
  const groups = groupsOf(address)
  if (groups === null) return []
  const at = (index: number, mask = 0): string => {
    const [high, low] = [groups[index]! ^ mask, groups[index + 1]! ^ mask]
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  const starts = (...first: number[]): boolean => first.every((group, index) => groups[index] === group)
  if (starts(0, 0, 0, 0, 0, 0xffff) || starts(0, 0, 0, 0, 0, 0) || starts(0, 0, 0, 0, 0xffff, 0))
    return [at(6)]
  if (starts(0x64, 0xff9b, 0, 0, 0, 0)) return [at(6)]
  if (starts(0x2002)) return [at(1)]
  if (starts(0x2001, 0)) return [at(2), at(6, 0xffff)]
  return []
}

/** The eight groups of an IPv6 address; null for anything else. */
function groupsOf(address: string): number[] | null {
  if (!isIPv6(address)) return null
  const plain = address
    .split('%', 1)[0]!
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) =>
      [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
    )
  const [head = '', tail] = plain.split('::')
  const parseGroups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const before = parseGroups(head)
  if (tail === undefined) return before
  const after = parseGroups(tail)
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}
