// Events as a consumer can see them: those of records that they can read, with hidden fields as null.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import { rowPrograms } from '#kernel/records/index.ts'
import type { EventJson } from '#wire/events.ts'
import type { LoggedEvent } from '../../ports/events.ts'
import type { RecordChange } from '../../ports/record-change.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import { changePayload, type CarriedField } from '../save/change-payload.ts'
import { visibleViews, type ShownRecord } from '../read/record-json.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import type { ObjectChanges } from '#kernel/events/index.ts'
import type { OpenChannel } from './open-channel.ts'

/** Events of one partition; null in place of one that the caller cannot see. */
export async function shownEvents(
  caller: RecordCaller,
  reader: Pick<RecordReader, 'get' | 'history'>,
  { channel }: OpenChannel,
  partition: number,
  events: readonly LoggedEvent[],
): Promise<(EventJson | null)[]> {
  const { source } = channel
  if (source.kind === 'platform')
    return events.map((event) => {
      const { content } = event
      if (content.kind !== 'platform') return null
      const { payload, correlationId, generation } = content
      return { ...envelope(event, partition, { correlationId, generation }), payload }
    })
  const fields = carriedFields(caller, source)
  const objectId = caller.present.names.objectId(source.object)!
  // The channel can have carried the changes of a different object before.
  const changes = events.flatMap(({ content }) =>
    content.kind === 'change' && content.change.object === objectId ? [content.change] : [],
  )
  const visible = await visibleRecords(caller, reader, source.object, changes)
  return events.map((event) => {
    const { content } = event
    if (content.kind !== 'change' || content.change.object !== objectId) return null
    if (!visible(content.change.record)) return null
    const { correlationId, generation } = content.change
    return {
      ...envelope(event, partition, { correlationId, generation }),
      payload: changePayload(source.object, content.change, (field) => fields.get(field)),
    }
  })
}

const envelope = (
  { id, sequence, at }: LoggedEvent,
  partition: number,
  of: { correlationId: string; generation: number },
): Omit<EventJson, 'payload'> => ({
  ...{ eventId: id, sequence: String(sequence), commitTs: at, partition, ...of },
})

const known = new WeakMap<RecordCaller, Map<string, ReadonlyMap<FieldId, CarriedField>>>()

/** The fields of a channel as the caller knows them now; those that were removed since are left out. */
function carriedFields(
  caller: RecordCaller,
  { object, fields: carried }: ObjectChanges,
): ReadonlyMap<FieldId, CarriedField> {
  const place = `${object} ${carried === null ? '' : [...carried].join()}`
  let lists = known.get(caller)
  if (lists === undefined) known.set(caller, (lists = new Map()))
  let fields = lists.get(place)
  if (fields === undefined) {
    const ids = caller.present.names.fieldIds(object)
    const body = rowPrograms(caller.present.view, object)!.body
    fields = new Map(
      body.fields.flatMap(({ key, aliases }): [FieldId, CarriedField][] => {
        const id = ids.get(key)
        if (id === undefined || carried?.has(key) === false) return []
        return [[id, { names: [key, ...aliases], isReadable: caller.access.canReadField(object, key) }]]
      }),
    )
    lists.set(place, fields)
  }
  return fields
}

/** Which records of the changes the caller can read now; of a deleted one, just before it was deleted. */
async function visibleRecords(
  caller: RecordCaller,
  reader: Pick<RecordReader, 'get' | 'history'>,
  object: string,
  changes: readonly RecordChange[],
): Promise<(id: string) => boolean> {
  const { access, present } = caller
  if (!access.may(object, 'read')) return () => false
  if (access.accessToAll(object) !== 'none') return () => true
  const ids = [...new Set(changes.map(({ record }) => record))]
  const objectId = present.names.objectId(object)!
  const records: ShownRecord[] = [...(await reader.get(objectId, ids))]
  const stored = new Set(records.map(({ id }) => id))
  for (const id of ids) {
    if (stored.has(id)) continue
    const deleted = await beforeDeletion(reader, objectId, id)
    if (deleted !== null) records.push(deleted)
  }
  const visible = await visibleIds(caller, reader, object, records)
  return (id) => visible.has(id)
}

/** A rule that cannot be evaluated for one record hides that one alone. */
async function visibleIds(
  caller: RecordCaller,
  reader: Pick<RecordReader, 'get'>,
  object: string,
  records: readonly ShownRecord[],
): Promise<Set<string>> {
  try {
    return new Set((await visibleViews(caller, reader, object, records)).keys())
  } catch (error) {
    if (!(error instanceof AlmanacError)) throw error
    if (records.length === 1) return new Set()
    const found = new Set<string>()
    for (const record of records)
      for (const id of await visibleIds(caller, reader, object, [record])) found.add(id)
    return found
  }
}

/** A deletion contains every value that the record had. */
async function beforeDeletion(
  reader: Pick<RecordReader, 'history'>,
  object: ObjectId,
  id: string,
): Promise<ShownRecord | null> {
  const [last] = (await reader.history(object, id, { limit: 1 })).changes
  if (last?.operation !== 'delete') return null
  return {
    id,
    version: last.version,
    values: new Map(last.fields.map(({ field, before }) => [field, before])),
  }
}
