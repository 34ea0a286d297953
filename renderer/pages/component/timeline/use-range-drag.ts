// Drags a range at its ends or as a whole, by the pointer or by keys; adjacent neighbours follow.
import { shallowRef } from 'vue'
import { isEmpty, reshapeRow, type Range, type RangeRow } from '#kernel/config/range.ts'
import { addMonths, dateOf, dayOf, FIRST_DAY, LAST_DAY, type DayNumber } from '#kernel/dates/civil-date.ts'
import { longDate } from '../../../text/words.ts'
import type { RowId } from '../sheet/sheet-rows.ts'
import { algebraOf, type Lane } from './lanes.ts'
import { dayAt, snapOf, snapDay, type TimeWindow } from './scale.ts'

export type Grip = 'start' | 'end' | 'whole'

export interface RangeDrag {
  lane: Lane
  row: RowId
  rows: RangeRow<RowId>[]
  words: string
  /** The position of the words, in per cent. */
  at: number
}

export interface DragDeps {
  window: () => TimeWindow
  /** The plot; its left edge is the window's first day. */
  plot: () => DOMRect | undefined
  onChange: (lane: Lane, rows: RangeRow<RowId>[], label: string) => void
}

export function useRangeDrag({ window: windowOf, plot, onChange }: DragDeps) {
  const drag = shallowRef<RangeDrag | null>(null)

  function start(event: PointerEvent, lane: Lane, row: RowId, grip: Grip): void {
    const index = lane.rows.findIndex(({ id }) => id === row)
    const before = lane.rows[index]?.range
    const bounds = plot()
    if (event.button !== 0 || before === undefined || bounds === undefined) return
    event.preventDefault()
    const first = dayAt(windowOf(), (event.clientX - bounds.left) / bounds.width)
    const step = snapOf(windowOf(), bounds.width)
    let hasMoved = false

    const move = (to: PointerEvent): void => {
      const place = (to.clientX - bounds.left) / bounds.width
      hasMoved ||= Math.abs(to.clientX - event.clientX) > 3
      if (!hasMoved) return
      const day = dayAt(windowOf(), place)
      const range = dragRange(before, grip, first, day, to.ctrlKey ? 'day' : step)
      if (range === null) return
      const rows = reshapeRow(algebraOf(lane), index, range, to.altKey ? 'alone' : 'carry')
      const now = rows.find(({ value }) => value === row)!.range
      drag.value = {
        lane,
        row,
        rows,
        words: wordsOf(now, grip),
        at: Math.min(Math.max(place, 0.04), 0.94) * 100,
      }
    }
    const up = (): void => {
      stop()
      const last = drag.value
      drag.value = null
      if (last !== null) onChange(lane, last.rows, grip === 'whole' ? 'move' : 'drag')
    }
    const handleKey = (press: KeyboardEvent): void => {
      if (press.key !== 'Escape') return
      press.stopPropagation()
      stop()
      drag.value = null
    }
    const stop = (): void => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', up)
      window.removeEventListener('keydown', handleKey, true)
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', up)
    window.addEventListener('keydown', handleKey, true)
  }

  /** Moves by one day or month. Returns whether anything moved. */
  function nudge(
    lane: Lane,
    row: RowId,
    grip: Grip,
    by: 1 | -1,
    unit: 'day' | 'month',
    alone: boolean,
  ): boolean {
    const index = lane.rows.findIndex(({ id }) => id === row)
    const before = lane.rows[index]?.range
    if (before === undefined) return false
    const step = (day: DayNumber): DayNumber =>
      unit === 'day' ? clampDay(day + by) : (dayOf(addMonths(dateOf(day), by)) as DayNumber)
    const range: Range = {
      from: grip === 'end' ? before.from : step(before.from),
      to: grip === 'start' || before.to === null ? before.to : step(before.to),
    }
    if (isEmpty(range)) return false
    onChange(lane, reshapeRow(algebraOf(lane), index, range, alone ? 'alone' : 'carry'), 'move')
    return true
  }

  return { drag, start, nudge }
}

function dragRange(
  before: Range,
  grip: Grip,
  first: DayNumber,
  day: DayNumber,
  step: 'day' | 'month' | 'year',
): Range | null {
  if (grip === 'start') {
    const range = { from: snapDay(day, step), to: before.to }
    return isEmpty(range) ? null : range
  }
  if (grip === 'end') {
    const range = { from: before.from, to: snapDay(day, step) }
    return isEmpty(range) ? null : range
  }
  const from = snapDay(clampDay(before.from + day - first), step)
  return { from, to: before.to === null ? null : clampDay(before.to + from - before.from) }
}

function clampDay(day: number): DayNumber {
  return Math.min(Math.max(day, FIRST_DAY), LAST_DAY) as DayNumber
}

function wordsOf({ from, to }: Range, grip: Grip): string {
  const first = longDate(dateOf(from))
  const last = to === null ? 'open' : longDate(dateOf((to - 1) as DayNumber))
  return grip === 'start' ? `from ${first}` : grip === 'end' ? `last day ${last}` : `${first} to ${last}`
}
