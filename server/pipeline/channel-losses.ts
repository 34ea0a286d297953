// Changes that would end a channel which has subscriptions.
import { componentId, type ComponentId } from '#kernel/components/component.ts'
import type { ObjectBody } from '#kernel/components/object/body.ts'
import type { Change } from '#kernel/change/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { changesOf, ownChannelId, type ChannelId } from '#kernel/events/index.ts'
import type { ObjectId } from '#kernel/records/index.ts'
import type { OrgReader } from '../ports/org-store.ts'

type Reader = Pick<OrgReader, 'identities' | 'recordFacts'>

/** @param confirmed removed components whose losses the author confirms */
export function channelLosses(
  reader: Reader,
  base: number,
  changes: readonly Change[],
  confirmed: ReadonlySet<ComponentId>,
): Finding[] {
  return changes.flatMap((change): Finding[] => {
    const ended = endedChannel(reader, base, change)
    const followers = ended === null ? [] : reader.recordFacts.subscriptionsTo(ended.id)
    return followers.length === 0
      ? []
      : [stillFollowed(change, { channel: ended!.name, followers, confirmed })]
  })
}

function endedChannel(
  { identities }: Reader,
  base: number,
  change: Change,
): { id: ChannelId; name: string } | null {
  if (change.kind === 'added') return null
  const from = change.kind === 'renamed' ? change.from : change.id
  const [type, key = ''] = from.split('/') as [string, string?]
  if (type === 'event_channel' && change.kind === 'removed') {
    const id = identities.at(base, componentId('event_channel', key)) as ChannelId | undefined
    return id === undefined ? null : { id, name: key }
  }
  if (type !== 'object') return null
  const after = change.kind === 'removed' ? undefined : (change.after.body as ObjectBody)
  if (!captures(change.before.body as ObjectBody) || captures(after)) return null
  const object = identities.at(base, from) as ObjectId | undefined
  return object === undefined ? null : { id: ownChannelId(object), name: changesOf(key) }
}

const captures = (body: ObjectBody | undefined): boolean => body?.storage === 'local' && body.capture.enabled

/** Named in a finding. */
const maxNamed = 10

function stillFollowed(
  change: Change,
  {
    channel,
    followers,
    confirmed,
  }: {
    channel: string
    followers: readonly string[]
    confirmed: ReadonlySet<ComponentId>
  },
): Finding {
  const named = followers.slice(0, maxNamed).join(', ')
  const more = followers.length > maxNamed ? ` and ${followers.length - maxNamed} more` : ''
  const isConfirmed = change.kind === 'removed' ? confirmed.has(change.id) : change.hints.breaking === true
  return {
    severity: isConfirmed ? 'warning' : 'error',
    code: 'channel.subscribed',
    component: change.id,
    path: '',
    message: `The channel ${channel} has subscriptions, which ${isConfirmed ? 'end' : 'would end'}: ${named}${more}.`,
    related: [],
  }
}
