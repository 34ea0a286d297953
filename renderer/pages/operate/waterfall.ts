// The events of a correlation id as a waterfall: in the order of time, cut where nothing happens for long, each part with
// an axis of its own.
import type { TraceEventView } from '../../api/operate.ts'

export interface WaterfallBar {
  event: TraceEventView
  /** In per cent of the part. */
  left: number
  width: number
}

export interface WaterfallPart {
  /** ISO 8601 instant at which it begins. */
  at: string
  spanMs: number
  /** Milliseconds since the part before it ended; null for the first one. */
  afterMs: number | null
  bars: WaterfallBar[]
}

/** A pause that is longer than this, and than what is before it, begins a new part. */
const pauseMs = 2000

/** @param events in any order */
export function waterfallOf(events: readonly TraceEventView[]): WaterfallPart[] {
  const sorted = [...events].sort((a, b) => startOf(a) - startOf(b) || (a.id < b.id ? -1 : 1))
  const parts: TraceEventView[][] = []
  let end = -Infinity
  for (const event of sorted) {
    const part = parts.at(-1)
    const isNear = part !== undefined && startOf(event) - end <= Math.max(pauseMs, end - startOf(part[0]!))
    if (isNear) part.push(event)
    else parts.push([event])
    end = Math.max(end, endOf(event))
  }
  let before: number | null = null
  return parts.map((part) => {
    const from = startOf(part[0]!)
    const to = Math.max(...part.map(endOf))
    const afterMs = before === null ? null : from - before
    before = to
    const spanMs = Math.max(1, to - from)
    const shareOf = (ms: number): number => Math.round((ms / spanMs) * 1000) / 10
    return {
      ...{ at: new Date(from).toISOString(), spanMs, afterMs },
      bars: part.map((event) => ({
        event,
        left: shareOf(startOf(event) - from),
        width: shareOf(event.durationMs ?? 0),
      })),
    }
  })
}

const startOf = ({ at }: TraceEventView): number => Date.parse(at)
const endOf = (event: TraceEventView): number => startOf(event) + (event.durationMs ?? 0)

/** Round numbers for an axis, in milliseconds, from 0: at most five. */
export function ticksOf(spanMs: number): number[] {
  const rough = spanMs / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)))
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power * 10
  return Array.from({ length: Math.floor(spanMs / step) + 1 }, (_, at) => at * step)
}
