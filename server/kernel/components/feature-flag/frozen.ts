// An expired flag keeps its value until it is extended or removed (docs/reference/resolution-and-dates.md).
import { compareDates, formatLongDate, type CivilDate } from '../../dates/civil-date.ts'
import type { ComponentOf } from '../body-types.ts'
import type { RuleContext } from '../define.ts'

/** Reports whether `expiresOn` has passed; on that day the flag is still active. */
export function isFrozen(flag: ComponentOf<'feature_flag'>, today: CivilDate): boolean {
  return compareDates(today, flag.body.expiresOn) > 0
}

/**
 * Returns the flag with this key if it is frozen and existed before: its value and scope entries cannot change.
 * A change list that extends the expiry unfreezes it. A new flag can come with its first entries.
 */
export function frozenFlag(
  key: string,
  { view, base, today }: RuleContext,
): ComponentOf<'feature_flag'> | null {
  const flag = view.get('feature_flag', key)
  if (flag === undefined || !isFrozen(flag, today)) return null
  return base?.has('feature_flag', key) ? flag : null
}

/** Explains the frozen state and how to leave it, in sentences. */
export function frozenMessage(flag: ComponentOf<'feature_flag'>): string {
  return (
    `The flag ${flag.key} expired on ${formatLongDate(flag.body.expiresOn)} and is frozen. ` +
    `Extend "expiresOn" with a new rationale, or remove the flag and everything that reads it.`
  )
}
