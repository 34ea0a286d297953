// The keys of a timeline: they move between bars, change ranges, split, remove and undo.
import { nextTick, type Ref } from 'vue'
import { dateOf, type DayNumber } from '#kernel/dates/civil-date.ts'
import type { RowId } from '../sheet/sheet-rows.ts'
import type { SheetView } from '../sheet/use-sheet-view.ts'
import type { Lane } from './lanes.ts'
import type { useRangeDrag } from './use-range-drag.ts'

export interface LaneKeyDeps {
  view: SheetView
  lanes: () => readonly Lane[]
  /** The element that contains the bars. */
  host: Ref<HTMLElement | undefined>
  /** The day of the as-of line. */
  day: () => DayNumber
  nudge: ReturnType<typeof useRangeDrag>['nudge']
  split(lane: Lane): void
  /** Starts a new value on a day. */
  onValue(from: string): void
  /** Opens the active row in the sheet. */
  onOpen(): void
}

export function useLaneKeys({ view, lanes, host, day, nudge, split, onValue, onOpen }: LaneKeyDeps) {
  function handleKey(event: KeyboardEvent, lane: Lane, row: RowId): void {
    const key = event.key.toLowerCase()
    const isCommand = event.ctrlKey || event.metaKey
    if (key === 'arrowright' || key === 'arrowleft')
      handleSideways(event, lane, row, key === 'arrowright' ? 1 : -1)
    else if (key === 'arrowdown') goToLane(lane, row, 1)
    else if (key === 'arrowup') goToLane(lane, row, -1)
    else if (key === 'delete' && view.canWrite.value) {
      view.change('remove', { removed: [row] })
      view.setStatus('Marked for removal; nothing is removed until you apply it.', 'remove')
    } else if (key === 's' && !isCommand) split(lane)
    else if (key === 'n' && !isCommand) onValue(dateOf(day()))
    else if (key === 'z' && isCommand) (event.shiftKey ? view.redo : view.undo)()
    else if (key === 'y' && isCommand) view.redo()
    else if (key === 'enter') {
      view.goTo(row)
      onOpen()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  /** Shift moves the end, Alt the start, both the whole range; without them the neighbour becomes active. */
  function handleSideways(event: KeyboardEvent, lane: Lane, row: RowId, by: 1 | -1): void {
    if (!event.shiftKey && !event.altKey) return goToNeighbour(lane, row, by)
    if (!view.canWrite.value) return
    const grip = event.shiftKey && event.altKey ? 'whole' : event.shiftKey ? 'end' : 'start'
    nudge(lane, row, grip, by, event.ctrlKey || event.metaKey ? 'month' : 'day', false)
    void nextTick(() => focusBar(row))
  }

  function goToNeighbour(lane: Lane, row: RowId, by: 1 | -1): void {
    const next = lane.rows[lane.rows.findIndex(({ id }) => id === row) + by]
    if (next !== undefined) goTo(next.id)
  }

  /** The row of the next lane on the same day. */
  function goToLane(lane: Lane, row: RowId, by: 1 | -1): void {
    const other = lanes()[lanes().indexOf(lane) + by]
    const from = lane.rows.find(({ id }) => id === row)?.range.from ?? 0
    const next = other?.rows.findLast(({ range }) => range.from <= from) ?? other?.rows[0]
    if (next !== undefined) goTo(next.id)
  }

  function goTo(row: RowId): void {
    view.goTo(row)
    void nextTick(() => focusBar(row))
  }

  function focusBar(row: RowId): void {
    host.value
      ?.querySelector<HTMLElement>(`[data-row="${row}"] , .bar[aria-pressed="true"]`)
      ?.focus({ preventScroll: true })
  }

  return { handleKey }
}
