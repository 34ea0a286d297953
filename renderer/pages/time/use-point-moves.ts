// Moves a point over the map: by keys, a day or a line at a time, and by dragging.
import { addMonths, dateOf, dayOf, parseCivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import { shallowRef, type ShallowRef } from 'vue'
import type { TimePoint } from '../../api/points.ts'
import { dayAt, snapOf, snapDay, type TimeWindow } from '../component/timeline/scale.ts'
import type { MapLine } from './map-lines.ts'
import type { Side } from './question.ts'

interface MapPlace {
  lines: () => readonly MapLine[]
  window: () => TimeWindow
  /** Days on which something begins or ends, ascending. */
  days: () => readonly string[]
  active: () => number
  plot: () => DOMRect | undefined
  onMove: (side: Side, point: TimePoint) => void
}

export interface PointMoves {
  /** The point that is being dragged, at its present place. */
  dragged: Readonly<ShallowRef<{ side: Side; point: TimePoint } | null>>
  start: (event: PointerEvent, side: Side, point: TimePoint) => void
  /** Returns whether the key moved the point. */
  handleKey: (event: KeyboardEvent, side: Side, point: TimePoint) => boolean
}

const near = 7

export function usePointMoves(place: MapPlace): PointMoves {
  const dragged = shallowRef<{ side: Side; point: TimePoint } | null>(null)

  /** The line and the day under the pointer; snaps to a day on which something changes. */
  function pointUnder({ clientX, clientY }: PointerEvent, { asOf }: TimePoint, bounds: DOMRect): TimePoint {
    const lines = place.lines()
    const row = Math.floor(((clientY - bounds.top) / bounds.height) * lines.length)
    const line = lines[Math.min(Math.max(row, 0), lines.length - 1)]!
    const window = place.window()
    const share = Math.min(Math.max((clientX - bounds.left) / bounds.width, 0), 0.9999)
    const day = snapDay(dayAt(window, share), snapOf(window, bounds.width))
    const perDay = bounds.width / window.days
    const edge = place
      .days()
      .map((date) => dayOf(parseCivilDate(date)!))
      .find((each) => Math.abs(each - window.start - share * window.days) * perDay < near)
    return { generation: line.generation, asOf: asOf === null ? null : dateOf(edge ?? day) }
  }

  function start(event: PointerEvent, side: Side, point: TimePoint): void {
    if (event.button !== 0) return
    event.preventDefault()
    const move = (to: PointerEvent): void => {
      const bounds = place.plot()
      if (bounds !== undefined) dragged.value = { side, point: pointUnder(to, point, bounds) }
    }
    const end = (): void => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', end)
      window.removeEventListener('pointercancel', cancel)
      window.removeEventListener('keydown', escape, true)
      if (dragged.value !== null) place.onMove(side, dragged.value.point)
      dragged.value = null
    }
    const cancel = (): void => {
      dragged.value = null
      end()
    }
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      cancel()
    }
    move(event)
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', end)
    window.addEventListener('pointercancel', cancel)
    window.addEventListener('keydown', escape, true)
  }

  function handleKey(event: KeyboardEvent, side: Side, point: TimePoint): boolean {
    const next =
      event.key === 'ArrowUp' || event.key === 'ArrowDown'
        ? { ...point, generation: neighbourGeneration(point, event.key === 'ArrowUp', event.shiftKey) }
        : event.key === 'ArrowLeft' || event.key === 'ArrowRight'
          ? { ...point, asOf: neighbourDay(point, event.key === 'ArrowRight' ? 1 : -1, event) }
          : null
    if (next === null) return false
    place.onMove(side, next)
    return true
  }

  /** The next line that changed the key; with Shift, the very next generation. */
  function neighbourGeneration({ generation }: TimePoint, up: boolean, single: boolean): number {
    if (single) return Math.min(Math.max(generation + (up ? 1 : -1), 0), Math.max(place.active(), generation))
    const lines = place.lines().filter((line) => line.changed || line.generation === place.active())
    const line = up
      ? lines.findLast((line) => line.generation > generation)
      : lines.find((line) => line.generation < generation)
    return line?.generation ?? generation
  }

  /** The next day; with Shift the next month; with Ctrl, Cmd or Alt the next day on which something changes. */
  function neighbourDay({ asOf }: TimePoint, by: 1 | -1, event: KeyboardEvent): string | null {
    const date = parseCivilDate(asOf ?? '')
    if (date === null) return asOf
    if (event.ctrlKey || event.metaKey || event.altKey) {
      const days = place.days()
      return (by > 0 ? days.find((day) => day > date) : days.findLast((day) => day < date)) ?? asOf
    }
    try {
      return event.shiftKey ? addMonths(date, by) : dateOf((dayOf(date) + by) as DayNumber)
    } catch {
      return asOf
    }
  }
  return { dragged, start, handleKey }
}
