// The words and marks of calls, breakers and times on the pages of operators.
import type { BreakerStatus, OutboxRowView } from '../../api/operate.ts'
import type { IconName } from '../../frame/icons.ts'
import { momentWords } from '../../text/words.ts'

export interface Mark {
  words: string
  icon: IconName
  /** A colour of the studio's states, beside the icon and the words. */
  tone: 'muted' | 'ok' | 'warn' | 'err'
}

/**
 * What a list with a filter of a state counts, after the number: `1 call`, `2 dead letters`, `3 pending`.
 * @param stateWords the words of the state in the filter; `all` for any
 */
export function countedWords(number: number, stateWords: string, one: string, many: string): string {
  if (stateWords === 'all') return number === 1 ? one : many
  return stateWords === 'dead letters' && number === 1 ? 'dead letter' : stateWords
}

export function callMark({ state, problem, attempts, priorAttempts }: OutboxRowView): Mark {
  switch (state) {
    case 'sending':
      return { words: 'in flight', icon: 'send', tone: 'ok' }
    case 'dead':
      return problem?.code === 'integration.outcome_unknown'
        ? { words: 'outcome unknown', icon: 'warning', tone: 'err' }
        : { words: 'dead letter', icon: 'error', tone: 'err' }
    case 'pending':
      if (problem !== null) return { words: 'held', icon: 'hold', tone: 'warn' }
      return attempts.length > priorAttempts
        ? { words: 'retrying', icon: 'again', tone: 'warn' }
        : { words: 'pending', icon: 'ring', tone: 'muted' }
    case 'resolved':
      return { words: 'resolved', icon: 'okay', tone: 'muted' }
    case 'discarded':
      return { words: 'discarded', icon: 'trash', tone: 'muted' }
  }
}

export function breakerMark({ state, nextProbeAt }: BreakerStatus): Mark {
  switch (state) {
    case 'closed':
      return { words: 'closed', icon: 'okay', tone: 'ok' }
    case 'half_open':
      return { words: 'half-open, one probe', icon: 'half', tone: 'warn' }
    case 'open':
      return { words: `open until ${timeWords(nextProbeAt)}`, icon: 'hold', tone: 'err' }
    case 'forced_open':
      return { words: 'forced open', icon: 'lock', tone: 'err' }
  }
}

const causes: Readonly<Record<string, string>> = {
  failures: 'too many attempts failed',
  open_elapsed: 'the time to wait was over, so one call probes the target',
  probe_succeeded: 'the probe succeeded',
  probe_failed: 'the probe failed',
  probe_released: 'the probe was not sent',
  probe_lapsed: 'the probe did not report',
  forced_open: 'a user opened it',
  forced_closed: 'a user closed it',
}
export const causeWords = (cause: string | null): string => (cause === null ? '–' : (causes[cause] ?? cause))

/** `14:02:31`, in the user's time zone. */
export const timeWords = (instant: string | null): string =>
  instant === null ? '–' : new Date(instant).toLocaleTimeString('en-GB')

/** Seconds and tenths, which are the same in each time zone. */
const secondsOf = (instant: string): string => new Date(instant).toISOString().slice(17, 21)

/** `14:02:31.4`, for events that follow each other closely. */
export const closeTimeWords = (instant: string): string =>
  `${new Date(instant).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}:${secondsOf(instant)}`

/** `14 Nov, 14:02:31.4` */
export const closeMomentWords = (instant: string): string => `${momentWords(instant)}:${secondsOf(instant)}`

/** `842 ms`, `2.0 s`, `6 min 20 s`, `2 h 5 min`, `3 d`. */
export function spanWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const [days, hours, minutes] = [seconds / 86_400, seconds / 3600, seconds / 60].map(Math.floor) as [
    number,
    number,
    number,
  ]
  if (days >= 2) return `${days} d`
  if (hours >= 1) return `${hours} h${part(minutes % 60, 'min')}`
  return `${minutes} min${part(Math.floor(seconds % 60), 's')}`
}

/** `12 s`, `6 min 20 s`: in whole seconds, for a time that is shown again each second. */
export const wholeSpanWords = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return seconds < 60 ? `${seconds} s` : spanWords(seconds * 1000)
}

const part = (value: number, unit: string): string => (value === 0 ? '' : ` ${value} ${unit}`)

/** The first and the last characters of an id, which is copied or linked as a whole. */
export const shortId = (id: string): string => (id.length <= 12 ? id : `${id.slice(0, 4)}…${id.slice(-4)}`)
