// Which findings a form shows: those of fields that have a value or were left, never of a field before anything is
// typed into it, nor of one that is being typed into. On a check, when a problem leads to its place, it shows all of
// them.
import { reactive, ref } from 'vue'

export interface FieldAttention {
  /** Whether a finding at this JSON pointer is shown; `blank`: the field is still empty. */
  shows: (path: string, blank: boolean) => boolean
  /** Handles the focus entering a field; one with a message keeps it while it is fixed. */
  enter: (pointer: string, atFault: boolean) => void
  /**
   * Handles the focus leaving a field. `adder`: the control that adds to the field, which does not count for its items.
   */
  leave: (pointer: string, adder?: boolean) => void
  check: () => void
}

export function fieldAttention(): FieldAttention {
  const visitedPointers = reactive(new Set<string>())
  const leftAtAdder = reactive(new Set<string>())
  const typed = ref<string | null>(null)
  const checked = ref(false)
  return {
    shows: (path, blank) => {
      if (typed.value !== null && isWithin(path, typed.value)) return false
      if (checked.value || !blank) return true
      return (
        [...visitedPointers].some((pointer) => isWithin(path, pointer) || isWithin(pointer, path)) ||
        [...leftAtAdder].some((pointer) => isWithin(pointer, path))
      )
    },
    enter: (pointer, atFault) => {
      typed.value = atFault ? null : pointer
    },
    leave: (pointer, adder = false) => {
      ;(adder ? leftAtAdder : visitedPointers).add(pointer)
      typed.value = null
    },
    check: () => {
      checked.value = true
    },
  }
}

const isWithin = (path: string, pointer: string): boolean =>
  path === pointer || path.startsWith(`${pointer}/`)
