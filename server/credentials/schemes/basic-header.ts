// User name and password in a header (RFC 7617), in UTF-8.
import type { SlotValues } from './slot-values.ts'

export function basicHeader(slots: SlotValues): string {
  const username = readable('username', slots)
  if (username.includes(':'))
    throw slots.invalid('username', 'contains a colon, which separates the password')
  return `Basic ${Buffer.from(`${username}:${readable('password', slots)}`, 'utf8').toString('base64')}`
}

/** Composed characters, as the RFC asks, so that the keyboard does not decide whether a password fits. */
function readable(slot: string, slots: SlotValues): string {
  const value = slots.required(slot)
  if (!value.isWellFormed()) throw slots.invalid(slot, 'contains half of a character')
  if (/\p{Cc}/u.test(value)) throw slots.invalid(slot, 'contains a line break or another control character')
  return value.normalize('NFC')
}
