// What the ticked changes do beyond themselves, asked once a list has come to rest (studio: Review, impact).
import { defineStore } from 'pinia'
import { ref, shallowRef, watch } from 'vue'
import { fetchImpact } from '../api/pipeline.ts'
import { messageOf } from '../api/request.ts'
import type { Impact } from '../api/wire.ts'
import { useChanges } from './changes.ts'

const pause = 400

export const useImpact = defineStore('impact', () => {
  const changes = useChanges()
  const impact = shallowRef<Impact | null>(null)
  const looking = ref(false)
  const failure = ref('')
  let asked = 0
  let timer = 0
  let digest = ''

  /** Looks while a page shows it; answers how to stop. */
  function follow(): () => void {
    const stop = watch(
      () => [changes.settled, changes.ticked?.plan.changeDigest, changes.going] as const,
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
    return () => {
      stop()
      window.clearTimeout(timer)
    }
  }

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
      const found = await fetchImpact(changes.pick, changes.rationale)
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

  /** Goes on among the stored results. */
  async function more(): Promise<void> {
    const known = impact.value
    if (known?.results.next == null) return
    const mine = asked
    looking.value = true
    try {
      const { results } = await fetchImpact(changes.pick, changes.rationale, known.results.next)
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

  return { impact, looking, failure, follow, more }
})
