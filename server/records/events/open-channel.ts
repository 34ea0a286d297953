// A channel as a caller can use it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import {
  declaredOver,
  findChannel,
  listChannels,
  objectOfChanges,
  type ChannelId,
  type EventChannel,
  type PlatformEvents,
} from '#kernel/events/index.ts'
import type { RecordCaller } from '../read/record-caller.ts'

export interface OpenChannel {
  channel: EventChannel
  id: ChannelId
}

export interface UsableChannel extends OpenChannel {
  mayRead: boolean
  mayPublish: boolean
}

/** A channel that the caller can read or publish to. @throws AlmanacError `channel.not_found` */
export function usableChannel(caller: RecordCaller, name: string): UsableChannel {
  const open = visibleChannel(caller, name)
  return {
    ...open,
    mayRead: mayRead(caller, open.channel),
    mayPublish: mayPublish(caller, open.channel),
  }
}

/** A channel whose events the caller may receive. @throws AlmanacError `channel.not_found`, `access.denied` */
export function readableChannel(caller: RecordCaller, name: string): OpenChannel {
  const open = visibleChannel(caller, name)
  if (mayRead(caller, open.channel)) return open
  throw new AlmanacError(
    'access.denied',
    `${caller.access.user} can publish to ${open.channel.name}, but not read it. None of their permission sets is granted "read" on it.`,
    { details: [{ channel: open.channel.name, right: 'read' }] },
  )
}

/** @throws AlmanacError `channel.not_found`, `access.denied`, `request.invalid` for a channel of changes */
export function publishableChannel(
  caller: RecordCaller,
  name: string,
): OpenChannel & { source: PlatformEvents } {
  const { channel, id } = visibleChannel(caller, name)
  const { source } = channel
  if (source.kind === 'changes')
    throw new AlmanacError(
      'request.invalid',
      `${channel.name} carries the changes of ${source.object}, which saves publish. Publish to a channel with a schema.`,
    )
  if (mayPublish(caller, channel)) return { channel, id, source }
  throw new AlmanacError(
    'access.denied',
    `${caller.access.user} cannot publish to ${channel.name}. None of their permission sets is granted "publish" on it.`,
    { details: [{ channel: channel.name, right: 'publish' }] },
  )
}

/** The channels that the caller can read or publish to. */
export function visibleChannels(caller: RecordCaller): UsableChannel[] {
  return listChannels(caller.present.view).flatMap((channel) => {
    const rights = { mayRead: mayRead(caller, channel), mayPublish: mayPublish(caller, channel) }
    const id = caller.present.names.channelId(channel.name)
    return id === undefined || !(rights.mayRead || rights.mayPublish) ? [] : [{ channel, id, ...rights }]
  })
}

/** All channels, by identity. */
export function channelsById({
  present: { view, names },
}: Pick<RecordCaller, 'present'>): ReadonlyMap<ChannelId, OpenChannel> {
  return new Map(
    listChannels(view).flatMap((channel): [ChannelId, OpenChannel][] => {
      const id = names.channelId(channel.name)
      return id === undefined ? [] : [[id, { channel, id }]]
    }),
  )
}

function visibleChannel(caller: RecordCaller, name: string): OpenChannel {
  const { view, names } = caller.present
  const channel = findChannel(view, name)
  const id = channel === undefined ? undefined : names.channelId(channel.name)
  if (channel !== undefined && id !== undefined && (mayRead(caller, channel) || mayPublish(caller, channel)))
    return { channel, id }
  throw unknownChannel(caller, name)
}

function unknownChannel(caller: RecordCaller, name: string): AlmanacError {
  const object = objectOfChanges(name)
  const instead =
    object === undefined
      ? []
      : declaredOver(caller.present.view, object).flatMap(({ key }) => {
          const channel = findChannel(caller.present.view, key)!
          return mayRead(caller, channel) ? [key] : []
        })
  const known = visibleChannels(caller).map(({ channel }) => channel.name)
  const hint =
    instead.length > 0
      ? ` The changes of ${object} are in ${instead.join(' and ')}.`
      : didYouMean(name, known)
  return new AlmanacError('channel.not_found', `The channel "${truncateInput(name)}" does not exist.${hint}`)
}

function mayRead({ access }: RecordCaller, { name, isDeclared, source }: EventChannel): boolean {
  if (isDeclared && !access.mayUseChannel(name, 'read')) return false
  return source.kind === 'platform' || access.may(source.object, 'read')
}

function mayPublish({ access }: RecordCaller, { name, source }: EventChannel): boolean {
  return source.kind === 'platform' && access.mayUseChannel(name, 'publish')
}
