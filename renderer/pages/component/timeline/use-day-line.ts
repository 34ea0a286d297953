// The as-of line of a timeline: it is placed where the axis is clicked, and follows the pointer.
import { ref } from 'vue'
import type { DayNumber } from '#kernel/dates/civil-date.ts'
import { dayAt, type TimeWindow } from './scale.ts'

export function useDayLine(plot: () => DOMRect | undefined, timeWindow: () => TimeWindow) {
  /** Null follows today. */
  const day = ref<DayNumber | null>(null)

  /** The day under the pointer; undefined if the timeline is not drawn. */
  function dayUnder({ clientX }: MouseEvent): DayNumber | undefined {
    const bounds = plot()
    return bounds && dayAt(timeWindow(), (clientX - bounds.left) / bounds.width)
  }

  function start(event: PointerEvent): void {
    if (plot() === undefined || event.button !== 0) return
    event.preventDefault()
    const move = (to: PointerEvent): void => {
      day.value = dayUnder(to) ?? day.value
    }
    const end = (): void => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', end)
    }
    move(event)
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', end)
  }

  return { day, dayUnder, start }
}
