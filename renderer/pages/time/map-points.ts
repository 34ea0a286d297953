// Where the two points of the map are drawn, and the flags with their days on its axis.
import { dayOf, parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { TimePoint } from '../../api/points.ts'
import { longDate } from '../../text/words.ts'
import { positionOf, type TimeWindow } from '../component/timeline/scale.ts'
import { spanOn, type MapLine } from './map-lines.ts'
import type { Side } from './question.ts'

export interface PointSpot {
  side: Side
  point: TimePoint
  /** In per cent of the width, at the edge if the day is beyond it. */
  x: number
  /** The line of its generation; -1 if that is not on the map. */
  y: number
  /** The edge beyond which its day is. */
  off: '' | 'left' | 'right'
  /** The value there, in words. */
  value: string
}

export interface DayFlag {
  side: Side | 'both'
  x: number
  text: string
  /** Whether the point begins or ends at `x` because there is not enough space around it. */
  lean: '' | 'start' | 'end'
}

/** A point without a day is drawn here. */
const undatedPlace = 0.25
const flagWidth = 84

export function spotOf(
  side: Side,
  point: TimePoint,
  lines: readonly MapLine[],
  timeWindow: TimeWindow,
): PointSpot {
  const y = lines.findIndex(({ generation }) => generation === point.generation)
  const line = lines[y]
  const date = parseCivilDate(point.asOf ?? '')
  const place = date === null ? undatedPlace : positionOf(timeWindow, dayOf(date) + 0.5)
  const span = line && spanOn(line, date === null ? 0 : dayOf(date))
  return {
    ...{ side, point, y, off: place < 0 ? 'left' : place > 1 ? 'right' : '' },
    x: Math.min(Math.max(place, 0), 1) * 100,
    value: span?.text ?? 'no value',
  }
}

/** One flag if the two would overlap; none for a point that is not on the map. `width` is that of the axis, in pixels. */
export function flagsOf(spots: readonly PointSpot[], width: number): DayFlag[] {
  const visible = spots.filter(({ y }) => y >= 0)
  const [a, b] = visible
  const overlaps = a && b && (Math.abs(a.x - b.x) / 100) * width < flagWidth
  if (!overlaps || a.point.asOf === b.point.asOf)
    return (overlaps ? [a] : visible).map((spot) => ({
      ...{ side: spot.side, x: spot.x, text: flagText(spot) },
      lean: leanOf(spot.x, width),
    }))
  const [first, second] = a.x <= b.x ? [a, b] : [b, a]
  const lean = first.x > 50 ? 'end' : 'start'
  const x = lean === 'end' ? second.x : first.x
  return [{ side: 'both', x, lean, text: `${flagText(first)}, ${flagText(second)}` }]
}

function flagText({ off, point }: PointSpot): string {
  return `${off === 'left' ? '← ' : ''}${longDate(point.asOf)}${off === 'right' ? ' →' : ''}`
}

function leanOf(x: number, width: number): DayFlag['lean'] {
  if ((x / 100) * width < flagWidth / 2) return 'start'
  return (1 - x / 100) * width < flagWidth / 2 ? 'end' : ''
}
