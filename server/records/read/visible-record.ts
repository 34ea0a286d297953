// A record and a field as a caller can see them.
import type { ObjectField } from '#kernel/components/object/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { ObjectPrograms, RecordView } from '#kernel/records/index.ts'
import type { StoredRecord } from '../../ports/record-store.ts'
import { recordNotFound } from '../save/record-errors.ts'
import type { RecordCaller } from './record-caller.ts'
import { visibleViews, type recordsJson } from './record-json.ts'

/** A field that the caller cannot read does not exist here. @throws AlmanacError `request.invalid` */
export function readableField(
  { access }: RecordCaller,
  { object, body, field }: ObjectPrograms,
  name: string,
): ObjectField {
  const found = field(name)
  if (found !== undefined && access.canReadField(object, found.key)) return found
  const known = body.fields.filter(({ key }) => access.canReadField(object, key)).map(({ key }) => key)
  throw new AlmanacError('request.invalid', `${object} has no field "${name}".${didYouMean(name, known)}`)
}

/** A record that the caller cannot see does not exist. @throws AlmanacError `record.not_found` */
export async function visibleRecord(
  caller: RecordCaller,
  reader: Parameters<typeof recordsJson>[1],
  object: string,
  id: string,
): Promise<{ record: StoredRecord; views: ReadonlyMap<string, RecordView> }> {
  const objectId = caller.present.names.objectId(object)!
  const [record] = await reader.get(objectId, [id])
  if (record === undefined) throw recordNotFound(object, id)
  const views = await visibleViews(caller, reader, object, [record])
  if (views.size === 0) throw recordNotFound(object, id)
  return { record, views }
}
