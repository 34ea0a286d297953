// The label of a path along references, for a record that is not saved and has no values along them yet.
import { ref, watch, type Ref } from 'vue'
import type { ObjectDescription } from '../api/records.ts'
import { columnsOfView } from '../pages/records/grid-columns.ts'
import { useLatest } from '../stores/use-latest.ts'
import { useOrg } from '../stores/org.ts'

/** `Customer: City`; empty while it is not known, and for a field of the object itself. */
export function useLabelAlong(object: () => ObjectDescription, path: () => string): Ref<string> {
  const org = useOrg()
  const latest = useLatest()
  const label = ref('')
  watch(
    [object, path, () => org.epoch],
    ([of, name, epoch]) => {
      if (!name.includes('.')) return void (label.value = '')
      void latest.run(() => columnsOfView(of, [name], epoch), {
        onResult: ([column]) => (label.value = column?.label ?? ''),
        // The path is shown instead.
        onError: () => (label.value = ''),
      })
    },
    { immediate: true },
  )
  return label
}
