// Which findings a form shows: of what has been given or left, never of a field before anything is typed into it, nor of
// what is being typed just now. On a check, which is the way from a problem to its place, it shows them all.
import { reactive, ref } from 'vue'

export interface FieldAttention {
  /** Whether a finding at this JSON pointer is shown; `blank`: nothing is there yet. */
  shows: (path: string, blank: boolean) => boolean
  /** The focus came to a field; one that was already at fault keeps its message while it is fixed. */
  enter: (pointer: string, atFault: boolean) => void
  /** `adder`: the control that adds to the field, which says nothing of the items in it. */
  leave: (pointer: string, adder?: boolean) => void
  check: () => void
}

export function fieldAttention(): FieldAttention {
  const left = reactive(new Set<string>())
  const leftAtAdder = reactive(new Set<string>())
  const typed = ref<string | null>(null)
  const checked = ref(false)
  return {
    shows: (path, blank) => {
      if (typed.value !== null && isWithin(path, typed.value)) return false
      if (checked.value || !blank) return true
      return (
        [...left].some((pointer) => isWithin(path, pointer) || isWithin(pointer, path)) ||
        [...leftAtAdder].some((pointer) => isWithin(pointer, path))
      )
    },
    enter: (pointer, atFault) => {
      typed.value = atFault ? null : pointer
    },
    leave: (pointer, adder = false) => {
      ;(adder ? leftAtAdder : left).add(pointer)
      typed.value = null
    },
    check: () => {
      checked.value = true
    },
  }
}

const isWithin = (path: string, pointer: string): boolean =>
  path === pointer || path.startsWith(`${pointer}/`)
