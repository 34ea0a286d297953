// The effects of a change list on stored values of records, part by part until all were compared.
import { addPart } from '#kernel/change/impact/add-part.ts'
import { computed, onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { messageOf } from '../api/request.ts'
import type { RecordsImpact } from '../api/wire.ts'
import type { ImpactSource } from './impact.ts'
import { useLatest } from './use-latest.ts'

/** @param digest of the list whose impact is shown; empty for none */
export function useRecordsImpact(source: () => ImpactSource, digest: () => string) {
  const impact = shallowRef<RecordsImpact | null>(null)
  const looking = ref(false)
  const failure = ref('')
  const latest = useLatest()

  /** The list of which the impact is complete. */
  let completed = ''
  /** Null while the list is different from the one whose impact is shown: its cursors are not those of the new one. */
  const continued = computed(() => {
    const shown = digest()
    return shown !== '' && source().digest !== shown ? null : shown
  })
  watch(
    continued,
    (now) => {
      if (now === '') clear()
      else if (now === null) latest.cancel()
      else if (now !== completed) void look(now)
    },
    { immediate: true },
  )
  onBeforeUnmount(clear)

  function clear(): void {
    latest.cancel()
    completed = ''
    impact.value = null
    looking.value = false
    failure.value = ''
  }

  async function look(of: string): Promise<void> {
    clear()
    looking.value = true
    await latest.run(
      async (signal) => {
        let next: string | undefined
        do {
          const part = await source().askRecords(next)
          if (signal.aborted) return
          impact.value = addPart(impact.value, part)
          next = part.next ?? undefined
        } while (next !== undefined)
      },
      {
        onResult: () => void (completed = of),
        onError: (error) => (failure.value = messageOf(error)),
        onEnd: () => (looking.value = false),
      },
    )
  }

  return { impact, looking, failure }
}
