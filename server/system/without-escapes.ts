// Removes the escapes of JSON, URLs and HTML from a text, to find out whether a secret is in it. Fast, because a target can send
// megabytes of them.

const sign = { zero: 0, percent: 37, amp: 38, semicolon: 59, hash: 35, backslash: 92, u: 117, x: 120 }
/** A text that was escaped more often is not a mistake of a server. */
const rounds = 3

/** Octets become characters of Latin-1; zero bytes, as UTF-16 has them, are left out. */
export function withoutEscapes(text: string): string {
  const bytes = Buffer.from(text, 'utf16le')
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  let length = units.length
  for (let round = 0; round < rounds; round += 1) {
    const next = removeOnce(units, length)
    if (next === length) break
    length = next
  }
  return bytes.toString('utf16le', 0, length * 2)
}

/** In place; returns the new length. */
function removeOnce(units: Uint16Array, length: number): number {
  let to = 0
  let at = 0
  /** Up to four digits of the base from a place; -1 if one is missing. */
  const numberAt = (start: number, digits: number): number => {
    let value = 0
    for (let index = start; index < start + digits; index += 1) {
      const digit = index < length ? digitOf(units[index]!) : -1
      if (digit === -1) return -1
      value = value * 16 + digit
    }
    return value
  }
  while (at < length) {
    const unit = units[at]!
    let written = unit
    let read = 1
    if (unit === sign.backslash && at + 1 < length) {
      const after = units[at + 1]!
      const code = after === sign.u ? numberAt(at + 2, 4) : -1
      read = code === -1 ? 2 : 6
      written = code === -1 ? (controls.get(after) ?? after) : code
    } else if (unit === sign.percent) {
      const octet = numberAt(at + 1, 2)
      if (octet !== -1) [written, read] = [octet, 3]
    } else if (unit === sign.amp) {
      const entity = entityAt(units, at + 1, length)
      if (entity !== null) [written, read] = [entity.code, entity.length + 1]
    }
    at += read
    if (written !== sign.zero) units[to++] = written
  }
  return to
}

const controls = new Map([...'nrtbf'].map((name, at) => [name.charCodeAt(0), '\n\r\t\b\f'.charCodeAt(at)]))

function digitOf(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48
  const small = unit | 32
  return small >= 97 && small <= 102 ? small - 87 : -1
}

const entities = new Map<string, number>([
  ['amp', 38],
  ['lt', 60],
  ['gt', 62],
  ['quot', 34],
  ['apos', 39],
])
const longestName = 5

/** What follows an ampersand, with its semicolon. Characters beyond 16 bits are not in secrets that are escaped like this. */
function entityAt(
  units: Uint16Array,
  start: number,
  length: number,
): { code: number; length: number } | null {
  if (units[start] === sign.hash && start < length) {
    const isHex = (units[start + 1]! | 32) === sign.x
    const digits = start + (isHex ? 2 : 1)
    let code = 0
    let at = digits
    for (; at < length && code <= 0xffff; at += 1) {
      const digit = digitOf(units[at]!)
      if (digit === -1 || (!isHex && digit > 9)) break
      code = code * (isHex ? 16 : 10) + digit
    }
    const isNumber = at > digits && at < length && units[at] === sign.semicolon && code <= 0xffff
    return isNumber ? { code, length: at + 1 - start } : null
  }
  let name = ''
  for (let at = start; at < length && at <= start + longestName; at += 1) {
    const small = units[at]! | 32
    if (small >= 97 && small <= 122) name += String.fromCharCode(small)
    else {
      const code = units[at] === sign.semicolon ? entities.get(name) : undefined
      return code === undefined ? null : { code, length: at + 1 - start }
    }
  }
  return null
}
