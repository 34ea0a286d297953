// The height of the timeline: it depends on the window and the user, never on the selection, so the sheet stays in
// place.
import { ref, type Ref } from 'vue'

const place = 'almanac.timeline'
export const heights = { min: 120, initial: 258, max: 640 } as const

/** Null until the user resizes it; until then the pane decides. */
export function useTimelineHeight(): { height: Ref<number | null>; resize: (to: number) => void } {
  const kept = Number(localStorage.getItem(place) ?? Number.NaN)
  const height = ref(kept >= heights.min && kept <= heights.max ? kept : null)
  const resize = (to: number): void => {
    height.value = Math.round(to)
    localStorage.setItem(place, String(height.value))
  }
  return { height, resize }
}
