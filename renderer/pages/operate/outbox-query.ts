// The filter of the outbox in the address of the page: what a list, its actions and a link share.
import type { LocationQuery } from 'vue-router'
import type { OutboxQuery } from '../../api/operate.ts'
import { known, or, queryOf, textOf } from './lists/address-fields.ts'
import { sinceOf, times } from './lists/filter-options.ts'

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

export const addressOfFields = ({ text, ...others }: OutboxFields): LocationQuery =>
  queryOf({ ...others, ...(isRecord(text) ? { record: text } : { correlationId: text }) })

/** @param now milliseconds since 1970 */
export function outboxQuery(
  { state, failed, credential, text, hours }: OutboxFields,
  now: number,
): OutboxQuery {
  return {
    state: or(state) as OutboxQuery['state'],
    failed: failed ? 'true' : undefined,
    credential: or(credential),
    ...(isRecord(text) ? { record: text } : { correlationId: or(text) }),
    since: sinceOf(hours, now),
  }
}
