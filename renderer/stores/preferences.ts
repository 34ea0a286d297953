// The density of rows and the text size of editors, on this machine, because they depend on its screen.
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'

export const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]
export const textSizes = { min: 10, max: 20, initial: 12 } as const
const rowHeights = { comfortable: 28, compact: 24 } as const satisfies Record<Density, number>
/** On a touch screen, as in `touch.css`. */
const touchRowHeight = 40
const place = 'almanac.preferences'

export const usePreferences = defineStore('preferences', () => {
  const stored = read()
  const isTouched = window.matchMedia('(pointer: coarse)').matches
  const density = ref<Density>(stored.density)
  const textSize = ref(stored.textSize)
  /** Pixels of a row, in tables and in the sheet. */
  const rowHeight = computed(() => (isTouched ? touchRowHeight : rowHeights[density.value]))
  watch(density, (name) => (document.documentElement.dataset.density = name), {
    immediate: true,
    flush: 'sync',
  })
  watch([density, textSize], () =>
    localStorage.setItem(place, JSON.stringify({ density: density.value, textSize: textSize.value })),
  )
  return { density, textSize, rowHeight }
})

function read(): { density: Density; textSize: number } {
  const usual = { density: densities[0], textSize: textSizes.initial }
  try {
    const json = JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<typeof usual>
    const density = densities.find((name) => name === json.density) ?? usual.density
    const size = Number(json.textSize ?? usual.textSize)
    const fits = size >= textSizes.min && size <= textSizes.max
    return { density, textSize: fits ? size : usual.textSize }
  } catch {
    return usual
  }
}
