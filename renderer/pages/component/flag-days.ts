// Describes a flag's expiry: the days left, or since when it is frozen, by the server's date.
import { daysBetween, parseCivilDate } from '#kernel/dates/civil-date.ts'
import { count, longDate } from '../../text/words.ts'

/** Days from today to the last day; negative after it, null if one of the two is not a date. */
export function daysUntil(expiresOn: string, today: string): number | null {
  const [from, to] = [parseCivilDate(today), parseCivilDate(expiresOn)]
  return from === null || to === null ? null : daysBetween(from, to)
}

/** One sentence about the active flag and its draft. `active` is empty for a flag that is not applied yet. */
export function flagWords(active: string, drafted: string, today: string): string {
  const [since, remainingDays] = [daysUntil(active, today), daysUntil(drafted, today)]
  const isFrozen = since !== null && since < 0
  if (isFrozen && remainingDays !== null && remainingDays >= 0)
    return `Frozen since it expired on ${longDate(active)}. The draft extends it to ${longDate(drafted)}; after it is applied, the value can change again.`
  if (isFrozen)
    return `Frozen since it expired on ${longDate(active)}: its value and scope entries cannot be changed. Extend it, or draft its removal.`
  if (remainingDays === null) return ''
  return remainingDays < 0
    ? `The draft ends it on ${longDate(drafted)}, which has passed: once the draft is applied, the flag is frozen.`
    : `${count(remainingDays, 'day')} left: it expires on ${longDate(drafted)}.`
}
