// How many stored results bind a set: those that a change to past days affects.
import { defineStore } from 'pinia'
import { shallowReactive, watch } from 'vue'
import { fetchBoundResults, type SheetType } from '../api/sheet.ts'
import { count } from '../text/words.ts'
import { useOrg } from './org.ts'

export const useBoundResults = defineStore('bound-results', () => {
  const counts = shallowReactive(new Map<string, number>())
  const org = useOrg()
  const requestedIds = new Set<string>()
  watch(
    () => org.epoch,
    () => requestedIds.clear(),
  )

  /** Undefined until it is known. */
  function of(type: SheetType, set: string): number | undefined {
    const id = `${type}/${set}`
    if (!requestedIds.has(id)) {
      requestedIds.add(id)
      fetchBoundResults(type, set).then(
        (bound) => counts.set(id, bound),
        () => undefined,
      )
    }
    return counts.get(id)
  }

  /** `3 stored results are bound to vat_rate; they keep their values until recomputed.` */
  function words(type: SheetType, set: string): string {
    const bound = of(type, set)
    if (bound === undefined) return ''
    if (bound === 0) return `No stored result is bound to ${set}.`
    return `${count(bound, 'stored result is', 'stored results are')} bound to ${set}; ${bound === 1 ? 'it keeps its value' : 'they keep their values'} until recomputed.`
  }
  return { of, words }
})
