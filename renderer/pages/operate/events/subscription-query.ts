// The filter of subscriptions in the address of the page.
import type { LocationQuery } from 'vue-router'
import type { SubscriptionQuery } from '../../../api/events.ts'
import { or, queryOf, textOf } from '../lists/address-fields.ts'

export interface SubscriptionFields {
  owner: string
  channel: string
  /** Whether its channel was removed. */
  removed: boolean
}

export const fieldsOf = ({ owner, channel, removed }: LocationQuery): SubscriptionFields => ({
  ...{ owner: textOf(owner), channel: textOf(channel) },
  removed: removed === 'true',
})

export const addressOfFields = (fields: SubscriptionFields): LocationQuery => queryOf({ ...fields })

export const subscriptionQuery = ({ owner, channel, removed }: SubscriptionFields): SubscriptionQuery => ({
  ...{ owner: or(owner), channel: or(channel) },
  removed: removed ? 'true' : undefined,
})
