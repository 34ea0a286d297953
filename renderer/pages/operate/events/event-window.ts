// The events of a channel that the page has: a part of the log without holes, which grows at both ends.
import type { EventGap, EventPage, PageEvent } from '../../../api/events.ts'

export interface EventWindow {
  /** The newest first. */
  events: readonly PageEvent[]
  /** The cursor before the oldest one. */
  older: string
  hasOlder: boolean
  /** The cursor after the newest one. */
  newer: string
  /** Whether newer ones were known when it was read last. */
  hasNewer: boolean
  /** What was asked for and was not there. */
  startGap: EventGap | null
  /** What is missing before the oldest one. */
  endGap: EventGap | null
  /** What is missing before other events, such as after a long pause; by the id of the event. */
  gaps: ReadonlyMap<string, EventGap>
}

/** Events that a page has at most. Those at the other end are dropped, and read again when they are wanted. */
export const mostEvents = 1000

/** A window that begins with a page of older events, or with one of newer events. */
export function openWindow(page: EventPage, direction: 'older' | 'newer'): EventWindow {
  const { events, start, cursor, isAtEnd, gap } = page
  return direction === 'older'
    ? {
        ...{ events, older: cursor, hasOlder: !isAtEnd, newer: start, hasNewer: false },
        ...{ startGap: null, endGap: gap, gaps: new Map() },
      }
    : {
        ...{ events: events.toReversed(), older: start, hasOlder: true, newer: cursor, hasNewer: !isAtEnd },
        ...{ startGap: gap, endGap: null, gaps: new Map() },
      }
}

export function addOlder(
  window: EventWindow,
  { events: found, cursor, isAtEnd, gap }: EventPage,
): EventWindow {
  const events = [...window.events, ...unknown(window, found)]
  const dropped = events.length - mostEvents
  const grown = { ...window, events, older: cursor, hasOlder: !isAtEnd, endGap: gap }
  if (dropped <= 0) return grown
  const kept = events.slice(dropped)
  return { ...grown, events: kept, newer: kept[0]!.cursor, hasNewer: true }
}

export function addNewer(
  window: EventWindow,
  { events: found, cursor, isAtEnd, gap }: EventPage,
): EventWindow {
  const added = unknown(window, found)
  const events = [...added.toReversed(), ...window.events]
  const [first] = added
  const gaps =
    gap === null || first === undefined ? window.gaps : new Map(window.gaps).set(first.eventId, gap)
  const grown = { ...window, events, gaps, newer: cursor, hasNewer: !isAtEnd }
  const [kept, rest] = [events.slice(0, mostEvents), events.slice(mostEvents)]
  // Before what is kept is after the first that is not.
  return rest.length === 0
    ? grown
    : { ...grown, events: kept, older: rest[0]!.cursor, hasOlder: true, endGap: null }
}

/** Delivery is at least once. */
function unknown({ events }: EventWindow, found: readonly PageEvent[]): PageEvent[] {
  const known = new Set(events.map(({ eventId }) => eventId))
  return found.filter(({ eventId }) => !known.has(eventId))
}
