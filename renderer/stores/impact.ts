// The effects of a change list beyond itself, requested once the list no longer changes.
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { messageOf } from '../api/request.ts'
import type { Impact } from '../api/wire.ts'
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
}

const pause = 400

export function useImpact(source: () => ImpactSource) {
  const impact = shallowRef<Impact | null>(null)
  const looking = ref(false)
  const failure = ref('')
  const latest = useLatest()
  let timer = 0
  let digest = ''

  watch(
    () => [source().isCurrent, source().digest, source().selectedCount] as const,
    ([isCurrent, wanted, selectedCount]) => {
      window.clearTimeout(timer)
      if (!isCurrent || wanted === undefined || selectedCount === 0) {
        if (isCurrent) clear()
        return
      }
      if (wanted !== digest) timer = window.setTimeout(() => void look(wanted), pause)
    },
    { immediate: true },
  )
  onBeforeUnmount(() => window.clearTimeout(timer))

  function clear(): void {
    latest.cancel()
    digest = ''
    impact.value = null
    looking.value = false
  }

  async function look(wanted: string): Promise<void> {
    looking.value = true
    await latest.run(() => source().ask(), {
      onResult(result) {
        impact.value = result
        digest = wanted
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
    const known = impact.value
    const next = known?.results.next
    if (known === null || next == null) return
    looking.value = true
    await latest.extend(() => source().ask(next), {
      onResult({ results }) {
        impact.value = {
          ...known,
          results: {
            ...results,
            changed: [...known.results.changed, ...results.changed],
            looked: known.results.looked + results.looked,
            reading: known.results.reading + results.reading,
          },
        }
      },
      onError: (error) => (failure.value = messageOf(error)),
      onEnd: () => (looking.value = false),
    })
  }

  return { impact, looking, failure, more }
}
