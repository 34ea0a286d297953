// What each remote type of whole numbers holds.
import { expect, it } from 'vitest'
import { remoteRangeOf } from './remote-range.ts'
import { isInRange } from '../../decimal/integer-range.ts'

it.each([
  ['Edm.Byte', '0', '255'],
  ['Edm.SByte', '-128', '127'],
  ['Edm.Int16', '-32768', '32767'],
  ['Edm.Int32', '-2147483648', '2147483647'],
  ['Edm.Int64', '-9223372036854775808', '9223372036854775807'],
])('%s holds the whole numbers from %s to %s', (type, least, most) => {
  const range = remoteRangeOf(type)!
  for (const text of [least, most, `${most}.00`]) expect(isInRange(text, range)).toBe(true)
  const beyond = [String(BigInt(least) - 1n), String(BigInt(most) + 1n), `${most}.01`, '0.5', 'x', '']
  for (const text of beyond) expect(isInRange(text, range)).toBe(false)
})
