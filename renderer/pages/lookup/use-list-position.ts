// A position in a list that follows the chosen item by its id, even when others are added, removed or moved.
import { computed, ref, watch } from 'vue'

export interface FollowedList {
  /** The identity of the list: a position is not followed into another list. */
  of: string
  /** Empty for an item without an id. */
  ids: readonly string[]
}

export function useListPosition(list: () => FollowedList, first = 0) {
  const at = ref(first)
  /** The id of the chosen item that no longer exists. */
  const missingId = ref<string | null>(null)
  const isPresent = computed(() => missingId.value === null && at.value < list().ids.length)

  function choose(next: number): void {
    at.value = next
    missingId.value = null
  }
  // Not at once: a text that is read again goes through other states on its way.
  watch(list, (now, before) => {
    if (now.of !== before.of) return void (missingId.value = null)
    const id = missingId.value ?? before.ids[at.value]
    if (id === undefined) return
    const found = standsAt(id, now.ids, before.ids)
    if (found !== null) return choose(found)
    missingId.value = id
    at.value = now.ids.length
  })

  function standsAt(id: string, now: readonly string[], before: readonly string[]): number | null {
    const here = missingId.value === null ? at.value : null
    if (here !== null && now[here] === id) return here
    // The other ids are unchanged: the item was renamed, as while its name is typed.
    const renamed = now.length === before.length && now.every((each, n) => n === here || each === before[n])
    if (here !== null && renamed) return here
    const moved = id === '' ? -1 : now.indexOf(id)
    if (moved >= 0) return moved
    return now.length >= before.length ? here : null
  }
  return { at, gone: missingId, there: isPresent, choose }
}
