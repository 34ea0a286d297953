// Pages of events that follow each other make a part of the log without holes, even if events are dropped at its ends.
import { expect, it } from 'vitest'
import type { EventPage, PageEvent } from '../../../api/events.ts'
import { addNewer, addOlder, mostEvents, openWindow, type EventWindow } from './event-window.ts'

const last = 2500
/** Its cursor is its number, as in a channel with one partition. */
const event = (number: number): PageEvent => ({
  ...{ eventId: `e${number}`, sequence: String(number), commitTs: '', partition: 0 },
  ...{ correlationId: '', generation: 1, payload: {}, cursor: String(number) },
})
const numbers = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)

/** As the server reads the events 1 to 2500. */
function older(cursor: string, limit = 400): EventPage {
  const end = Number(cursor)
  const begin = Math.max(1, end - limit + 1)
  const events = numbers(begin, end).reverse().map(event)
  const gap = { reason: 'retention' as const, partitions: [] }
  const isAtEnd = begin === 1
  return { events, start: cursor, cursor: String(begin - 1), isAtEnd, gap: isAtEnd ? gap : null }
}
function newer(cursor: string, limit = 400): EventPage {
  const end = Math.min(last, Number(cursor) + limit)
  const events = numbers(Number(cursor) + 1, end).map(event)
  return { events, start: cursor, cursor: String(end), isAtEnd: end === last, gap: null }
}
const sequences = ({ events }: EventWindow): number[] => events.map(({ sequence }) => Number(sequence))
const range = (window: EventWindow): [newest: number, oldest: number] => {
  const found = sequences(window)
  expect(found).toEqual(numbers(found.at(-1)!, found[0]!).reverse())
  return [found[0]!, found.at(-1)!]
}

it('goes back to the first event and forth to the newest one, with a limited number of events', () => {
  let window = openWindow(older(String(last)), 'older')
  expect(range(window)).toEqual([2500, 2101])
  expect(window).toMatchObject({ hasOlder: true, hasNewer: false, endGap: null })
  while (window.hasOlder) window = addOlder(window, older(window.older))
  expect(range(window)).toEqual([mostEvents, 1])
  expect(window).toMatchObject({ hasNewer: true, endGap: { reason: 'retention' } })
  while (window.hasNewer) window = addNewer(window, newer(window.newer))
  expect(range(window)).toEqual([2500, 2500 - mostEvents + 1])
  expect(window).toMatchObject({ hasOlder: true, endGap: null })
  window = addOlder(window, older(window.older))
  expect(range(window)[1]).toBe(2500 - mostEvents + 1 - 400)
})

it('begins at a point in the middle, with events on both sides', () => {
  const gap = { reason: 'ahead' as const, partitions: [] }
  let window = openWindow({ ...newer('1000'), gap }, 'newer')
  expect(range(window)).toEqual([1400, 1001])
  expect(window.startGap).toEqual(gap)
  window = addOlder(addNewer(window, newer(window.newer)), older(window.older))
  expect(range(window)).toEqual([1600, 601])
})

it('has an event once that was delivered twice', () => {
  const window = addNewer(openWindow(newer('0', 3), 'newer'), newer('1', 4))
  expect(sequences(window)).toEqual([5, 4, 3, 2, 1])
})
