// The days that a drawn time axis shows: all of them until the user zooms or moves; and the width to draw them in.
import { computed, onBeforeUnmount, onMounted, ref, watch, type Ref } from 'vue'
import { moveWindow, zoomWindow, type TimeWindow } from './scale.ts'

const usualWidth = 600

/** `whole` returns all days; without dates, `isFixed`, nothing is zoomed or moved. */
export function useTimeWindow(
  plot: Ref<HTMLElement | undefined>,
  whole: () => TimeWindow,
  isFixed: () => boolean = () => false,
) {
  const width = ref(usualWidth)
  /** Null shows all days. */
  const shown = ref<TimeWindow | null>(null)
  const allDays = computed(whole)
  const timeWindow = computed(() => shown.value ?? allDays.value)

  let observer: ResizeObserver | null = null
  onMounted(() => {
    observer = new ResizeObserver(() => (width.value = plot.value?.clientWidth ?? usualWidth))
    watch(
      plot,
      (element, before) => {
        if (before) observer?.unobserve(before)
        if (element) observer?.observe(element)
      },
      { immediate: true },
    )
  })
  onBeforeUnmount(() => observer?.disconnect())

  /** Below 1 zooms in; `share` of the width keeps its day. */
  function zoom(factor: number, share?: number): void {
    shown.value = zoomWindow(timeWindow.value, factor, share)
  }

  /** Ctrl/Cmd zooms, Shift or a sideways wheel moves; a plain wheel scrolls the page. */
  function handleWheel(event: WheelEvent): void {
    const bounds = plot.value?.getBoundingClientRect()
    const zooms = event.ctrlKey || event.metaKey
    if (bounds === undefined || isFixed() || (!zooms && !event.shiftKey && event.deltaX === 0)) return
    event.preventDefault()
    if (zooms) zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, (event.clientX - bounds.left) / bounds.width)
    else {
      const share = (event.deltaX || event.deltaY) / bounds.width
      shown.value = moveWindow(timeWindow.value, share * timeWindow.value.days)
    }
  }

  return { width, shown, timeWindow, zoom, handleWheel }
}
