// The filter of the outbox in the address of the page: what a list, its actions and a link share.
import type { LocationQuery } from 'vue-router'
import type { OutboxQuery } from '../../api/operate.ts'

export interface OutboxFields {
  /** `open`, a state, or empty for all. */
  state: string
  failed: boolean
  credential: string
  /** A record as `<object>/<id>`, or a correlation id. */
  text: string
  /** Of the last hours; empty for all. */
  hours: string
}

export const states = [
  { value: '', words: 'all' },
  { value: 'open', words: 'open' },
  { value: 'pending', words: 'pending' },
  { value: 'sending', words: 'in flight' },
  { value: 'dead', words: 'dead letters' },
  { value: 'resolved', words: 'resolved' },
  { value: 'discarded', words: 'discarded' },
] as const

export const times = [
  { value: '', words: 'all' },
  { value: '1', words: '1 h' },
  { value: '24', words: '24 h' },
  { value: '168', words: '7 d' },
  { value: '720', words: '30 d' },
] as const

export const textOf = (value: LocationQuery[string] | undefined): string =>
  typeof value === 'string' ? value : ''
/** Empty unless it is one of the options. */
export const known = (options: readonly { value: string }[], value: string): string =>
  options.some((each) => each.value === value) ? value : ''

export function fieldsOf(query: LocationQuery): OutboxFields {
  return {
    state: known(states, textOf(query.state)),
    failed: query.failed === 'true',
    credential: textOf(query.credential),
    text: textOf(query.record) || textOf(query.correlationId),
    hours: known(times, textOf(query.hours)),
  }
}

/** What identifies a record has a slash; a correlation id with a slash is not searched for here. */
const isRecord = (text: string): boolean => text.includes('/')

export function addressOfFields({ state, failed, credential, text, hours }: OutboxFields): LocationQuery {
  const all = {
    ...{ state, failed: failed ? 'true' : '', credential, hours },
    ...(isRecord(text) ? { record: text } : { correlationId: text }),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** @param now milliseconds since 1970 */
export function outboxQuery(
  { state, failed, credential, text, hours }: OutboxFields,
  now: number,
): OutboxQuery {
  const or = (value: string): string | undefined => (value === '' ? undefined : value)
  return {
    state: or(state) as OutboxQuery['state'],
    failed: failed ? 'true' : undefined,
    credential: or(credential),
    ...(isRecord(text) ? { record: text } : { correlationId: or(text) }),
    since: hours === '' ? undefined : new Date(now - Number(hours) * 3_600_000).toISOString(),
  }
}
