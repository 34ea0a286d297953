// The names of records and the labels of objects that were shown or read, for tabs and for links to records.
import { shallowReactive } from 'vue'
import { fetchRecordNames, type RecordPlace } from '../api/records.ts'
import { recordPath } from '../text/record-address.ts'

const names = shallowReactive(new Map<string, string>())

/** @param path of the record's page, or of the list of an object */
export const recordName = (path: string): string | undefined => names.get(path)
export const noteRecordName = (path: string, name: string): unknown => names.set(path, name)

/** Records in one request. */
const mostNames = 200

/** Reads names that are not known yet; a record whose name the user cannot see has none. */
export async function readRecordNames(records: readonly RecordPlace[]): Promise<void> {
  const missing = records.filter(({ object, id }) => recordName(recordPath(object, id)) === undefined)
  for (let at = 0; at < missing.length; at += mostNames)
    for (const { object, id, name } of await fetchRecordNames(missing.slice(at, at + mostNames))) {
      const path = recordPath(object, id)
      // A page that was shown in the meantime has noted it.
      if (name !== null && recordName(path) === undefined) noteRecordName(path, name)
    }
}
