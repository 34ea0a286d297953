// The remaining days of a flag, and its state (docs/reference/resolution-and-dates.md).
import { dayOf, parseCivilDate } from '../../dates/civil-date.ts'

/** Flags that end within this many days are expiring. */
const expiringDays = 30

/** `active`, `expiring` within thirty days (including the last day), `frozen` from the day after the last. */
export type FlagState = 'active' | 'expiring' | 'frozen'

/** Days from `today` to a flag's last day; negative once it is frozen. */
export function daysLeft(expiresOn: string, today: string): number {
  const [last, now] = [parseCivilDate(expiresOn), parseCivilDate(today)]
  return last === null || now === null ? 0 : dayOf(last) - dayOf(now)
}

export function flagState(expiresOn: string, today: string): FlagState {
  const left = daysLeft(expiresOn, today)
  if (left < 0) return 'frozen'
  return left <= expiringDays ? 'expiring' : 'active'
}
