// In a low window the timeline is collapsed until the user opens it, like the dock: the rows come first.
import { computed, onBeforeUnmount, ref, type ComputedRef, type Ref } from 'vue'

/** Below this height, a head, five rows and a fault's repairs fill the space that the frame leaves. */
const low = '(max-height: 560px)'

export function useTimelineFold(): {
  isLow: Ref<boolean>
  folded: ComputedRef<boolean>
  fold: (to: boolean) => void
} {
  const query = window.matchMedia(low)
  const isLow = ref(query.matches)
  const isUnfolded = ref(false)
  const handleChange = ({ matches }: { matches: boolean }): unknown => (isLow.value = matches)
  query.addEventListener('change', handleChange)
  onBeforeUnmount(() => query.removeEventListener('change', handleChange))
  const folded = computed(() => isLow.value && !isUnfolded.value)
  return { isLow, folded, fold: (to) => (isUnfolded.value = !to) }
}
