// UUIDv7 (RFC 9562): ids that increase with time, even within one millisecond.
import { randomBytes } from 'node:crypto'
import type { IdGenerator } from '../ports/clock.ts'

/** Random hexadecimal digits of ids to come: one call for many costs little more than one for each. */
let random = ''
let used = 0
const digits = 16

let lastMs = 0
let counter = 0
/** The digits of `lastMs`. */
let time = ''

export const systemIds: IdGenerator = { uuid: uuidv7 }

function uuidv7(): string {
  const ms = Date.now()
  if (ms > lastMs) setTime(ms)
  // More than 4096 in one millisecond: uses the next one, to keep the order.
  else if (++counter > 0xfff) setTime(lastMs + 1)
  if (used === random.length) {
    random = randomBytes(digits * 128).toString('hex')
    used = 0
  }
  const from = used
  used += digits
  const count = counter.toString(16).padStart(3, '0')
  const variant = variants[random.charCodeAt(from) & 3]!
  return `${time}-7${count}-${variant}${random.slice(from + 1, from + 4)}-${random.slice(from + 4, used)}`
}

/** The two bits of the variant, and two random ones. */
const variants = ['8', '9', 'a', 'b'] as const

function setTime(ms: number): void {
  lastMs = ms
  counter = 0
  const text = ms.toString(16).padStart(12, '0')
  time = `${text.slice(0, 8)}-${text.slice(8)}`
}
