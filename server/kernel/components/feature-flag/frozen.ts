// A flag past its expiry keeps its value until it is extended or removed (specification 3.1, 7.7).
import { compareDates, formatLongDate, type CivilDate } from '../../dates/civil-date.ts'
import type { ComponentOf } from '../body-types.ts'
import type { RuleContext } from '../define.ts'

/** Whether the calendar has passed `expiresOn`; on that day itself the flag is still active. */
export function isFrozen(flag: ComponentOf<'feature_flag'>, today: CivilDate): boolean {
  return compareDates(today, flag.body.expiresOn) > 0
}

/**
 * The flag of this key where it is frozen and was there before, so that its value and its scope entries may not change.
 * A change list that extends the expiry thaws it; a flag that is new here may bring its first entries.
 */
export function frozenFlag(
  key: string,
  { view, base, today }: RuleContext,
): ComponentOf<'feature_flag'> | null {
  const flag = view.get('feature_flag', key)
  if (flag === undefined || !isFrozen(flag, today)) return null
  return base?.has('feature_flag', key) ? flag : null
}

/** The way out of the frozen state, as sentences. */
export function frozenWords(flag: ComponentOf<'feature_flag'>): string {
  return (
    `The flag ${flag.key} expired on ${formatLongDate(flag.body.expiresOn)} and is frozen. ` +
    `Extend "expiresOn" with a fresh rationale, or remove the flag and what reads it.`
  )
}
