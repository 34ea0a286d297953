// One stored result: from the list next to the page, or read separately if the list does not include it yet.
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue'
import { fetchResult } from '../../api/evaluate.ts'
import { isNotFound, messageOf } from '../../api/request.ts'
import type { StoredResult } from '../../api/wire.ts'
import { useResults } from '../../stores/results.ts'
import { useLatest } from '../../stores/use-latest.ts'

/** `id`: empty for none. `failure` contains the reason if it cannot be shown; `missing` if it does not exist. */
export function useStoredResult(id: () => string): {
  result: ComputedRef<StoredResult | null>
  missing: Ref<boolean>
  failure: Ref<string>
} {
  const store = useResults()
  const fetchedResult = shallowRef<StoredResult | null>(null)
  const missing = ref(false)
  const failure = ref('')
  const listedResult = computed(() => store.results?.find((each) => each.id === id()) ?? null)
  const result = computed(
    () => listedResult.value ?? (fetchedResult.value?.id === id() ? fetchedResult.value : null),
  )

  const latest = useLatest()
  async function read(): Promise<void> {
    latest.cancel()
    failure.value = ''
    missing.value = false
    if (id() === '' || store.results === null || listedResult.value !== null) return
    await latest.run(() => fetchResult(id()), {
      onResult: (stored) => (fetchedResult.value = stored),
      onError(error) {
        fetchedResult.value = null
        missing.value = isNotFound(error)
        failure.value = missing.value
          ? 'This stored result does not exist, or you cannot see it.'
          : messageOf(error)
      },
    })
  }
  watch([id, () => store.results], () => void read(), { immediate: true })
  return { result, missing, failure }
}
