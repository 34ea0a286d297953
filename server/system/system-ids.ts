// UUIDv7 (RFC 9562): ids that increase with time, even within one millisecond.
import { randomBytes } from 'node:crypto'
import type { IdGenerator } from '../ports/clock.ts'

/** Random bytes of ids to come: one call for many costs little more than one for each. */
let random = Buffer.alloc(0)
let used = 0

let lastMs = 0
let counter = 0

export const systemIds: IdGenerator = { uuid: uuidv7 }

function uuidv7(): string {
  const ms = Date.now()
  if (ms > lastMs) {
    lastMs = ms
    counter = 0
  } else if (++counter > 0xfff) {
    // More than 4096 in one millisecond: uses the next one, to keep the order.
    lastMs += 1
    counter = 0
  }
  const bytes = sixteenRandomBytes()
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function sixteenRandomBytes(): Buffer {
  if (used === random.length) {
    random = randomBytes(16 * 256)
    used = 0
  }
  return random.subarray(used, (used += 16))
}
