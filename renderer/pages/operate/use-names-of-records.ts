// Reads the names of the records of a list, each once.
import { watch } from 'vue'
import type { RecordPlace } from '../../api/records.ts'
import { readRecordNames } from '../../stores/record-names.ts'

/** @param record `<object>/<id>`; the ID of a row of a source can contain a slash */
export function placeOfRecord(record: string): RecordPlace {
  const slash = record.indexOf('/')
  return { object: record.slice(0, slash), id: record.slice(slash + 1) }
}

/** @param records `<object>/<id>`; null for what is not about a record */
export function useNamesOfRecords(records: () => readonly (string | null)[]): void {
  const requested = new Set<string>()
  watch(
    () => records().filter((record) => record !== null && !requested.has(record)),
    (found) => {
      const missing = [...new Set(found)].filter((record) => record !== null)
      for (const record of missing) requested.add(record)
      // Without names, the list shows the ends of the IDs.
      if (missing.length > 0) void readRecordNames(missing.map(placeOfRecord)).catch(() => undefined)
    },
    { immediate: true },
  )
}
