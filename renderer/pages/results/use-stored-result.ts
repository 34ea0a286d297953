// One stored result: from the list next to the page, or read separately if the list does not include it yet.
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue'
import { fetchResult } from '../../api/evaluate.ts'
import { ApiError, messageOf } from '../../api/request.ts'
import type { StoredResult } from '../../api/wire.ts'
import { useResults } from '../../stores/results.ts'
import { useLatest } from '../../stores/use-latest.ts'

/** `id`: empty for none. `failure` contains the reason if it cannot be shown. */
export function useStoredResult(id: () => string): {
  result: ComputedRef<StoredResult | null>
  failure: Ref<string>
} {
  const store = useResults()
  const far = shallowRef<StoredResult | null>(null)
  const failure = ref('')
  const near = computed(() => store.results?.find((each) => each.id === id()) ?? null)
  const result = computed(() => near.value ?? (far.value?.id === id() ? far.value : null))

  const latest = useLatest()
  async function read(): Promise<void> {
    latest.cancel()
    failure.value = ''
    if (id() === '' || store.results === null || near.value !== null) return
    await latest.run(() => fetchResult(id()), {
      onResult: (stored) => (far.value = stored),
      onError(error) {
        far.value = null
        const isNone = error instanceof ApiError && error.code === 'binding.not_found'
        failure.value = isNone ? 'This stored result does not exist, or you cannot see it.' : messageOf(error)
      },
    })
  }
  watch([id, () => store.results], () => void read(), { immediate: true })
  return { result, failure }
}
