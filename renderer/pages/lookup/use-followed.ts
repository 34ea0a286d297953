// A position in a list, which stays with what it was chosen for: by its id, whatever others do around it.
import { computed, ref, watch } from 'vue'

export interface FollowedList {
  /** Which list it is: no position is followed into another. */
  of: string
  /** Empty for one that has none. */
  ids: readonly string[]
}

export function useFollowed(list: () => FollowedList, first = 0) {
  const at = ref(first)
  /** The id of what was chosen, and is gone. */
  const gone = ref<string | null>(null)
  const there = computed(() => gone.value === null && at.value < list().ids.length)

  function choose(next: number): void {
    at.value = next
    gone.value = null
  }
  // Not at once: a text that is read anew goes through others on its way.
  watch(list, (now, before) => {
    if (now.of !== before.of) return void (gone.value = null)
    const id = gone.value ?? before.ids[at.value]
    if (id === undefined) return
    const found = standsAt(id, now.ids, before.ids)
    if (found !== null) return choose(found)
    gone.value = id
    at.value = now.ids.length
  })

  function standsAt(id: string, now: readonly string[], before: readonly string[]): number | null {
    const here = gone.value === null ? at.value : null
    if (here !== null && now[here] === id) return here
    // The others stand as they stood: it is called otherwise, as while a name is typed.
    const renamed = now.length === before.length && now.every((each, n) => n === here || each === before[n])
    if (here !== null && renamed) return here
    const moved = id === '' ? -1 : now.indexOf(id)
    if (moved >= 0) return moved
    return now.length >= before.length ? here : null
  }
  return { at, gone, there, choose }
}
