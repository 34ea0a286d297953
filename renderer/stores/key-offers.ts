// Business keys of a set's entries, for pickers: all of a small set; of a large one, those that match what is typed.
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue'
import { fetchComponents } from '../api/components.ts'

const maxOffers = 1000
const pause = 200

export function useKeyOffers(set: () => string, typed: () => string): ComputedRef<{ value: string }[]> {
  const offers = shallowRef<{ set: string; keys: string[]; whole: boolean }>({
    set: '',
    keys: [],
    whole: false,
  })
  let timer = 0
  onScopeDispose(() => window.clearTimeout(timer))

  async function ask(name: string, q: string): Promise<void> {
    const isSameSet = offers.value.set === name
    if (name === '' || (isSameSet && offers.value.whole)) return
    const page = await fetchComponents({
      type: 'config_entry',
      set: name,
      limit: maxOffers,
      ...(isSameSet ? { q } : {}),
    })
    const keys = page.components.map(({ facts }) => facts?.key ?? '').filter(Boolean)
    if (set() === name)
      offers.value = { set: name, keys: [...new Set(keys)].sort(), whole: !isSameSet && !page.nextCursor }
  }
  watch(
    [set, typed],
    ([name, text]) => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => void ask(name, text).catch(() => undefined), pause)
    },
    { immediate: true },
  )
  return computed(() => (offers.value.set === set() ? offers.value.keys.map((value) => ({ value })) : []))
}
