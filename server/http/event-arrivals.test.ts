import { EventEmitter } from 'node:events'
import type { ChannelId } from '#kernel/events/index.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventArrivals, type EventArrivals } from './event-arrivals.ts'

const long = 60_000
let response: EventEmitter
let listeners: Set<() => void>
let closing: Set<() => void>
let arrivals: EventArrivals
beforeEach(() => {
  response = new EventEmitter()
  listeners = new Set()
  closing = new Set()
  const member = (set: Set<() => void>, item: () => void) => {
    set.add(item)
    return () => void set.delete(item)
  }
  arrivals = eventArrivals({
    channel: 'note' as ChannelId,
    watch: { watch: (_, onEvents) => member(listeners, onEvents) },
    onServerClose: (end) => member(closing, end),
    response,
  })
})

const all = (set: Set<() => void>): void => set.forEach((each) => each())

describe('a wait for events', () => {
  it('ends when one arrives', async () => {
    arrivals.begin()
    const next = arrivals.next(long)
    all(listeners)
    expect(await next).toBe(true)
  })

  it('ends at once if one has arrived while the channel was read, and not a second time', async () => {
    arrivals.begin()
    all(listeners)
    expect(await arrivals.next(long)).toBe(true)
    arrivals.begin()
    const next = arrivals.next(long)
    expect(await Promise.race([next, 'waits'])).toBe('waits')
    all(listeners)
    await next
  })

  it('ends when its time is over', async () => {
    arrivals.begin()
    expect(await arrivals.next(1)).toBe(true)
  })

  it('ends when the caller goes', async () => {
    arrivals.begin()
    const next = arrivals.next(long)
    response.emit('close')
    expect(await next).toBe(true)
  })

  it('reports a server that stops, before it and during it', async () => {
    arrivals.begin()
    const next = arrivals.next(long)
    all(closing)
    expect(await next).toBe(false)
    arrivals.begin()
    expect(await arrivals.next(long)).toBe(false)
  })

  it('leaves nothing behind', () => {
    arrivals.end()
    expect([listeners.size, closing.size, response.listenerCount('close')]).toEqual([0, 0, 0])
  })
})
