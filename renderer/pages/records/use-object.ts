// The object of a page of records: its fields as the user can see them.
import { shallowRef, watch, type Ref, ref } from 'vue'
import { fetchObject, type ObjectDescription } from '../../api/records.ts'
import { isNotFound, messageOf } from '../../api/request.ts'
import { noteRecordName } from '../../stores/record-names.ts'
import { useLatest } from '../../stores/use-latest.ts'
import { useOrg } from '../../stores/org.ts'
import { useRecordEdits } from './record-edits.ts'

export interface ShownObject {
  object: Readonly<Ref<ObjectDescription | null>>
  missing: Readonly<Ref<boolean>>
  failure: Ref<string>
  load(): Promise<void>
}

/** @param key empty if no object is shown */
export function useObject(key: () => string): ShownObject {
  const org = useOrg()
  const edits = useRecordEdits()
  const object = shallowRef<ObjectDescription | null>(null)
  const missing = ref(false)
  const failure = ref('')
  const latest = useLatest()
  const load = (): Promise<void> => {
    if (key() === '') return Promise.resolve()
    return latest.run(() => fetchObject(key()), {
      onResult(found) {
        edits.followRenames(found)
        object.value = found
        noteRecordName(`/records/${encodeURIComponent(found.key)}`, found.label)
        missing.value = false
        failure.value = ''
      },
      onError(error) {
        missing.value = isNotFound(error)
        failure.value = messageOf(error)
      },
    })
  }
  watch(
    [key, () => org.epoch],
    ([now], before) => {
      if (before[0] !== now) object.value = null
      void load()
    },
    { immediate: true },
  )
  return { object, missing, failure, load }
}
