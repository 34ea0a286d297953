// Channels of events, their events, and subscriptions.
import type {
  ChannelDescription,
  ChannelView,
  EventPage,
  ReplayView,
  SubscriptionView,
} from '#wire/events.ts'
import { get, post, request } from './request.ts'

export type {
  ChannelDescription,
  ChannelField,
  ChannelLog,
  ChannelView,
  EventGap,
  EventPage,
  PageEvent,
  ReplayView,
  SubscriptionView,
} from '#wire/events.ts'

const channels = '/events/v3/channels'
const channelPath = (name: string): string => `${channels}/${encodeURIComponent(name)}`
const subscriptions = '/events/v3/subscriptions'

export const fetchChannels = async (): Promise<ChannelView[]> =>
  (await get<{ channels: ChannelView[] }>(channels)).channels
export const fetchChannel = (name: string): Promise<ChannelDescription> => get(channelPath(name))

/** Where a page of events begins: one of them. */
export interface EventPlace {
  /** A cursor. */
  after?: string | undefined
  from?: string | undefined
  /** A cursor, or `latest`: backwards from there. */
  before?: string | undefined
}

export interface EventQuery extends EventPlace {
  partition?: number | undefined
  limit: number
  /** Seconds that it waits for the first event. */
  wait?: number | undefined
}

export const fetchEvents = (channel: string, query: EventQuery, signal?: AbortSignal): Promise<EventPage> =>
  request('GET', `${channelPath(channel)}/events`, {
    query: { ...query },
    ...(signal === undefined ? {} : { signal }),
  })

export const publishEvent = (
  channel: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<{ eventId: string }> => post(`${channelPath(channel)}/publish`, { payload })

export interface SubscriptionQuery {
  owner?: string | undefined
  channel?: string | undefined
  removed?: 'true' | undefined
}

export interface SubscriptionList {
  subscriptions: SubscriptionView[]
  total: number
  nextCursor: string | null
}

export const fetchSubscriptions = (query: SubscriptionQuery, cursor?: string): Promise<SubscriptionList> =>
  get(subscriptions, { ...query, cursor, limit: 100 })

type Place = Pick<SubscriptionView, 'name' | 'owner'>
/** Where a subscription goes on. */
export interface SubscriptionPoint {
  from: string
  partition?: number | undefined
}

export const countReplay = ({ name, owner }: Place, point: SubscriptionPoint): Promise<ReplayView> =>
  get(`${subscriptions}/${encodeURIComponent(name)}/replay`, { owner, ...point })
/** One of the user. @throws ApiError if it does not exist */
export const fetchSubscription = (name: string): Promise<SubscriptionView> =>
  get(`${subscriptions}/${encodeURIComponent(name)}`)
/** Moves the subscription if there is one with this name. */
export const createSubscription = (
  name: string,
  body: SubscriptionPoint & { channel: string },
): Promise<SubscriptionView> => request('PUT', `${subscriptions}/${encodeURIComponent(name)}`, { body })
/** Creates the subscription if it does not exist. */
export const moveSubscription = (
  { name, owner }: Place,
  body: { channel: string; from: string },
): Promise<SubscriptionView> =>
  request('PUT', `${subscriptions}/${encodeURIComponent(name)}`, { query: { owner }, body })
/** Deletes the first ones of a filter, or only counts them. */
export const deleteSubscriptions = (request: {
  filter: SubscriptionQuery
  createdUpTo?: string
  dryRun?: boolean
}): Promise<{ deleted: number; left: number; createdUpTo: string }> => {
  const { removed, ...filter } = request.filter
  return post(`${subscriptions}/deletions`, {
    ...request,
    filter: { ...filter, removed: removed === undefined ? undefined : true },
  })
}
export const deleteSubscription = ({ name, owner }: Place): Promise<void> =>
  request('DELETE', `${subscriptions}/${encodeURIComponent(name)}`, { query: { owner } })
