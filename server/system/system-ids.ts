// UUIDv7 (RFC 9562): ids that increase with time, even within one millisecond.
import { randomFillSync } from 'node:crypto'
import type { IdGenerator } from '../ports/clock.ts'

let lastMs = 0
let counter = 0

export const systemIds: IdGenerator = { uuid: uuidv7 }

/** Random bytes are drawn for many ids together, and each byte is used once. */
const pool = Buffer.alloc(8 * 512)
let used = pool.length

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
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = used
  used += 8
  pool[random] = (pool[random]! & 0x3f) | 0x80
  const time = lastMs.toString(16).padStart(12, '0')
  const rest = pool.toString('hex', random, used)
  pool.fill(0, random, used)
  const count = counter.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${rest.slice(0, 4)}-${rest.slice(4)}`
}
