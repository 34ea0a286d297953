// How many records a list has on all its pages, counted beside the page so that it does not wait for the count.
import { ref, watch } from 'vue'
import { countRecords } from '../../../api/records.ts'
import { useLatest } from '../../../stores/use-latest.ts'
import { useRecordPlaces } from '../record-places.ts'

export interface CountedRecords {
  object: string
  /** Empty for all records. */
  filter: string
  /** A field that the user can read. */
  field: string
}

interface CountDeps {
  /** Null if nothing is counted. */
  counted(): CountedRecords | null
  /** Changes when the records have been read again. */
  reads(): number
  /** The number at which counting ends. */
  most: number
}

/** The number of records; null while it is not known. If it is `most`, there can be more. */
export function useRecordCount({ counted, reads, most }: CountDeps) {
  const places = useRecordPlaces()
  const latest = useLatest()
  const total = ref<number | null>(null)
  watch(
    [() => JSON.stringify([counted(), places.value.app]), reads],
    ([list], [before]) => {
      if (list !== before) total.value = null
      const of = counted()
      if (of === null) return latest.cancel()
      void latest.run((signal) => countRecords(of, { most, signal, app: places.value.app }), {
        onResult: (found) => (total.value = found),
        // The list is usable without its total.
        onError: () => (total.value = null),
      })
    },
    { immediate: true },
  )
  return total
}

/** `3,000`, or `1,000+` if counting ended there. */
export const totalWords = (total: number, most: number): string =>
  `${total.toLocaleString('en-GB')}${total < most ? '' : '+'}`
