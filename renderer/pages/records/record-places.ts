// The URLs of records: inside the app of the page if it is in one, so that the user stays in the app.
import { computed, type ComputedRef } from 'vue'
import { useRoute } from 'vue-router'
import type { InApp } from '../../api/records.ts'
import { newRecordPath, recordPath } from '../../text/record-address.ts'

export interface RecordPlaces {
  app: InApp
  /** Before the paths of records; empty outside of apps. */
  base: string
  list(object: string): string
  record(object: string, id: string): string
  /** The form for a new record. */
  newRecord(object: string): string
}

export function placesIn(app: InApp): RecordPlaces {
  const base = app === null ? '' : `/apps/${encodeURIComponent(app)}`
  return {
    ...{ app, base },
    list: (object) => `${base}/records/${encodeURIComponent(object)}`,
    record: (object, id) => base + recordPath(object, id),
    newRecord: (object) => base + newRecordPath(object),
  }
}

export function useRecordPlaces(): ComputedRef<RecordPlaces> {
  const route = useRoute()
  return computed(() =>
    placesIn(typeof route.params.app === 'string' && route.params.app !== '' ? route.params.app : null),
  )
}
