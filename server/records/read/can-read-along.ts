// Whether a caller can read a field of a record, also along references.
import type { ObjectPrograms } from '#kernel/records/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import { pathOf } from './projection.ts'
import type { RecordCaller } from './record-caller.ts'
import { visibleViews } from './record-json.ts'

/** Whether the caller can read each field along a path and each record that it leads through. */
export async function canReadAlong(
  caller: RecordCaller,
  reader: RecordReader,
  programs: ObjectPrograms,
  record: StoredRecord,
  name: string,
): Promise<boolean> {
  const path = pathOf(caller, programs, name)
  if (!Array.isArray(path)) return false
  let at: StoredRecord = record
  for (const [index, { object, field }] of (path as Exclude<typeof path, string>).entries()) {
    if (!caller.access.canReadField(object, field.key)) return false
    if (index === path.length - 1) return true
    const target = field.references!
    const next = at.values.get(caller.present.names.fieldIds(object).get(field.key)!)
    const [found] =
      typeof next === 'string' ? await reader.get(caller.present.names.objectId(target)!, [next]) : []
    if (found === undefined) return true
    if ((await visibleViews(caller, reader, target, [found])).size === 0) return false
    at = found
  }
  return true
}
