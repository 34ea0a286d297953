// The effects of a change list beyond itself, requested once the list no longer changes.
import { onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { messageOf } from '../api/request.ts'
import type { Impact } from '../api/wire.ts'

/** A change list whose impact is shown. */
export interface ImpactSource {
  /** Whether it is validated, so that it will not change in a moment. */
  settled: boolean
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
  let asked = 0
  let timer = 0
  let digest = ''

  watch(
    () => [source().settled, source().digest, source().selectedCount] as const,
    ([settled, wanted, going]) => {
      window.clearTimeout(timer)
      if (!settled || wanted === undefined || going === 0) {
        if (settled) clear()
        return
      }
      if (wanted !== digest) timer = window.setTimeout(() => void look(wanted), pause)
    },
    { immediate: true },
  )
  onBeforeUnmount(() => window.clearTimeout(timer))

  function clear(): void {
    asked++
    digest = ''
    impact.value = null
    looking.value = false
  }

  async function look(wanted: string): Promise<void> {
    const mine = ++asked
    looking.value = true
    try {
      const found = await source().ask()
      if (mine !== asked) return
      impact.value = found
      digest = wanted
      failure.value = ''
    } catch (error) {
      if (mine !== asked) return
      impact.value = null
      failure.value = messageOf(error)
    }
    looking.value = false
  }

  /** Continues the stored results. */
  async function more(): Promise<void> {
    const known = impact.value
    if (known?.results.next == null) return
    const mine = asked
    looking.value = true
    try {
      const { results } = await source().ask(known.results.next)
      if (mine === asked)
        impact.value = {
          ...known,
          results: {
            ...results,
            changed: [...known.results.changed, ...results.changed],
            looked: known.results.looked + results.looked,
            reading: known.results.reading + results.reading,
          },
        }
    } catch (error) {
      failure.value = messageOf(error)
    }
    looking.value = false
  }

  return { impact, looking, failure, more }
}
