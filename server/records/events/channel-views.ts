// Channels as a caller can see them: their settings, the fields of their events, and how far their logs reach.
import type { ObjectField } from '#kernel/components/object/body.ts'
import { eventObjectField, type EventChannel } from '#kernel/events/index.ts'
import { rowPrograms } from '#kernel/records/index.ts'
import type { ChannelDescription, ChannelField, ChannelLog, ChannelView } from '#wire/events.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import { membersOf } from '../describe.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import { logOf } from './event-slices.ts'
import type { UsableChannel } from './open-channel.ts'

export function channelView(
  { present: { view } }: RecordCaller,
  { channel, mayRead, mayPublish }: UsableChannel,
): ChannelView {
  const { name, isDeclared, partitions, retentionDays, source } = channel
  const object = source.kind === 'changes' ? source.object : null
  const named = isDeclared ? view.get('event_channel', name) : view.get('object', object!)
  return {
    ...{ name, label: named!.label, kind: source.kind, object },
    ...{ partitions, retentionDays, mayRead, mayPublish },
  }
}

export async function describeChannel(
  caller: RecordCaller,
  reader: Pick<RecordReader, 'eventLog' | 'eventTime'>,
  usable: UsableChannel,
): Promise<ChannelDescription> {
  return {
    ...channelView(caller, usable),
    maxBytes: usable.channel.maxBytes,
    fields: fieldsOf(caller, usable.channel),
    log: usable.mayRead ? await describeLog(reader, usable) : null,
  }
}

async function describeLog(
  reader: Pick<RecordReader, 'eventLog' | 'eventTime'>,
  open: UsableChannel,
): Promise<ChannelLog> {
  const { epoch, partitions, epochs } = await logOf(reader, open)
  const described: ChannelLog['partitions'] = []
  for (const [partition, { head, tail }] of partitions.entries())
    described.push({
      ...{ partition, first: String(tail + 1), last: String(head) },
      firstAt: head === tail ? null : await reader.eventTime(open.id, partition, tail),
    })
  return {
    ...{ epoch, partitions: described },
    epochs: epochs.map(({ epoch: each, reason, at }) => ({ epoch: each, reason, at })),
  }
}

function fieldsOf({ access, present: { view } }: RecordCaller, { source }: EventChannel): ChannelField[] {
  const described = (field: ObjectField, isReadable: boolean): ChannelField => {
    const { key, label = key, type, aliases, required, precision = null, scale = null } = field
    const known = { key, aliases, isReadable }
    if (!isReadable)
      return {
        ...{ ...known, label: null, type: null, required: false, precision: null, scale: null },
        ...{ values: null, labels: null, references: null },
      }
    const members = membersOf(view, field.valueSet)
    return {
      ...known,
      label,
      type,
      required,
      precision,
      scale,
      ...members,
      references: field.references ?? null,
    }
  }
  if (source.kind === 'platform')
    return source.schema.map((field) => described({ ...eventObjectField(field), aliases: [] }, true))
  const { object, fields: carried } = source
  return rowPrograms(view, object)!.body.fields.flatMap((field) =>
    carried?.has(field.key) === false ? [] : [described(field, access.canReadField(object, field.key))],
  )
}
