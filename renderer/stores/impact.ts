// The effects of a change list beyond itself, requested once the list no longer changes.
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { messageOf } from '../api/request.ts'
import type { Impact, RecordsImpact } from '../api/wire.ts'
import { useLatest } from './use-latest.ts'

/** A change list whose impact is shown. */
export interface ImpactSource {
  /** Whether it has been validated; until then, it can still change. */
  isCurrent: boolean
  /** The same digest has the same impact. */
  digest: string | undefined
  /** How many changes are included. */
  selectedCount: number
  /** `after` continues the stored results. */
  ask(after?: string): Promise<Impact>
  /** `after` continues the records. */
  askRecords(after?: string): Promise<RecordsImpact>
}

const pause = 400

export function useImpact(source: () => ImpactSource) {
  const impact = shallowRef<Impact | null>(null)
  const looking = ref(false)
  const failure = ref('')
  const latest = useLatest()
  let timer = 0
  /** Of the list whose impact is shown; empty for none. */
  const shownDigest = ref('')

  watch(
    () => [source().isCurrent, source().digest, source().selectedCount] as const,
    ([isCurrent, requestedDigest, selectedCount]) => {
      window.clearTimeout(timer)
      if (!isCurrent || requestedDigest === undefined || selectedCount === 0) {
        if (isCurrent) clear()
        return
      }
      if (requestedDigest !== shownDigest.value)
        timer = window.setTimeout(() => void look(requestedDigest), pause)
    },
    { immediate: true },
  )
  onBeforeUnmount(() => window.clearTimeout(timer))

  function clear(): void {
    latest.cancel()
    shownDigest.value = ''
    impact.value = null
    looking.value = false
  }

  async function look(requestedDigest: string): Promise<void> {
    looking.value = true
    await latest.run(() => source().ask(), {
      onResult(result) {
        impact.value = result
        shownDigest.value = requestedDigest
        failure.value = ''
      },
      onError(error) {
        impact.value = null
        failure.value = messageOf(error)
      },
      onEnd: () => (looking.value = false),
    })
  }

  /** Continues the stored results. */
  async function more(): Promise<void> {
    const current = impact.value
    const next = current?.results.next
    if (current === null || next == null) return
    looking.value = true
    await latest.extend(() => source().ask(next), {
      onResult({ results }) {
        impact.value = {
          ...current,
          results: {
            ...results,
            changed: [...current.results.changed, ...results.changed],
            looked: current.results.looked + results.looked,
            reading: current.results.reading + results.reading,
          },
        }
      },
      onError: (error) => (failure.value = messageOf(error)),
      onEnd: () => (looking.value = false),
    })
  }

  return { impact, looking, failure, shownDigest, more }
}
