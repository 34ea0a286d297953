// Removes the escapes of JSON, URLs and HTML from a text, to find out whether a secret is in it. Fast, because a target can send
// megabytes of them.

const sign = {
  zero: 0,
  space: 32,
  hash: 35,
  percent: 37,
  amp: 38,
  plus: 43,
  zeroDigit: 48,
  semicolon: 59,
  backslash: 92,
  u: 117,
  x: 120,
}

/** A text that was escaped more often is not a mistake of a server. */
const rounds = 8

/** The same for each way to escape a text, even if each of its characters is escaped in a different way. */
export const withoutEscapes = (text: string): string =>
  changed(text, (units) => {
    const length = removeAll(units, units.length)
    const bare = removeMarks(units, length)
    // What is left can be an escape that a backslash stood in.
    return bare === length ? bare : removeMarks(units, removeAll(units, bare))
  })

/**
 * Octets of UTF-8 become characters; zero bytes, as UTF-16 has them, are left out. Backslashes stay: one can belong to the text,
 * and then what follows it is not an escape.
 */
export const unescaped = (text: string): string => changed(text, (units) => removeAll(units, units.length))

/** @param change works in place and returns the new length */
function changed(text: string, change: (units: Uint16Array) => number): string {
  const bytes = Buffer.from(text, 'utf16le')
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  return bytes.toString('utf16le', 0, change(units) * 2)
}

/** Without backslashes, so that "\\n" of JSON, a line break and both characters of a text are the same; "+" is a space. */
function removeMarks(units: Uint16Array, length: number): number {
  let to = 0
  for (let at = 0; at < length; at += 1) {
    const unit = units[at]!
    if (unit >= sign.zeroDigit) {
      if (unit !== sign.backslash) units[to++] = unit
    } else units[to++] = unit === sign.plus ? sign.space : (controls.get(unit) ?? unit)
  }
  return to
}

const controls = new Map([...'\n\r\t\b\f'].map((unit, at) => [unit.charCodeAt(0), 'nrtbf'.charCodeAt(at)]))

function removeAll(units: Uint16Array, from: number): number {
  let length = from
  for (let round = 0; round < rounds; round += 1) {
    const next = removeOnce(units, length)
    if (next === length) break
    length = next
  }
  return length
}

/** In place; returns the new length. */
function removeOnce(units: Uint16Array, length: number): number {
  let to = 0
  let at = 0
  /** As many digits from a place; -1 if one is missing. */
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
    if (unit === sign.backslash && units[at + 1] === sign.u) {
      const code = numberAt(at + 2, 4)
      if (code !== -1) [written, read] = [code, 6]
    } else if (unit === sign.percent) {
      const octet = numberAt(at + 1, 2)
      if (octet !== -1) [written, read] = [octet, 3]
    } else if (unit === sign.amp) {
      const entity = entityAt(units, at + 1, length)
      if (entity !== null) [written, read] = [entity.code, entity.length + 1]
    }
    at += read
    if (written === sign.zero) continue
    if (written < 0x80) units[to++] = written
    else if (written < 0xc0) to = writeOctet(units, to, written)
    else to = writeCode(units, to, written)
  }
  return to
}

function writeCode(units: Uint16Array, at: number, code: number): number {
  if (code <= 0xffff) {
    units[at] = code
    return at + 1
  }
  units[at] = 0xd7c0 + (code >> 10)
  units[at + 1] = 0xdc00 + (code & 0x3ff)
  return at + 2
}

/** The last octet of a character in UTF-8 is written as the character, in place of the octets before it. */
function writeOctet(units: Uint16Array, at: number, octet: number): number {
  let code = octet & 0x3f
  for (let before = 1; before <= 3 && at - before >= 0; before += 1) {
    const unit = units[at - before]!
    if (unit >= 0x80 && unit < 0xc0) code |= (unit & 0x3f) << (6 * before)
    else {
      if (unit >= leads[before]! && unit < leads[before + 1]!) {
        code |= (unit & (0x3f >> before)) << (6 * before)
        const isShortest = code >= shortest[before]! && code <= 0x10ffff
        if (isShortest) return writeCode(units, at - before, code)
      }
      break
    }
  }
  units[at] = octet
  return at + 1
}

/** The first octets of characters with two, three and four of them begin here. */
const leads = [0, 0xc2, 0xe0, 0xf0, 0xf5]
const shortest = [0, 0x80, 0x800, 0x10000]

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
const lastCode = 0x10ffff

/** What follows an ampersand, with its semicolon. */
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
    for (; at < length && code <= lastCode; at += 1) {
      const digit = digitOf(units[at]!)
      if (digit === -1 || (!isHex && digit > 9)) break
      code = code * (isHex ? 16 : 10) + digit
    }
    const isNumber = at > digits && at < length && units[at] === sign.semicolon && code <= lastCode
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
