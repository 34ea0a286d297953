// The words for the days of a flag.
import type { FlagRow, FlagState } from '../../api/flags.ts'
import type { IconName } from '../../frame/icons.ts'
import { count } from '../../text/words.ts'

export const flagStates = ['active', 'expiring', 'frozen'] as const satisfies readonly FlagState[]

export const flagStateStyles: Record<FlagState, { icon: IconName; tone: string }> = {
  active: { icon: 'clock', tone: 'muted' },
  expiring: { icon: 'warning', tone: 'warn' },
  frozen: { icon: 'lock', tone: 'err' },
}

/** `9 days left`, `last day today`, `frozen for 20 days`. */
export function daysWords({ state, daysLeft }: Pick<FlagRow, 'state' | 'daysLeft'>): string {
  if (state === 'frozen') return `frozen for ${count(-daysLeft, 'day')}`
  return daysLeft === 0 ? 'last day today' : `${count(daysLeft, 'day')} left`
}
