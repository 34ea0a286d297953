// The filter of deliveries in the address of the page: what the list, its actions and a link share.
import type { LocationQuery } from 'vue-router'
import type { DeliveryQuery } from '../../../api/deliveries.ts'
import { known, or, queryOf, textOf } from '../lists/address-fields.ts'
import { sinceOf, times } from '../lists/filter-options.ts'

export interface DeliveryFields {
  /** `open`, a state, or empty for all. */
  state: string
  failed: boolean
  /** Key of a webhook endpoint. */
  endpoint: string
  correlationId: string
  /** Of the last hours; empty for all. */
  hours: string
}

export const deliveryStates = [
  { value: '', words: 'all' },
  { value: 'open', words: 'open' },
  { value: 'pending', words: 'waiting' },
  { value: 'held', words: 'held' },
  { value: 'dispatching', words: 'dispatching' },
  { value: 'dispatched', words: 'dispatched' },
  { value: 'dead', words: 'dead letters' },
  { value: 'discarded', words: 'discarded' },
] as const

export const fieldsOf = ({
  state,
  failed,
  endpoint,
  correlationId,
  hours,
}: LocationQuery): DeliveryFields => ({
  state: known(deliveryStates, textOf(state)),
  failed: failed === 'true',
  endpoint: textOf(endpoint),
  correlationId: textOf(correlationId),
  hours: known(times, textOf(hours)),
})

export const addressOfFields = (fields: DeliveryFields): LocationQuery => queryOf({ ...fields })

/** @param now milliseconds since 1970 */
export function deliveryQuery(
  { state, failed, endpoint, correlationId, hours }: DeliveryFields,
  now: number,
): DeliveryQuery {
  return {
    state: or(state) as DeliveryQuery['state'],
    failed: failed ? 'true' : undefined,
    endpoint: or(endpoint),
    correlationId: or(correlationId),
    since: sinceOf(hours, now),
  }
}
